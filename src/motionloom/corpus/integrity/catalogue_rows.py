"""Rows of a damaged catalogue: read from tables and indexes, and believed where these do not contradict each other."""

import bisect
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from motionloom.corpus.integrity.sqlite_pages import Cell, Pages, Tree, Value
from motionloom.corpus.store import catalogue
from motionloom.corpus.store.connection import connect, log_of
from motionloom.corpus.store.write_ahead_log import apply_log, read_log

TAKES = "takes"
_TYPES: dict[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float)}

Row = dict[str, Value]


@dataclass(frozen=True)
class _Index:
    name: str
    columns: tuple[int, ...]  # of the table, by place
    is_partial: bool  # has only takes that are not removed


@dataclass(frozen=True)
class _Table:
    name: str
    columns: tuple[tuple[str, str, bool], ...]  # name, type, and whether it must have a value
    indexes: tuple[_Index, ...]

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.columns]

    def fits(self, values: tuple[Value, ...]) -> bool:
        """Whether values can be a row of this table."""
        return len(values) == len(self.columns) and all(
            not required if value is None else isinstance(value, _TYPES[kind])
            for value, (_, kind, required) in zip(values, self.columns)
        )

    def row(self, cell: Cell) -> Row:
        return dict(zip(self.names, cell.values))


@dataclass
class TableRows:
    """What was found of a table."""

    rows: dict[int, Row] = field(default_factory=dict)  # by row id
    doubtful: list[tuple[Row, str]] = field(default_factory=list)  # not believed, and why
    index_entries: dict[str, dict[int, tuple[Value, ...]]] = field(default_factory=dict)  # sound ones, by index
    n_bad: int = 0  # pages and cells that could not be read
    is_found: bool = True


@dataclass(frozen=True)
class CatalogueRows:
    """What was found of a catalogue."""

    tables: dict[str, TableRows]
    image: bytes  # the file with the changes of its log
    n_lost_changes: int  # of the log


def read_rows(path: Path) -> CatalogueRows:
    """Read all rows of a damaged catalogue that its tables and indexes agree on."""
    log_file = log_of(path)[0]
    log = read_log(log_file.read_bytes() if log_file.exists() else b"")
    image = apply_log(path.read_bytes(), log)
    pages = Pages(image)
    tables, layout = _expected()
    roots = _find_roots(pages, layout)
    trees = {
        name: pages.read_tree(root, is_index=name not in tables) for name, root in roots.items() if root is not None
    }
    _adopt_orphans(pages, tables, trees)
    found = {name: _reconcile(table, trees) for name, table in tables.items()}
    return CatalogueRows(found, image, log.n_lost)


def _expected() -> tuple[dict[str, _Table], dict[str, int]]:
    """The tables of an empty catalogue, and the root pages of its tables and indexes."""
    with closing(connect(None, "memory")) as connection:
        catalogue.write_schema(connection)
        entries = connection.execute("SELECT type, name, tbl_name, rootpage FROM sqlite_schema").fetchall()
        tables = {}
        for name in [name for kind, name, _, _ in entries if kind == "table"]:
            described = connection.execute(f"PRAGMA table_info({name})").fetchall()
            places = {column: place for place, column, *_ in described}
            indexes = [
                _Index(
                    index,
                    tuple(places[column] for _, _, column in connection.execute(f"PRAGMA index_info({index})")),
                    bool(partial),
                )
                for _, index, _, _, partial in connection.execute(f"PRAGMA index_list({name})")
            ]
            columns = tuple((column, kind, bool(required)) for _, column, kind, required, *_ in described)
            tables[name] = _Table(name, columns, tuple(indexes))
    return tables, {name: root for _, name, _, root in entries}


def _find_roots(pages: Pages, layout: dict[str, int]) -> dict[str, int | None]:
    """The root page of each table and index: as the file says, else as in every catalogue, if the file agrees."""
    said: dict[str, int] = {}
    for cell in pages.read_tree(1, is_index=False).cells:
        if len(cell.values) == 5 and isinstance(cell.values[1], str) and isinstance(cell.values[3], int):
            said[cell.values[1]] = cell.values[3]
    roots: dict[str, int | None] = {name: said.get(name) for name in layout}
    agrees = all(root == layout[name] for name, root in roots.items() if root is not None)
    for name in [name for name, root in roots.items() if root is None and agrees]:
        roots[name] = layout[name]
    return roots


def _adopt_orphans(pages: Pages, tables: dict[str, _Table], trees: dict[str, Tree]) -> None:
    """Add the rows of leaf pages whose parent is damaged to the one damaged table that they fit.

    Without a readable free list such a page may be deleted, so its rows are not sound.
    """
    is_live = pages.free_pages() is not None
    damaged = [table for name, table in tables.items() if name in trees and trees[name].gaps]
    for cells in list(pages.orphans()) if damaged else []:
        fitting = [table for table in damaged if cells and all(table.fits(cell.values) for cell in cells)]
        if len(fitting) == 1:
            tree = trees[fitting[0].name]
            tree.cells += [Cell(cell.rowid, cell.values, cell.is_sound and is_live) for cell in cells]
            order = sorted(range(len(tree.cells)), key=lambda place: tree.cells[place].rowid)
            tree.gaps = {0, len(order), *(place for place in range(len(order)))}  # it may lack rows anywhere
            tree.cells = [tree.cells[place] for place in order]


