"""Arrays on disk: immutable, content-addressed .npy files, written atomically."""

import contextlib
import hashlib
import io
import math
import os
import shlex
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from motionloom.caching import Recent
from motionloom.corpus.store.serialization import shorten
from motionloom.errors import CorpusError
from motionloom.formats.atomic_write import sync_folder

FOLDER = "arrays"
QUARANTINE = "quarantine"
TEMPORARY = ".tmp"
PART = 1 << 20  # bytes that are read at a time
VERIFIED_AT_MOST = 20_000  # files of which this process remembers that it has verified them, some 6 MB

Identity = tuple[str, int, int, int, int]  # path, inode, size, time of change and expected checksum of a file
_verified: Recent[Identity, bool] = Recent(VERIFIED_AT_MOST)


@dataclass(frozen=True)
class StoredArray:
    """The file of an array and its checksum."""

    file: str  # name inside the arrays folder
    crc: int  # CRC-32 of the array's bytes


class NotReadableNow(CorpusError):
    """A file that may be intact, but that this process cannot read: permissions, too many open files, a bad disk."""


class NotWritable(CorpusError):
    """An array that could not be written: a full disk, a folder that is read-only."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder, self.reason = folder, reason
        super().__init__(f"{folder} cannot be written to ({reason}); is the disk full, or the folder read-only?")

    def __reduce__(self) -> tuple[type, tuple[Path, str]]:
        return type(self), (self.folder, self.reason)


def write_array(folder: Path, array: np.ndarray) -> StoredArray:
    """Store an array crash-safe: temporary name, fsync, rename, fsync of the folder.

    The name is a hash of the content, so equal arrays are stored once.
    """
    stored, header, content = lay_out_file(array)
    name = stored.file
    path = folder / name
    if path.exists() and _is_intact(path, stored):
        return stored
    temporary = folder / f"{name}.{os.getpid()}{TEMPORARY}"
    try:
        with open(temporary, "wb") as file:
            file.write(header)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(folder)
    except OSError as error:
        discard(temporary)
        raise NotWritable(folder, str(error.strerror or error)) from error
    except BaseException:
        discard(temporary)
        raise
    return stored


def lay_out_file(array: np.ndarray) -> tuple[StoredArray, bytes, memoryview]:
    """How an array is stored, and what its file holds: header and content."""
    array = np.ascontiguousarray(array)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(array))
    content = array.reshape(-1).view(np.uint8).data
    name = f"{_header_digest(header.getvalue())}-{hashlib.sha256(content).hexdigest()[:24]}.npy"
    return StoredArray(name, zlib.crc32(content)), header.getvalue(), content


def discard(path: Path) -> None:
    """Delete a file that no row refers to; where that fails it stays, and a check finds it."""
    with contextlib.suppress(OSError):
        path.unlink()


def write_missing(folder: Path, array: np.ndarray, stored: StoredArray) -> None:
    """Store an array again whose file another process deleted since, because no row referred to it yet."""
    if not (folder / stored.file).exists():
        write_array(folder, array)


def open_array(folder: Path, stored: StoredArray) -> np.ndarray:
    """Memory-map an array, read-only; its file is verified when this process first opens it."""
    path = folder / stored.file
    identity = _identity(path, stored)
    if identity is None or not _verified.get(identity):
        damage = find_damage(folder, stored)
        if damage is not None:
            raise CorpusError(f"{folder}{os.sep}{damage}; {repair_advice(folder.parent)}")
        if identity is not None:
            _verified.put(identity, True)
    try:
        return _map(path)
    except FileNotFoundError as error:
        raise CorpusError(f"{path} is missing; {repair_advice(folder.parent)}") from error
    except (ValueError, EOFError) as error:
        raise CorpusError(f"{path} is damaged ({error}); {repair_advice(folder.parent)}") from error


def find_damage(folder: Path, stored: StoredArray) -> str | None:
    """Describe the damage of a stored array, None if it is intact; raises `NotReadableNow` if it cannot be read."""
    path = folder / stored.file
    try:
        with open(path, "rb") as file:
            return _compare(file, stored)
    except FileNotFoundError:
        return f"{stored.file} is missing"
    except OSError as error:
        raise NotReadableNow(f"{path} cannot be read now ({error.strerror or error})") from error


def _compare(file: BinaryIO, stored: StoredArray) -> str | None:
    """Compare a file with the checksum of its array and, by its name, with the digest of its header.

    It is read and not mapped: a bad disk then gives an error instead of a signal that ends the process.
    """
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("its version is unknown")
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    except (ValueError, EOFError) as error:
        return f"{stored.file} cannot be read ({shorten(error)})"
    n_header = file.tell()
    found, expected = os.fstat(file.fileno()).st_size, n_header + math.prod(shape) * dtype.itemsize
    if found != expected:
        return f"{stored.file} cannot be read (it has {found} bytes, expected {expected})"
    file.seek(0)
    is_header = stored.file.startswith(_header_digest(file.read(n_header)))
    crc = 0
    while part := file.read(PART):
        crc = zlib.crc32(part, crc)
    if crc != stored.crc or not is_header:
        return f"{stored.file} has changed since it was written (its checksum differs)"
    return None


def _identity(path: Path, stored: StoredArray) -> Identity | None:
    """What tells a file from another one in its place; None if it cannot be examined."""
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_ino, status.st_size, status.st_mtime_ns, stored.crc


def _header_digest(header: bytes) -> str:
    return hashlib.sha256(header).hexdigest()[:8]


def repair_advice(corpus_folder: Path) -> str:
    """How to repair a corpus that is damaged."""
    return f"`motionloom check {shlex.quote(str(corpus_folder))} --repair` repairs the corpus"


def recovery_advice(corpus_folder: Path) -> str:
    """How to recover a corpus whose catalogue is damaged."""
    return f"`motionloom check {shlex.quote(str(corpus_folder))} --repair` recovers what can be read of it"


def _map(path: Path) -> np.ndarray:
    try:
        array: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise NotReadableNow(f"{path} cannot be read now ({error.strerror or error})") from error
    return array


def _is_intact(path: Path, stored: StoredArray) -> bool:
    try:
        return find_damage(path.parent, stored) is None
    except NotReadableNow:
        return False  # so it is written again
