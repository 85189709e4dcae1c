"""Connections to the catalogue whose errors are sentences that name the file."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from motionloom.corpus.store.serialization import shorten
from motionloom.errors import CorpusError

_DISK = {
    sqlite3.SQLITE_FULL: "cannot be written",
    sqlite3.SQLITE_READONLY: "cannot be written",
    sqlite3.SQLITE_IOERR: "cannot be read or written",
}
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class CatalogueDamaged(CorpusError):
    """The catalogue cannot be read as a whole."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = shorten(reason)
        super().__init__(f"{path} is damaged ({self.reason}); restore it from a copy of the corpus")

    def __reduce__(self) -> tuple[type, tuple[Path, str]]:
        return type(self), (self.path, self.reason)  # so that a worker process can send it home


class Cursor(sqlite3.Cursor):
    """A cursor whose errors are ours: a damaged file may show only while rows are read."""

    def fetchone(self) -> Any:
        with _in_words(self.connection):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _in_words(self.connection):
            return super().fetchall()

    def __next__(self) -> Any:
        with _in_words(self.connection):
            return super().__next__()


class Connection(sqlite3.Connection):
    """A connection whose errors are ours."""

    path: Path

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        with _in_words(self):
            return self.cursor(Cursor).execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        with _in_words(self):
            return self.cursor(Cursor).executemany(*arguments)


def connect(path: Path, mode: str) -> Connection:
    """Connect to an SQLite file; mode as in its URIs: ro, rw, rwc."""
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}",
            uri=True,
            timeout=30.0,  # seconds
            isolation_level=None,  # transactions are said, not guessed
            check_same_thread=False,
            factory=Connection,
        )
    except sqlite3.Error as error:
        raise CorpusError(f"{path} cannot be opened ({error})") from error
    connection.path = path
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # damaged text faults its take, not the query
    return connection


def connect_existing(path: Path, write: bool) -> Connection:
    """Connect to the catalogue of a corpus, on a disk that cannot be written too."""
    if write or os.access(path.parent, os.W_OK):
        return connect(path, "rw" if write else "ro")
    # A log needs a folder that can be written; there is no writer here, so the file is read without one.
    log = path.with_name(f"{path.name}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    if has_log and not path.with_name(f"{path.name}-shm").exists():
        raise CorpusError(
            f"{path.parent} has changes that are still in its log ({log.name}), and it cannot be written here; "
            "copy the folder to a place that can be written and open it there"
        )
    return connect(path, "ro" if has_log else "ro&immutable=1")


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


@contextmanager
def _in_words(connection: sqlite3.Connection) -> Iterator[None]:
    assert isinstance(connection, Connection)
    try:
        yield
    except UnicodeDecodeError as error:  # it quotes bytes of the file that are no text
        raise CatalogueDamaged(connection.path, "its description of the tables is no text") from error
    except sqlite3.DatabaseError as error:
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte of an extended code
        if kind in _DISK:
            raise CorpusError(f"{connection.path} {_DISK[kind]} ({error}); is the disk full?") from error
        if kind in _IN_USE:
            raise CorpusError(f"{connection.path} is in use by another program ({error}); try again") from error
        if kind == sqlite3.SQLITE_CANTOPEN:
            raise CorpusError(f"{connection.path} cannot be opened ({error})") from error
        raise CatalogueDamaged(connection.path, str(error)) from error
