"""Archives that are sent while they are made, so that a large one needs no room anywhere."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

CHUNK = 1 << 18  # bytes


class _Pipe(io.RawIOBase):
    """Where an archive is written to: it cannot go back, and what was written is taken away."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        written = bytes(data)  # type: ignore[call-overload]
        self._waiting += written
        return len(written)

    def take(self) -> bytes:
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken


def zip_files(files: Iterable[tuple[str, Path]]) -> Iterator[bytes]:
    """The bytes of an archive of files, each with its name in the archive; a file is read when its turn comes."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, path in files:
            with open(path, "rb") as source, archive.open(name, "w", force_zip64=True) as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    yield pipe.take()
            yield pipe.take()
    yield pipe.take()
