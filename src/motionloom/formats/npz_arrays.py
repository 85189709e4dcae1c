"""The arrays of an .npz file, unpacked with care: sizes, names and types are checked before anything is unpacked.

A zip file can unfold to a thousand times its size, and what it states about its members may be wrong. So no more is
unpacked than was stated, and no more may be stated than `most_bytes`.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError

MOST_MEMBERS = 64  # arrays of a file
PLAIN_BYTES = 100_000_000  # that any file may unfold to
MOST_RATIO = 5  # by which a file may grow beyond that

_MOST_ENTRIES = 20_000  # of a zip directory, before it is read
_ENTRY = b"PK\x01\x02"
_CHUNK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MAGIC = re.compile(rb"\x93NUMPY([\x01-\x03])\x00")
_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?)([fiub])([1248])', 'fortran_order': (True|False), 'shape': \(([0-9, ]{0,200})\),? ?\} *\n?"
)
_LONGEST_HEADER = 1_000  # bytes of the header of an array
_MOST_DIMENSIONS = 8
_DAMAGE = (OSError, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error)


def read_arrays(
    path: str | Path,
    content: bytes,
    is_expected: Callable[[str], bool],
    wanted: Iterable[str] | None = None,
    *,
    foreign: str,
    most_members: int = MOST_MEMBERS,
) -> dict[str, np.ndarray]:
    """The arrays of an .npz file, by name.

    Args:
        path: of the file, for messages.
        content: of the file.
        is_expected: whether a name may occur in such a file; any other is refused.
        wanted: names of the arrays to unpack, if they are there; None for all.
        foreign: the sentence about a file with other arrays than expected.
        most_members: number of arrays in such a file.
    """
    try:
        with _open(path, content, most_members) as archive:
            members = _check_members(path, archive, is_expected, foreign, len(content))
            chosen = members if wanted is None else [name for name in wanted if name in members]
            return {name: _read_array(path, name, archive, members[name]) for name in chosen}
    except _DAMAGE:
        raise _damaged(path) from None


def most_bytes(packed_bytes: int) -> int:
    """Bytes that an .npz file of a size may unfold to."""
    return max(PLAIN_BYTES, MOST_RATIO * packed_bytes)


def pack_arrays(arrays: dict[str, np.ndarray]) -> bytes:
    """The bytes of an .npz file; equal arrays give equal bytes.

    Deflated, unless the arrays are so uniform that no reader would unfold them again.
    """
    ordered = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    packed = io.BytesIO()
    np.savez_compressed(packed, **ordered)  # type: ignore[arg-type]
    unpacked_bytes = sum(array.nbytes + _LONGEST_HEADER for array in ordered.values())
    if unpacked_bytes > most_bytes(packed.tell()):
        packed = io.BytesIO()
        np.savez(packed, **ordered)  # type: ignore[arg-type]
    return packed.getvalue()


def _open(path: str | Path, content: bytes, most_members: int) -> zipfile.ZipFile:
    """The archive; one with a directory of many entries is refused before they are read."""
    if content.count(_ENTRY) > _MOST_ENTRIES:
        raise FormatError(path, f"it has more than {most_members} arrays. Please write it again.")
    archive = zipfile.ZipFile(io.BytesIO(content))
    if len(archive.infolist()) > most_members:
        raise FormatError(path, f"it has more than {most_members} arrays. Please write it again.")
    return archive


def _check_members(
    path: str | Path, archive: zipfile.ZipFile, is_expected: Callable[[str], bool], foreign: str, packed_bytes: int
) -> dict[str, zipfile.ZipInfo]:
    """The members by the names of their arrays."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        shown = "".join(letter if letter.isprintable() else "?" for letter in name[:40])
        if name in members:
            raise FormatError(path, f"it has the array '{shown}' twice. Please write it again.")
        if name == info.filename or not is_expected(name):
            raise FormatError(path, foreign)
        if info.compress_type not in _METHODS or info.flag_bits & 1:
            raise FormatError(path, f"the array '{shown}' is packed in an unusual way. Please write it again.")
        members[name] = info
    stated = sum(info.file_size for info in members.values())
    if stated > most_bytes(packed_bytes):
        reason = f"it would unfold from {packed_bytes / 1e6:.1f} MB to {stated / 1e6:.0f} MB, of which at most "
        raise FormatError(path, f"{reason}{most_bytes(packed_bytes) / 1e6:.0f} MB are read. Is it a real recording?")
    return members


def _read_array(path: str | Path, name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(info) as file:
        dtype, shape, is_fortran, header_bytes = _read_header(path, name, file.read)
        count = 1
        for size in shape:
            count *= size
        if count * dtype.itemsize != info.file_size - header_bytes:
            raise FormatError(
                path, f"the array '{name}' has another size than its header states. Please write it again."
            )
        array = np.empty(count, dtype)
        room = array.view(np.uint8)
        done = 0
        while done < len(room):  # in small parts, because a reader of the whole member trusts its stated size
            part = file.read(min(_CHUNK, len(room) - done))
            if not part:
                raise EOFError
            room[done : done + len(part)] = np.frombuffer(part, np.uint8)
            done += len(part)
        if file.read(1):
            raise EOFError  # and the checksum is verified at the end of the member
    return array.reshape(shape, order="F" if is_fortran else "C")


def _read_header(
    path: str | Path, name: str, read: Callable[[int], bytes]
) -> tuple[np.dtype, tuple[int, ...], bool, int]:
    """Type, shape, whether in Fortran order, and length of the header of an array."""
    magic = _MAGIC.fullmatch(read(8))
    if magic is None:
        raise ValueError
    size_bytes = 2 if magic.group(1) == b"\x01" else 4
    length = int.from_bytes(read(size_bytes), "little")
    found = _HEADER.fullmatch(read(length)) if length <= _LONGEST_HEADER else None
    if found is None:
        raise FormatError(path, f"the array '{name}' does not hold plain numbers. Please write it again.")
    order, kind, item_bytes, fortran, sizes = (group.decode() for group in found.groups())
    shape = tuple(int(size) for size in sizes.split(",") if size.strip())
    if len(shape) > _MOST_DIMENSIONS or f"{kind}{item_bytes}" in ("f1", "b2", "b4", "b8"):
        raise FormatError(path, f"the array '{name}' does not hold plain numbers. Please write it again.")
    return np.dtype(f"{order}{kind}{item_bytes}"), shape, fortran == "True", 8 + size_bytes + length


def _damaged(path: str | Path) -> FormatError:
    return FormatError(path, "this is not an .npz file, or it is cut off or damaged. Please write it again.")
