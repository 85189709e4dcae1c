"""SQLite's write-ahead log, read frame by frame; see "The WAL File Format" in the documentation of SQLite."""

import struct
from dataclasses import dataclass, field

import numpy as np

HEADER, FRAME = 32, 24  # bytes
_LITTLE, _BIG = 0x377F0682, 0x377F0683  # first word of a log: the byte order of its checksums


@dataclass(frozen=True)
class Log:
    """The pages of all complete changes before the first damage."""

    page_size: int | None = None  # bytes; None without a valid header
    pages: dict[int, bytes] = field(default_factory=dict)  # newest content by page number
    n_pages: int = 0  # of the file after the last change
    n_changes: int = 0
    n_lost: int = 0  # changes from the damage on: none can be applied without those before it


@dataclass(frozen=True)
class _Frame:
    number: int  # of the page
    n_pages: int  # of the file after a change, of which this is the last frame; else 0
    content: bytes
    is_valid: bool  # its checksum continues that of the frame before


def read_log(content: bytes) -> Log:
    """Read a log up to its first damaged frame, as SQLite does, and count the changes after it.

    The last change may be incomplete after a power cut: it was not acknowledged, and is not counted as lost.
    """
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    n_pages = n_changes = after_damage = 0
    is_damaged = False
    for frame in _frames(content):
        is_damaged = is_damaged or not frame.is_valid
        if is_damaged:
            after_damage += frame.is_valid and frame.n_pages > 0
            continue
        pending[frame.number] = frame.content
        if frame.n_pages:
            pages |= pending
            pending, n_pages, n_changes = {}, frame.n_pages, n_changes + 1
    return Log(_page_size(content), pages, n_pages, n_changes, n_lost=after_damage + 1 if after_damage > 1 else 0)


def apply_log(content: bytes, log: Log) -> bytes:
    """The content of an SQLite file with the changes of its log."""
    if not log.pages or log.page_size is None:
        return content
    page_size = log.page_size
    applied = bytearray(content.ljust(log.n_pages * page_size, b"\0")[: log.n_pages * page_size])
    for number, page in log.pages.items():
        if number <= log.n_pages:
            applied[(number - 1) * page_size : number * page_size] = page
    return bytes(applied)


def _page_size(content: bytes) -> int | None:
    """The page size that a log says; None without a valid header."""
    if len(content) < HEADER:
        return None
    magic, _, size = struct.unpack(">III", content[:12])
    is_size = 512 <= size <= 65536 and size & (size - 1) == 0
    return size if magic in (_LITTLE, _BIG) and is_size else None


def _frames(content: bytes) -> list[_Frame]:
    """The frames that belong to the log: those of an earlier run of it have other salts."""
    size = _page_size(content)
    if size is None:
        return []
    order = ">" if struct.unpack(">I", content[:4])[0] == _BIG else "<"
    salts = content[16:24]
    sums = _checksum(content[:24], order, (0, 0))
    if sums != struct.unpack(">II", content[24:32]):
        return []
    frames = []
    for at in range(HEADER, len(content) - FRAME - size + 1, FRAME + size):
        header, page = content[at : at + FRAME], content[at + FRAME : at + FRAME + size]
        if header[8:16] != salts:
            break
        number, n_pages = struct.unpack(">II", header[:8])
        found = _checksum(page, order, _checksum(header[:8], order, sums))
        sums = struct.unpack(">II", header[16:24])
        frames.append(_Frame(number, n_pages, page, found == sums))
    return frames


def _checksum(content: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    for a, b in np.frombuffer(content, f"{order}u4").reshape(-1, 2).tolist():
        first = (first + a + second) & 0xFFFFFFFF
        second = (second + b + first) & 0xFFFFFFFF
    return first, second
