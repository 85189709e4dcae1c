"""SQLite connections to the catalogue; their errors are `CorpusError`s that name the file."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
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
    """The SQLite file of the catalogue is corrupt."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = shorten(reason)
        super().__init__(f"{path} is damaged ({self.reason}); restore it from a copy of the corpus")

    def __reduce__(self) -> tuple[type, tuple[Path, str]]:
        return type(self), (self.path, self.reason)  # to be pickled by worker processes


class Cursor(sqlite3.Cursor):
    """A cursor that raises `CorpusError`s: a corrupt file may show only while rows are fetched."""

    def fetchone(self) -> Any:
        with _translating_errors(self.connection):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _translating_errors(self.connection):
            return super().fetchall()

    def __next__(self) -> Any:
        with _translating_errors(self.connection):
            return super().__next__()


class Connection(sqlite3.Connection):
    """A connection that raises `CorpusError`s."""

    path: Path
    owner: int | None = None  # the thread that has begun a transaction
    after_commit: list[Callable[[], None]]  # what is done once the transaction under way is committed

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        with _translating_errors(self):
            return self.cursor(Cursor).execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        with _translating_errors(self):
            return self.cursor(Cursor).executemany(*arguments)


def connect(path: Path, mode: str) -> Connection:
    """Connect to an SQLite file; mode as in its URIs: ro, rw, rwc."""
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}",
            uri=True,
            timeout=30.0,  # seconds
            isolation_level=None,  # autocommit: transactions begin and end explicitly
            check_same_thread=False,
            factory=Connection,
        )
    except sqlite3.Error as error:
        raise CorpusError(f"{path} cannot be opened ({error})") from error
    connection.path = path
    connection.after_commit = []
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # damaged text must not fail the whole query
    return connection


def connect_existing(path: Path, write: bool) -> Connection:
    """Connect to the catalogue of a corpus, also on a read-only file system."""
    if write or os.access(path.parent, os.W_OK):
        return connect(path, "rw" if write else "ro")
    # A write-ahead log needs a writable folder; there can be no writer here, so the file is read without a log.
    log = path.with_name(f"{path.name}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    if has_log and not path.with_name(f"{path.name}-shm").exists():
        raise CorpusError(
            f"{path.parent} has changes in its write-ahead log ({log.name}) and the folder is not writable; "
            "copy it to a writable place and open it there"
        )
    return connect(path, "ro" if has_log else "ro&immutable=1")


@contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """Commit at the end of the block, roll back on any exception.

    Inside a transaction of the same thread the block is a part of it: it is committed with the whole, or not at all.
    """
    if connection.owner == threading.get_ident():
        with _savepoint(connection):
            yield connection
        return
    connection.execute("BEGIN IMMEDIATE")
    connection.owner = threading.get_ident()
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        connection.after_commit.clear()
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.owner = None
    pending, connection.after_commit = connection.after_commit, []
    for act in pending:
        act()


@contextmanager
def _savepoint(connection: Connection) -> Iterator[None]:
    connection.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")
        raise
    connection.execute("RELEASE part")


@contextmanager
def _translating_errors(connection: sqlite3.Connection) -> Iterator[None]:
    assert isinstance(connection, Connection)
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's message quotes bytes of the file that are not UTF-8
        raise CatalogueDamaged(connection.path, "its schema is not text") from error
    except sqlite3.DatabaseError as error:
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte of an extended code
        if kind in _DISK:
            raise CorpusError(f"{connection.path} {_DISK[kind]} ({error}); is the disk full?") from error
        if kind in _IN_USE:
            raise CorpusError(f"{connection.path} is in use by another program ({error}); try again") from error
        if kind == sqlite3.SQLITE_CANTOPEN:
            raise CorpusError(f"{connection.path} cannot be opened ({error})") from error
        raise CatalogueDamaged(connection.path, str(error)) from error
