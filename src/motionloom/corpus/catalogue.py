"""The catalogue: one SQLite file with everything about a corpus but the arrays."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from motionloom import __version__
from motionloom.corpus.packing import PackedTake
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import StoredArray
from motionloom.errors import CorpusError
from motionloom.formats.take import Finding, Source
from motionloom.motion import Skeleton

FILE = "catalogue.sqlite"
APPLICATION = 0x6D6C6F6F  # marks the file as ours
FORMAT_VERSION = 1

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

INFO_COLUMNS = """takes.name, takes.kind, takes.n_frames, takes.fps, takes.floor_height, takes.floor_given,
    takes.skeleton, skeletons.hierarchy, takes.digest, takes.source, takes.findings, takes.removed"""
INFOS = f"SELECT {INFO_COLUMNS} FROM takes LEFT JOIN skeletons ON skeletons.digest = takes.skeleton"


def create_catalogue(folder: Path) -> None:
    """Write an empty catalogue; it appears under its name only when it is complete."""
    temporary = folder / f"{FILE}.{os.getpid()}.new"
    connection = sqlite3.connect(temporary, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
    connection.execute("INSERT INTO about VALUES ('made_by', ?)", [f"motionloom {__version__}"])
    connection.close()  # the last connection moves the log into the file
    with open(temporary, "rb+") as file:
        os.fsync(file.fileno())
    os.replace(temporary, folder / FILE)


def open_catalogue(folder: Path, write: bool) -> sqlite3.Connection:
    """Connect to the catalogue of a corpus, or say why it is none that can be used."""
    path = folder / FILE
    if not path.is_file():
        raise CorpusError(f"{folder} is not a corpus (it has no {FILE}); `motionloom new {folder}` makes one")
    _check_header(path)
    connection = _connect(path, write)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except CorpusError as error:
        connection.close()
        raise CorpusError(f"{path} cannot be read ({error}); restore it from a copy of the corpus") from error
    if version != FORMAT_VERSION:
        connection.close()
        newer = version > FORMAT_VERSION
        raise CorpusError(
            f"{folder} has corpus format {version}, this motionloom ({__version__}) reads format {FORMAT_VERSION}; "
            + ("update motionloom to use it" if newer else "import the recordings into a new corpus")
        )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _check_header(path: Path) -> None:
    with open(path, "rb") as file:
        header = file.read(100)
    is_ours = header.startswith(b"SQLite format 3\0") and header[68:72] == APPLICATION.to_bytes(4, "big")
    if not is_ours:
        raise CorpusError(f"{path} is not the catalogue of a corpus; was another file put in its place?")


def _connect(path: Path, write: bool) -> sqlite3.Connection:
    # A log needs a folder that can be written; a corpus on a read-only disk has no writer, so it is read without one.
    has_log = path.with_name(f"{path.name}-wal").exists()
    alone = not write and not has_log and not os.access(path.parent, os.W_OK)
    mode = "rw" if write else ("ro&immutable=1" if alone else "ro")
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=30.0,  # seconds
        isolation_level=None,  # transactions are said, not guessed
        check_same_thread=False,
        factory=Connection,
    )


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise CorpusError(f"the catalogue of the corpus cannot be used ({error}); run `motionloom check`") from error


class Cursor(sqlite3.Cursor):
    """A cursor whose errors are ours: a damaged file may show only while rows are read."""

    def fetchone(self) -> Any:
        with _in_words():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _in_words():
            return super().fetchall()

    def __next__(self) -> Any:
        with _in_words():
            return super().__next__()


class Connection(sqlite3.Connection):
    """A connection whose errors are ours."""

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        with _in_words():
            return self.cursor(Cursor).execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        with _in_words():
            return self.cursor(Cursor).executemany(*arguments)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All or nothing, whatever ends it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def insert_take(db: sqlite3.Connection, packed: PackedTake, frames: StoredArray, now: str, code_version: str) -> None:
    """Write the rows of a take whose array is on the disk."""
    if packed.skeleton is not None:
        skeleton = packed.skeleton
        row = (skeleton.digest, skeleton.hierarchy_digest, skeleton_to_json(skeleton))
        db.execute("INSERT OR IGNORE INTO skeletons VALUES (?, ?, ?)", row)
    values = {
        "name": packed.name,
        "kind": packed.kind,
        "n_frames": len(packed.frames),
        "fps": packed.fps,
        "floor_height": packed.floor_height,
        "floor_given": packed.floor_given,
        "skeleton": packed.skeleton.digest if packed.skeleton is not None else None,
        "point_names": json.dumps(packed.point_names) if packed.point_names is not None else None,
        "digest": packed.digest,
        "source": source_to_json(packed.source),
        "findings": findings_to_json(packed.findings),
        "file": frames.file,
        "crc": frames.crc,
        "added": now,
        "code_version": code_version,
    }
    db.execute(
        f"INSERT INTO takes ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values())
    )


def files_in_use(db: sqlite3.Connection) -> set[str]:
    """The names of all arrays that some row, of a removed take too, refers to."""
    query = "SELECT file FROM takes UNION SELECT file FROM layers UNION SELECT file FROM model_arrays"
    return {file for (file,) in db.execute(query)}


def info_of(row: tuple) -> TakeInfo:
    """A row of `INFOS` as a record."""
    name, kind, n_frames, fps, floor, floor_given, skeleton, hierarchy, digest, source, findings, removed = row
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
        source=source_from_json(source),
        findings=tuple(Finding(**finding) for finding in json.loads(findings)),
        removed=removed,
    )


def stored(row: tuple[str, int]) -> StoredArray:
    return StoredArray(row[0], row[1])


def source_to_json(source: Source) -> str:
    return json.dumps(asdict(source))


def source_from_json(text: str) -> Source:
    content: dict[str, Any] = json.loads(text)
    content["rotation_orders"] = tuple(content["rotation_orders"])
    return Source(**content)


def findings_to_json(findings: tuple[Finding, ...]) -> str:
    return json.dumps([asdict(finding) for finding in findings])


def skeleton_to_json(skeleton: Skeleton) -> str:
    """A skeleton as text; numbers keep every bit."""
    return json.dumps(
        {
            "name": skeleton.name,
            "names": skeleton.names,
            "parents": skeleton.parents.tolist(),
            "offsets": skeleton.offsets.tolist(),
            "end_parents": skeleton.end_parents.tolist(),
            "end_offsets": skeleton.end_offsets.tolist(),
            "roles": dict(skeleton.roles),
        }
    )


def skeleton_from_json(text: str) -> Skeleton:
    content = json.loads(text)
    return Skeleton(
        names=tuple(content["names"]),
        parents=np.array(content["parents"], int),
        offsets=np.array(content["offsets"], float).reshape(-1, 3),
        end_parents=np.array(content["end_parents"], int),
        end_offsets=np.array(content["end_offsets"], float).reshape(-1, 3),
        roles=content["roles"],
        name=content["name"],
    )