class _Ordered:
    """The cells of a tree by row id, and where in its order some may be missing."""

    def __init__(self, tree: Tree, *, by_values: bool) -> None:
        self.by_row: dict[int, list[Cell]] = {}
        self._keys: list[tuple] = []
        self._has_gap: list[bool] = []  # before each key, and after the last
        gap = False
        for place, cell in enumerate(tree.cells):
            self.by_row.setdefault(cell.rowid, []).append(cell)
            gap = gap or place in tree.gaps
            key = _key(cell.values if by_values else (cell.rowid,))
            if not cell.is_sound or (self._keys and key <= self._keys[-1]):
                gap = True  # it may be in the wrong place
                continue
            self._keys.append(key)
            self._has_gap.append(gap)
            gap = False
        self._has_gap.append(gap or len(tree.cells) in tree.gaps)

    def may_lack(self, values: tuple[Value, ...]) -> bool:
        """Whether something with these values, or this row id, may have been where the tree is damaged."""
        return self._has_gap[bisect.bisect_left(self._keys, _key(values))]

    def alone(self) -> dict[int, Cell]:
        """The sound cells that are the only ones of their row."""
        return {row: cells[0] for row, cells in self.by_row.items() if len(cells) == 1 and cells[0].is_sound}


def _key(values: tuple[Value, ...]) -> tuple:
    """Values as SQLite orders them."""
    ranks = {type(None): 0, int: 1, float: 1, str: 2, bytes: 3}
    return tuple((ranks[type(value)], value if value is not None else 0) for value in values)


def _reconcile(table: _Table, trees: dict[str, Tree]) -> TableRows:
    """Rows that a table and its indexes agree on; where one of them is damaged, those that the other has."""
    missing = Tree(gaps={0})
    tree = trees.get(table.name, missing)
    found = TableRows(n_bad=tree.n_bad, is_found=table.name in trees)
    indexes = {index: _Ordered(trees.get(index.name, missing), by_values=True) for index in table.indexes}
    for index, entries in indexes.items():
        found.index_entries[index.name] = {row: cell.values for row, cell in entries.alone().items()}
    rows = _Ordered(tree, by_values=False)
    for cells in rows.by_row.values():
        for cell in [cell for cell in cells if table.fits(cell.values)]:
            reason = _doubt(table, cell, indexes) if len(cells) == 1 else "two rows have its number"
            if reason is None:
                found.rows[cell.rowid] = table.row(cell)
            else:
                found.doubtful.append(({"rowid": cell.rowid, **table.row(cell)}, reason))
    found.n_bad += sum(not table.fits(cell.values) for cell in tree.cells)
    _add_from_index(table, rows, indexes, found)
    return found


def _doubt(table: _Table, cell: Cell, indexes: dict[_Index, _Ordered]) -> str | None:
    """Why a row is not believed; None if it is."""
    is_confirmed = False
    for index, entries in indexes.items():
        if index.is_partial and cell.values[table.names.index("removed")] is not None:
            continue
        covered = tuple(cell.values[place] for place in index.columns)
        same = entries.by_row.get(cell.rowid, [])
        if any(entry.values == covered for entry in same):
            is_confirmed = is_confirmed or len(index.columns) == len(table.columns)
        elif same:
            return f"its index says {', '.join(map(str, same[0].values))}"
        elif not entries.may_lack(covered):
            return "its index does not have it"
    return None if cell.is_sound or is_confirmed else "its page is damaged"


def _add_from_index(table: _Table, rows: _Ordered, indexes: dict[_Index, _Ordered], found: TableRows) -> None:
    """Rows that are missing in a damaged table, from an index that holds all of their values."""
    known = {row for row, cells in rows.by_row.items() if any(table.fits(cell.values) for cell in cells)}
    for index, entries in indexes.items():
        for number, entry in entries.alone().items():
            by_place = dict(zip(index.columns, entry.values))
            values = tuple(by_place.get(place) for place in range(len(table.columns)))
            is_whole = len(index.columns) == len(entry.values) == len(table.columns)
            if not is_whole or number in known or not table.fits(values):
                continue
            row = dict(zip(table.names, values))
            if rows.may_lack((number,)):
                found.rows[number] = row
            else:
                found.doubtful.append(({"rowid": number, **row}, "its table does not have it"))


def describe(row: Row) -> dict[str, Any]:
    """A row as JSON can hold it."""
    return {name: value if not isinstance(value, bytes) else value.hex() for name, value in row.items()}
