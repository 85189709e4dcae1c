"""Exports: takes as files, one as it is, many in an archive that is sent while it is made."""

import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from motionloom.assembly.results.exported_skeleton import find_skeleton
from motionloom.caching import Recent
from motionloom.errors import BadInput, MotionloomError
from motionloom.formats.file_names import distinct_names, portable
from motionloom.studio.server.jobs import DeskBusy
from motionloom.studio.server.messages.library import Export, ExportTakes
from motionloom.studio.server.studio import Studio
from motionloom.studio.server.workspaces.archives import zip_files
from motionloom.studio.server.workspaces.library import library_of

KEPT = 20  # exports that were asked for and not fetched yet
CHUNK = 1 << 18  # bytes
_PREFIX = "motionloom-export-"


@dataclass(frozen=True)
class _Ready:
    takes: list[str]
    extension: str
    skeleton: str | None  # of which take, or the reference; None: each on its own
    file: str  # what it will be called
    folder: Path | None  # with the file of a single take


class Exports:
    """What was asked for and waits to be fetched."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._guard = threading.Lock()
        self._ready: Recent[int, _Ready] = Recent(KEPT)
        self._last = 0
        self._folder = tempfile.mkdtemp(prefix=_PREFIX)
        weakref.finalize(self, shutil.rmtree, self._folder, True)  # with what was never fetched

    def prepare(self, wanted: ExportTakes) -> Export:
        """Get an export ready; a single take is written now, so that an error comes now."""
        with self._studio.corpus() as corpus:
            for take in wanted.takes:
                corpus.info(take)
            if wanted.skeleton is not None:
                find_skeleton(corpus, wanted.skeleton)
            name = corpus.folder.resolve().name
        if len(wanted.takes) == 1:
            folder = self._write_one(wanted)
            ready = _Ready(wanted.takes, wanted.extension, wanted.skeleton, next(folder.iterdir()).name, folder)
        else:
            ready = _Ready(wanted.takes, wanted.extension, wanted.skeleton, f"{name}.zip", None)
        with self._guard:
            self._last += 1
            number = self._last
        for old in self._ready.put(number, ready):
            _throw_away(old)
        return Export(address=f"/api/exports/{number}", file=ready.file)

    def fetch(self, number: int) -> tuple[str, Iterator[bytes]]:
        """The name and the content of an export; each can be fetched once."""
        ready = self._ready.pop(number)
        if ready is None:
            raise BadInput("this export was fetched already, or is too old; export again")
        return ready.file, self._zip(ready) if ready.folder is None else _read(ready, ready.folder)

    def _write_one(self, wanted: ExportTakes) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            library_of(self._studio).write_file(wanted.takes[0], wanted.extension, folder, wanted.skeleton)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return folder

    def _zip(self, ready: _Ready) -> Iterator[bytes]:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            with library_of(self._studio).undisturbed():
                yield from zip_files(self._files(ready, folder))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _files(self, ready: _Ready, folder: Path) -> Iterator[tuple[str, Path]]:
        """Name in the archive, and file, one after another; a file is gone when the next one is asked for."""
        refused = []
        names = distinct_names([portable(take) for take in ready.takes], ready.extension)
        for take, name in zip(ready.takes, names):
            try:
                path = library_of(self._studio).write_file(take, ready.extension, folder, ready.skeleton, ready.takes)
            except DeskBusy as error:  # nor would it write the others
                refused.append(f"{take} and what would come after it: {self._studio.explain(error)}")
                break
            except MotionloomError as error:
                refused.append(f"{take}: {self._studio.explain(error)}")
                continue
            yield name, path
            path.unlink(missing_ok=True)
        if refused:
            path = folder / "not exported.txt"
            path.write_text("\n".join(refused) + "\n", encoding="utf-8")
            yield path.name, path


def exports_of(studio: Studio) -> Exports:
    """The exports of the open corpus."""
    with studio.corpus():
        if "exports" not in studio.kept:
            studio.kept["exports"] = Exports(studio)
        return studio.kept["exports"]


def _read(ready: _Ready, folder: Path) -> Iterator[bytes]:
    try:
        with open(folder / ready.file, "rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
    finally:
        _throw_away(ready)


def _throw_away(ready: _Ready) -> None:
    if ready.folder is not None:
        shutil.rmtree(ready.folder, ignore_errors=True)
