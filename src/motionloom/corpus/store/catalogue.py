"""The catalogue: one SQLite file with the metadata of a corpus; arrays are in files beside it."""

import json
import math
import os
import shlex
import sqlite3
import stat
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from motionloom import __version__
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import serialization
from motionloom.corpus.store.array_files import FOLDER as ARRAYS
from motionloom.corpus.store.array_files import StoredArray
from motionloom.corpus.store.connection import Connection, NotACatalogue, connect, transaction
from motionloom.corpus.store.packed_take import PackedTake
from motionloom.corpus.store.read_only import can_create_files, connect_read_only
from motionloom.errors import CorpusError
from motionloom.formats.atomic_write import sync_folder
from motionloom.motion import Skeleton

__all__ = [
    "FILE",
    "create_catalogue",
    "delete_unused",
    "files_in_use",
    "info_of",
    "insert_take",
    "make_folder",
    "now",
    "open_catalogue",
    "transaction",
]

FILE = "catalogue.sqlite"
APPLICATION = 0x6D6C6F6F  # SQLite application_id of our files
FORMAT_VERSION = 3
OLDEST_VERSION = 1  # that can be read; it is upgraded when it is opened for writing
ASKED = "asked"  # removed_because of a take that a person removed; else it is damaged

SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE skeletons (digest TEXT PRIMARY KEY, hierarchy TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE takes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('body', 'points')),
    n_frames INTEGER NOT NULL,
    fps REAL NOT NULL,
    floor_height REAL NOT NULL,
    floor_given INTEGER NOT NULL,
    skeleton TEXT REFERENCES skeletons (digest),
    point_names TEXT,
    digest TEXT NOT NULL,
    source TEXT NOT NULL,
    findings TEXT NOT NULL,
    file TEXT NOT NULL,
    crc INTEGER NOT NULL,
    added TEXT NOT NULL,
    code_version TEXT NOT NULL,
    removed TEXT,
    removed_because TEXT
);
CREATE UNIQUE INDEX take_names ON takes (name) WHERE removed IS NULL;
CREATE UNIQUE INDEX take_contents ON takes (digest) WHERE removed IS NULL;
CREATE TABLE labels (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, source TEXT NOT NULL,
    UNIQUE (take, label, start, stop, source)
);
CREATE TABLE contacts (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    point TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, source TEXT NOT NULL,
    UNIQUE (take, point, start, stop, source)
);
CREATE TABLE events (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL, frame INTEGER NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL,
    UNIQUE (take, kind, frame, source, data)
);
CREATE TABLE layers (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    layer TEXT NOT NULL, key TEXT NOT NULL, made_with TEXT NOT NULL, code_version TEXT NOT NULL,
    take_digest TEXT NOT NULL,
    file TEXT NOT NULL, crc INTEGER NOT NULL, made TEXT NOT NULL,
    UNIQUE (take, layer)
);
CREATE TABLE models (
    kind TEXT NOT NULL, key TEXT NOT NULL, settings TEXT NOT NULL, code_version TEXT NOT NULL, takes TEXT NOT NULL,
    made TEXT NOT NULL, PRIMARY KEY (kind, key)
);
CREATE TABLE model_arrays (
    kind TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (kind, key, name), FOREIGN KEY (kind, key) REFERENCES models (kind, key) ON DELETE CASCADE
);
CREATE TABLE set_aside (what TEXT NOT NULL, content TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL);
"""
# Tables that each format version adds. Rows of `proposals` and `classified` inside verified frames are the classifier's
# output before a person verified them. `listed` has the labels of takes for which a full list of labels was given.
ADDED = {
    2: """
CREATE TABLE verified (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    UNIQUE (take, label, start, stop)
);
CREATE TABLE proposals (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, confidence REAL NOT NULL,
    UNIQUE (take, label, start, stop)
);
CREATE TABLE classified (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    model TEXT NOT NULL, code_version TEXT NOT NULL, made TEXT NOT NULL,
    UNIQUE (take, label, start, stop)
);
""",
    3: """
CREATE TABLE listed (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    UNIQUE (take, label)
);
INSERT INTO listed SELECT DISTINCT take, label FROM labels;
""",
}

_WITH_TAKE = " REFERENCES takes (id) ON DELETE CASCADE"
INFO_COLUMNS = """takes.name, takes.kind, takes.n_frames, takes.fps, takes.floor_height, takes.floor_given,
    takes.skeleton, skeletons.hierarchy, takes.digest, takes.source, takes.findings, takes.removed,
    takes.removed_because"""
INFOS = f"SELECT {INFO_COLUMNS} FROM takes LEFT JOIN skeletons ON skeletons.digest = takes.skeleton"


def make_folder(folder: Path) -> None:
    """Create the folder of an empty corpus; it is deleted again if it cannot be completed."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        is_corpus = (folder / FILE).exists()
        what = "already a corpus" if is_corpus else "not empty" if folder.is_dir() else "a file"
        raise CorpusError(f"{folder} is {what}; give a folder that does not exist yet")
    is_new = not folder.exists()
    try:
        (folder / ARRAYS).mkdir(parents=True, exist_ok=True)
        create_catalogue(folder)
        sync_folder(folder)
    except (OSError, CorpusError) as error:
        for made in [folder / ARRAYS, *([folder] if is_new else [])]:
            with suppress(OSError):
                made.rmdir()
        reason = error.strerror if isinstance(error, OSError) else error
        raise CorpusError(f"{folder}: cannot create a corpus here ({reason})") from error


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


def write_schema(connection: sqlite3.Connection) -> None:
    """Make an empty SQLite file a catalogue without rows."""
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    for schema in (SCHEMA, *ADDED.values()):
        _execute_all(connection, schema)


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
    return connect(path, "ro") if can_create_files(path) else connect_read_only(path)


def _upgrade(connection: Connection, version: int, write: bool) -> None:
    """Add the tables that an older catalogue lacks: to the file if open for writing, else as temporary tables."""
    missing = [schema for number, schema in sorted(ADDED.items()) if number > version]
    if not missing:
        return
    if not write:
        connection.execute("PRAGMA temp_store = MEMORY")
        for schema in missing:
            temporary = schema.replace("CREATE TABLE", "CREATE TEMP TABLE").replace(_WITH_TAKE, "")  # no foreign keys
            _execute_all(connection, temporary)
        return
    with transaction(connection):
        for schema in missing:
            _execute_all(connection, schema)
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def _execute_all(connection: sqlite3.Connection, schema: str) -> None:
    for statement in schema.split(";\n"):
        connection.execute(statement)


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


def insert_take(db: sqlite3.Connection, packed: PackedTake, frames: StoredArray) -> None:
    """Insert the row of a take whose array is stored already."""
    insert_skeleton(db, packed.skeleton)
    values = take_values(packed, frames)
    db.execute(
        f"INSERT INTO takes ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values())
    )


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
    query = "SELECT file FROM takes UNION SELECT file FROM layers UNION SELECT file FROM model_arrays"
    return {file for (file,) in db.execute(query)}


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
            (arrays / file).unlink(missing_ok=True)


def info_of(row: tuple) -> TakeInfo:
    """A row of `INFOS` as a record; a source or findings that cannot be read are reported as a finding."""
    name, kind, n_frames, fps, floor, floor_given, skeleton, hierarchy, digest, source, findings, removed, why = row
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
