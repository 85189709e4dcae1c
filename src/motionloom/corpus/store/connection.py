"""SQLite connections to the catalogue; their errors are `CorpusError`s that name the file."""

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from motionloom.corpus.store.array_files import recovery_advice
from motionloom.corpus.store.serialization import shorten
from motionloom.errors import CorpusError

_DISK = {
    sqlite3.SQLITE_FULL: "cannot be written",
    sqlite3.SQLITE_READONLY: "cannot be written",
    sqlite3.SQLITE_IOERR: "cannot be read or written",
}
INDEX = 32768  # bytes of the index of a log, at least
State = tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class CatalogueDamaged(CorpusError):
    """The SQLite file of the catalogue is corrupt."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = shorten(reason)
        super().__init__(f"{path} is damaged ({self.reason}); {recovery_advice(path.parent)}")

    def __reduce__(self) -> tuple[type, tuple[Path, str]]:
        return type(self), (self.path, self.reason)  # to be pickled by worker processes


class NotACatalogue(CorpusError):
    """A file in the place of the catalogue that is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path} is not the catalogue of a corpus; was it replaced by another file?")

    def __reduce__(self) -> tuple[type, tuple[Path]]:
        return type(self), (self.path,)


class NoSpace(CorpusError):
    """The catalogue cannot be written, most likely because the disk is full."""


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
    is_following: bool = False  # the log of another user's process, which is read and cannot be written
    copied: State | None = None  # of the file that it is a copy of; None for a connection to the file itself

    @property
    def is_outdated(self) -> bool:
        """Whether it is a copy of a file that a process has opened or changed since."""
        if self.copied is None:
            return False
        return is_open(self.path) or file_state(self.path) != self.copied

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        with _translating_errors(self):
            return self.cursor(Cursor).execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        with _translating_errors(self):
            return self.cursor(Cursor).executemany(*arguments)


def connect(path: Path | None, mode: str) -> Connection:
    """Connect to an SQLite file; mode as in its URIs: ro, rw, rwc, and memory without a file."""
    address = ":memory:" if path is None else f"{path.resolve().as_uri()}?mode={mode}"
    try:
        connection = sqlite3.connect(
            address,
            uri=path is not None,
            timeout=30.0,  # seconds
            isolation_level=None,  # autocommit: transactions begin and end explicitly
            check_same_thread=False,
            factory=Connection,
        )
    except sqlite3.Error as error:
        raise CorpusError(f"{path} cannot be opened ({error})") from error
    connection.path = path or Path(address)
    connection.after_commit = []
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # damaged text must not fail the whole query
    return connection


def log_of(path: Path) -> tuple[Path, Path]:
    """The files of the write-ahead log of an SQLite file: the log and its index."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def is_open(path: Path) -> bool:
    """Whether an SQLite file has a log with an index, so that a process has it open or was killed."""
    log, index = log_of(path)
    try:
        return log.exists() and index.stat().st_size >= INDEX  # less if the disk was full
    except OSError:
        return False


def owner_writes(path: Path) -> str:
    """Why a catalogue cannot be read now by a user who may not write to it."""
    return f"{path.parent} cannot be read at this moment: the owner is writing to it; try again"


def file_state(path: Path) -> State:
    """Inode, size and time of the last change of an SQLite file and of its log."""
    return _stat(path), _stat(log_of(path)[0])


def _stat(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


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
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()  # sets a mark without which others cannot read
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
        if connection.is_following and kind == sqlite3.SQLITE_READONLY:
            raise CorpusError(owner_writes(connection.path)) from error
        if kind in _DISK:
            refused = CorpusError if kind == sqlite3.SQLITE_READONLY else NoSpace
            raise refused(f"{connection.path} {_DISK[kind]} ({error}); is the disk full?") from error
        if kind in _IN_USE:
            raise CorpusError(f"{connection.path} is in use by another program ({error}); try again") from error
        if kind == sqlite3.SQLITE_NOTADB:
            raise NotACatalogue(connection.path) from error
        if kind == sqlite3.SQLITE_CANTOPEN:
            raise CorpusError(
                f"{connection.path} cannot be opened ({_why_not_opened(connection.path, error)})"
            ) from error
        raise CatalogueDamaged(connection.path, str(error)) from error


def _why_not_opened(path: Path, error: sqlite3.Error) -> object:
    """The reason that SQLite does not give: permissions, or too many open files."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as reason:
        return reason.strerror
    return error if os.access(path, os.R_OK) else os.strerror(errno.EACCES)
