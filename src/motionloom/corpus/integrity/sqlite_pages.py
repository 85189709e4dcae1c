"""Rows of a damaged SQLite file, read from its pages; see "Database File Format" in the documentation of SQLite.

SQLite refuses a tree at its first damaged page. Here the rest of it is read, and each row comes with whether its page
is sound, so that nothing has to be believed that is not confirmed elsewhere.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

Value = None | int | float | str | bytes

TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 13, 5, 10, 2
HEADER = 100  # bytes of the file's header, in its first page
DEFAULT_PAGE_SIZE = 4096
_FIXED = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}  # bytes of serial types


class BadPage(Exception):
    """A page or cell that cannot be what it should be."""


@dataclass(frozen=True)
class Cell:
    """A row, or an entry of an index, whose last value is then the row id."""

    rowid: int
    values: tuple[Value, ...]
    is_sound: bool


@dataclass
class Tree:
    """What could be read of a table or an index, in its order."""

    cells: list[Cell] = field(default_factory=list)
    gaps: set[int] = field(default_factory=set)  # places in `cells` before which something could not be read
    n_bad: int = 0  # pages and cells that could not be read

    def add_gap(self) -> None:
        """Something that comes next cannot be read."""
        self.gaps.add(len(self.cells))
        self.n_bad += 1


@dataclass(frozen=True)
class _Parsed:
    kind: int
    cells: list[int | None]  # first byte of each; None for one that cannot be read
    children: list[int]  # page numbers, one more than cells; none in a leaf
    is_sound: bool


class Pages:
    """The pages of an SQLite file, numbered from 1."""

    def __init__(self, content: bytes) -> None:
        size = int.from_bytes(content[16:18], "big")
        size = 65536 if size == 1 else size
        self.size = size if size >= 512 and size & (size - 1) == 0 else DEFAULT_PAGE_SIZE
        self.usable = self.size - (content[20] if len(content) > 20 and content[20] < 64 else 0)
        self.content = content
        self.n = len(content) // self.size
        self.used: set[int] = {1}  # pages that a tree, an overflow chain or the free list holds

    def page(self, number: int) -> bytes:
        """The content of a page."""
        if not 1 <= number <= self.n:
            raise BadPage(f"page {number} is out of range")
        return self.content[(number - 1) * self.size : number * self.size]

    def read_tree(self, root: int, is_index: bool) -> Tree:
        """All cells below a root page that can be read."""
        tree = Tree()
        self._read(root, is_index, tree, set())
        return tree

    def free_pages(self) -> set[int] | None:
        """The pages of the free list; None if it cannot be read as a whole."""
        trunk, expected = struct.unpack(">II", self.content[32:40]) if len(self.content) >= HEADER else (0, -1)
        free: set[int] = set()
        try:
            while trunk:
                if trunk in free:
                    raise BadPage("the free list has a ring")
                free.add(trunk)
                page = self.page(trunk)
                trunk, count = struct.unpack(">II", page[:8])
                if count > self.usable // 4 - 2:
                    raise BadPage("a page of the free list has too many entries")
                free.update(struct.unpack(f">{count}I", page[8 : 8 + 4 * count]))
        except BadPage:
            return None
        self.used |= free
        return free if len(free) == expected else None

    def orphans(self) -> Iterator[list[Cell]]:
        """The rows of each leaf page that no tree, overflow chain or free list holds: its parent is damaged."""
        for number in range(2, self.n + 1):
            if number not in self.used and self.page(number)[0] == TABLE_LEAF:
                tree = Tree()
                self._read(number, False, tree, set())
                yield tree.cells

    def _read(self, number: int, is_index: bool, tree: Tree, seen: set[int]) -> None:
        try:
            if number in seen:
                raise BadPage("a tree has a ring")
            seen.add(number)
            page = self.page(number)
            parsed = self._parse(number, page, is_index)
        except BadPage:
            tree.add_gap()
            return
        self.used.add(number)
        for place, start in enumerate(parsed.cells):
            if parsed.children:
                self._read(parsed.children[place], is_index, tree, seen)
            if parsed.kind != TABLE_INTERIOR:
                self._add_cell(page, start, parsed, is_index, tree)
        if parsed.children:
            self._read(parsed.children[-1], is_index, tree, seen)

    def _add_cell(self, page: bytes, start: int | None, parsed: _Parsed, is_index: bool, tree: Tree) -> None:
        try:
            if start is None:
                raise BadPage("a cell is out of range")
            tree.cells.append(self._cell(page, start, is_index, bool(parsed.children), parsed.is_sound))
        except BadPage:
            tree.add_gap()

    def _parse(self, number: int, page: bytes, is_index: bool) -> _Parsed:
        """The cells of a page, with whether they account for every byte of it."""
        at = HEADER if number == 1 else 0
        kind = page[at]
        if kind not in ((INDEX_LEAF, INDEX_INTERIOR) if is_index else (TABLE_LEAF, TABLE_INTERIOR)):
            raise BadPage(f"page {number} has kind {kind}")
        is_interior = kind in (TABLE_INTERIOR, INDEX_INTERIOR)
        free, count, start, fragments = struct.unpack(">HHHB", page[at + 1 : at + 8])
        first = at + (12 if is_interior else 8)
        if first + 2 * count > self.usable:
            raise BadPage(f"page {number} has too many cells")
        starts = struct.unpack(f">{count}H", page[first : first + 2 * count])
        ends = [self._end_of_cell(page, place, kind) for place in starts]
        children = [int.from_bytes(page[place : place + 4], "big") for place in starts] if is_interior else []
        if is_interior:
            children.append(int.from_bytes(page[at + 8 : at + 12], "big"))
        first_cell = start or 65536
        extents = [(place, max(end, place + 4)) for place, end in zip(starts, ends) if end is not None]
        extents += self._free_blocks(page, free)
        is_sound = None not in ends and first_cell >= first + 2 * count
        is_sound = is_sound and self._accounts(extents, first_cell, fragments)
        cells = [place if end is not None else None for place, end in zip(starts, ends)]
        return _Parsed(kind, cells, children, is_sound)

    def _accounts(self, extents: list[tuple[int, int]], start: int, fragments: int) -> bool:
        """Whether cells and free blocks do not overlap and leave as many bytes as the page says are fragments."""
        place, gaps = start, 0
        for first, end in sorted(extents):
            if first < place or end > self.usable:
                return False
            gaps += first - place
            place = end
        return gaps + self.usable - place == fragments

    def _free_blocks(self, page: bytes, place: int) -> list[tuple[int, int]]:
        blocks: list[tuple[int, int]] = []
        while place:
            if place > self.usable - 4 or len(blocks) > self.usable:
                raise BadPage("a free block is out of range")
            following, size = struct.unpack(">HH", page[place : place + 4])
            blocks.append((place, place + size))
            place = following
        return blocks

    def _end_of_cell(self, page: bytes, place: int, kind: int) -> int | None:
        """Where a cell ends in its page; None if it cannot be one."""
        try:
            if kind == TABLE_INTERIOR:
                return _varint(page, place + 4)[1]
            size, at = _varint(page, place + (4 if kind == INDEX_INTERIOR else 0))
            if kind == TABLE_LEAF:
                at = _varint(page, at)[1]
        except BadPage:
            return None
        if size < 0 or place > self.usable - 4:
            return None
        local = self._local(size, kind != TABLE_LEAF)
        end = at + local + (4 if local < size else 0)
        return end if end <= self.usable else None

    def _local(self, size: int, is_index: bool) -> int:
        """How many bytes of a payload are in the cell itself; the others are in overflow pages."""
        most = (self.usable - 12) * 64 // 255 - 23 if is_index else self.usable - 35
        if size <= most:
            return size
        least = (self.usable - 12) * 32 // 255 - 23
        wanted = least + (size - least) % (self.usable - 4)
        return wanted if wanted <= most else least

    def _cell(self, page: bytes, place: int, is_index: bool, is_interior: bool, is_sound: bool) -> Cell:
        at = place + (4 if is_interior else 0)
        size, at = _varint(page, at)
        rowid = 0
        if not is_index:
            rowid, at = _varint(page, at)
        local = self._local(size, is_index)
        payload = page[at : at + local]
        if len(payload) < local:
            raise BadPage("a cell goes beyond its page")
        if local < size:
            payload += self._overflow(int.from_bytes(page[at + local : at + local + 4], "big"), size - local)
        values = _record(payload)
        if is_index:
            if not values or not isinstance(values[-1], int):
                raise BadPage("an entry of an index has no row id")
            rowid, values = values[-1], values[:-1]
        return Cell(rowid, values, is_sound)

    def _overflow(self, number: int, size: int) -> bytes:
        parts: list[bytes] = []
        chain: set[int] = set()
        while size > 0:
            if number in chain:
                raise BadPage("an overflow chain has a ring")
            chain.add(number)
            page = self.page(number)
            number = int.from_bytes(page[:4], "big")
            parts.append(page[4 : 4 + min(size, self.usable - 4)])
            size -= self.usable - 4
        if number:
            raise BadPage("an overflow chain is too long")
        self.used |= chain
        return b"".join(parts)


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """A variable-length integer and where it ends."""
    value = 0
    for length in range(9):
        if place + length >= len(content):
            raise BadPage("a number goes beyond its page")
        byte = content[place + length]
        if length == 8:
            value = value << 8 | byte
            return value - (1 << 64) if value >= 1 << 63 else value, place + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + length + 1
    raise AssertionError


def _record(payload: bytes) -> tuple[Value, ...]:
    """The values of a record, which must use up all of it."""
    end, at = _varint(payload, 0)
    if not at <= end <= len(payload):
        raise BadPage("a record has no header")
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise BadPage("the header of a record is too long")
    values = []
    for kind in kinds:
        size = (kind - 12) // 2 if kind >= 12 else _FIXED.get(kind, -1)
        if size < 0 or at + size > len(payload):
            raise BadPage("a value goes beyond its record")
        values.append(_value(kind, payload[at : at + size]))
        at += size
    if at != len(payload):
        raise BadPage("a record is too long")
    return tuple(values)


def _value(kind: int, content: bytes) -> Value:
    if kind == 0:
        return None
    if kind == 7:
        return float(struct.unpack(">d", content)[0])
    if kind in (8, 9):
        return kind - 8
    if kind < 12:
        return int.from_bytes(content, "big", signed=True)
    if kind % 2 == 0:
        return content
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadPage("a text is not UTF-8") from error
