"""The catalogue: one SQLite file with the metadata of a corpus; arrays are in files beside it."""

import json
import math
import os
import shlex
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from motionloom import __version__
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import array_files, serialization
from motionloom.corpus.store.array_files import FOLDER as ARRAYS
from motionloom.corpus.store.array_files import StoredArray
from motionloom.corpus.store.connection import Connection, NoSpace, NotACatalogue, connect, transaction
from motionloom.corpus.store.packed_curves import describe_curves
from motionloom.corpus.store.packed_take import PackedTake
from motionloom.corpus.store.read_only import can_create_files, connect_read_only
from motionloom.corpus.store.schema import (
    ADDED,
    APPLICATION,
    FORMAT_VERSION,
    OLDEST_VERSION,
    execute_all,
    write_schema,
)
from motionloom.errors import CorpusError
from motionloom.formats.atomic_write import sync_folder
from motionloom.motion import Skeleton

__all__ = [
    "FILE",
    "create_catalogue",
    "delete_unused",
    "files_in_use",
    "info_of",
    "insert_curves",
    "insert_take",
    "make_folder",
    "now",
    "open_catalogue",
    "storing_arrays",
    "transaction",
    "write_schema",
]

FILE = "catalogue.sqlite"
ASKED = "asked"  # removed_because of a take that a person removed; else it is damaged

_WITH_TAKE = " REFERENCES takes (id) ON DELETE CASCADE"
INFO_COLUMNS = """takes.name, takes.kind, takes.n_frames, takes.fps, takes.floor_height, takes.floor_given,
    takes.skeleton, skeletons.hierarchy, takes.digest, takes.source, takes.findings,
    (SELECT curves.digest FROM curves WHERE curves.take = takes.id), takes.removed,
    takes.removed_because, (SELECT grounds.digest FROM grounds WHERE grounds.take = takes.id)"""
INFOS = f"SELECT {INFO_COLUMNS} FROM takes LEFT JOIN skeletons ON skeletons.digest = takes.skeleton"


def make_folder(folder: Path) -> None:
    """Create the folder of an empty corpus; it is deleted again if it cannot be completed."""
    is_new = False
    try:
        _require_empty(folder)
        is_new = not folder.exists()
        (folder / ARRAYS).mkdir(parents=True, exist_ok=True)
        create_catalogue(folder)
        sync_folder(folder)
    except (OSError, CorpusError) as error:
        if isinstance(error, NotEmpty):
            raise
        for made in [folder / ARRAYS, *([folder] if is_new else [])]:
            with suppress(OSError):
                made.rmdir()
        reason = error.strerror if isinstance(error, OSError) else error
        raise CorpusError(f"{folder}: cannot create a corpus here ({reason})") from error


class NotEmpty(CorpusError):
    """A folder that a corpus cannot be created in, because something is there."""


def _require_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        is_corpus = (folder / FILE).exists()
        what = "already a corpus" if is_corpus else "not empty" if folder.is_dir() else "a file"
        raise NotEmpty(f"{folder} is {what}; give a folder that does not exist yet")


def create_catalogue(folder: Path) -> None:
    """Write an empty catalogue atomically: it gets its name when it is complete."""
    temporary = folder / f"{FILE}.{os.getpid()}.new"
    try:
        with closing(connect(temporary, "rwc")) as connection:  # closing the last connection checkpoints the log
            connection.execute("PRAGMA journal_mode = WAL")
            with transaction(connection):
                write_schema(connection)
                connection.execute("INSERT INTO about VALUES ('made_by', ?)", [f"motionloom {__version__}"])
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, folder / FILE)
    except BaseException:
        for left in folder.glob(f"{temporary.name}*"):
            left.unlink()
        raise


def open_catalogue(folder: Path, write: bool) -> Connection:
    """Connect to the catalogue of a corpus; raises if there is none or its format version is not supported."""
    path = folder / FILE
    _require_catalogue(folder)
    connection = _connect(path, write)
    try:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise NotACatalogue(path)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if not OLDEST_VERSION <= version <= FORMAT_VERSION:
            raise CorpusError(_other_version(folder, version))
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        _upgrade(connection, version, write)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, write: bool) -> Connection:
    """Connect to a catalogue.

    The file is read by SQLite alone: closing it elsewhere would release all locks that this process has on it.
    """
    if write:
        return connect(path, "rw")
    if not can_create_files(path):
        return connect_read_only(path)
    connection = connect(path, "ro")
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except NoSpace:  # not even for the index of the log
        connection.close()
        return connect_read_only(path)
    except CorpusError:
        pass  # the caller's first query raises it again
    return connection


def _upgrade(connection: Connection, version: int, write: bool) -> None:
    """Add the tables that an older catalogue lacks: to the file if open for writing, else as temporary tables."""
    missing = [schema for number, schema in sorted(ADDED.items()) if number > version]
    if not missing:
        return
    if not write:
        connection.execute("PRAGMA temp_store = MEMORY")
        for schema in missing:
            temporary = schema.replace("CREATE TABLE", "CREATE TEMP TABLE").replace(_WITH_TAKE, "")  # no foreign keys
            execute_all(connection, temporary)
        return
    with transaction(connection):
        for schema in missing:
            execute_all(connection, schema)
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def _require_catalogue(folder: Path) -> None:
    """Raise unless a folder has the file of a catalogue and this process may read it."""
    path = folder / FILE
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise CorpusError(_no_corpus(folder))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CorpusError(_no_corpus(folder)) from error
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read ({error.strerror})") from error


def _no_corpus(folder: Path) -> str:
    if folder.is_file():
        return f"{folder} is a file; a corpus is a folder"
    return f"{folder} is not a corpus (it has no {FILE}); `motionloom new {shlex.quote(str(folder))}` creates one"


def _other_version(folder: Path, version: int) -> str:
    newer = version > FORMAT_VERSION
    return f"{folder} has corpus format {version}, this motionloom ({__version__}) reads format {FORMAT_VERSION}; " + (
        "update motionloom to use it" if newer else "import the recordings into a new corpus"
    )


def insert_take(db: sqlite3.Connection, packed: PackedTake, stored: Mapping[str, StoredArray]) -> None:
    """Insert the row of a take whose arrays are stored already, and that of its curves if it has any."""
    insert_skeleton(db, packed.skeleton)
    values = take_values(packed, stored["frames"])
    row = db.execute(
        f"INSERT INTO takes ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values())
    )
    if packed.curves is not None:
        insert_curves(db, int(row.lastrowid or 0), *describe_curves(packed.curves), stored["curves"])


def insert_curves(db: sqlite3.Connection, take: int, content: str, digest: str, rows: StoredArray) -> None:
    """Insert the row of the curves beside a take, whose array is stored already."""
    db.execute("INSERT INTO curves VALUES (?, ?, ?, ?, ?)", [take, digest, content, rows.file, rows.crc])


def insert_skeleton(db: sqlite3.Connection, skeleton: Skeleton | None) -> None:
    """Insert the row of a skeleton, or overwrite the one with the same digest, which may be damaged."""
    if skeleton is not None:
        row = (skeleton.digest, skeleton.hierarchy_digest, serialization.skeleton_to_json(skeleton))
        db.execute("INSERT INTO skeletons VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET content = excluded.content", row)


def take_values(packed: PackedTake, frames: StoredArray) -> dict[str, Any]:
    """The row of a take, by column."""
    return {
        "name": packed.name,
        "kind": packed.kind,
        "n_frames": len(packed.frames),
        "fps": packed.fps,
        "floor_height": packed.floor_height,
        "floor_given": packed.floor_given,
        "skeleton": packed.skeleton.digest if packed.skeleton is not None else None,
        "point_names": json.dumps(packed.point_names) if packed.point_names is not None else None,
        "digest": packed.digest,
        "source": serialization.source_to_json(packed.source),
        "findings": serialization.findings_to_json(packed.findings),
        "file": frames.file,
        "crc": frames.crc,
        "added": now(),
        "code_version": __version__,
    }


def files_in_use(db: sqlite3.Connection) -> set[str]:
    """The names of all array files that rows refer to, those of removed takes included."""
    tables = ("takes", "layers", "model_arrays", "curves")
    return {file for (file,) in db.execute(" UNION ".join(f"SELECT file FROM {table}" for table in tables))}


def delete_unused(db: Connection, arrays: Path, files: Iterable[str]) -> None:
    """Delete those of some array files that no row refers to any more; inside a transaction, once it is committed.

    The transaction keeps other writers out meanwhile. Processes that have memory-mapped an array can still read it.
    """
    if not files:
        return
    if db.in_transaction:
        db.after_commit.append(lambda: delete_unused(db, arrays, files))
        return
    with transaction(db):
        for file in set(files) - files_in_use(db):
            array_files.discard(arrays / file)


@contextmanager
def storing_arrays(db: Connection, folder: Path, arrays: Mapping[str, np.ndarray]) -> Iterator[dict[str, StoredArray]]:
    """Write array files, for rows that the block inserts; the files are deleted again if that fails."""
    stored: dict[str, StoredArray] = {}
    try:
        for name, array in arrays.items():
            stored[name] = array_files.write_array(folder, array)
        yield stored
    except BaseException:
        with suppress(CorpusError, OSError):
            delete_unused(db, folder, [array.file for array in stored.values()])
        raise


def info_of(row: tuple) -> TakeInfo:
    """A row of `INFOS` as a record; a source or findings that cannot be read are reported as a finding."""
    (
        name,
        kind,
        n_frames,
        fps,
        floor,
        floor_given,
        skeleton,
        hierarchy,
        digest,
        source,
        findings,
        curves,
        removed,
        why,
        ground,
    ) = row
    _check_row(name, kind, n_frames, fps, floor)
    found, lost = serialization.read_findings(findings)
    origin, source_lost = serialization.read_source(source, fps)
    return TakeInfo(
        name=name,
        kind=kind,
        n_frames=n_frames,
        fps=fps,
        floor_height=floor,
        floor_given=bool(floor_given),
        skeleton=skeleton,
        hierarchy=hierarchy,
        digest=digest,
        source=origin,
        findings=found + lost + source_lost,
        removed=removed,
        is_damaged=removed is not None and why != ASKED,
        ground=None if ground is None else str(ground),
        curves=None if curves is None else str(curves),
    )


def _check_row(name: Any, kind: Any, n_frames: Any, fps: Any, floor: Any) -> None:
    """Raise unless the values of a take have valid types and ranges."""
    wrong = [
        what
        for what, is_right in (
            ("name", isinstance(name, str) and serialization.is_text(name)),
            ("kind", kind in ("body", "points")),
            ("number of frames", isinstance(n_frames, int) and n_frames > 0),
            ("rate", isinstance(fps, float) and 0 < fps < math.inf),
            ("floor", isinstance(floor, float) and math.isfinite(floor)),
        )
        if not is_right
    ]
    if wrong:
        raise CorpusError(
            f"take '{serialization.shorten(name)}': its {' and '.join(wrong)} in the catalogue cannot be right"
        )


def now() -> str:
    """The current time as ISO 8601 text, UTC."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def stored(row: tuple[str, int]) -> StoredArray:
    return StoredArray(row[0], row[1])
