"""Reading a catalogue in a folder that this process cannot write to: SQLite cannot create the files of its log."""

import fcntl
import os
import sqlite3
import time
from pathlib import Path

from motionloom.corpus.store.connection import Connection, connect, file_state, is_open, log_of, owner_writes
from motionloom.corpus.store.write_ahead_log import apply_log, read_log
from motionloom.errors import CorpusError

PATIENCE = 5.0  # seconds that an owner may take to open or close the catalogue
PAUSE = 0.01  # seconds
_WAL, _ROLLBACK = b"\x02\x02", b"\x01\x01"  # bytes 18 and 19 of an SQLite file: its journal mode
_SHARED = 0x40000002, 510  # first byte and number of bytes that SQLite locks in the file to read it


def connect_read_only(path: Path) -> Connection:
    """Connect to a catalogue without writing anything beside it.

    While its owner has it open, the owner's log is there and is followed. Otherwise the file is copied into memory;
    `Connection.is_outdated` says that the owner has begun to write since.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        connection = _follow_log(path) if is_open(path) else _copy(path)
        if connection is not None:
            return connection
        if time.monotonic() > deadline:
            raise CorpusError(owner_writes(path))
        time.sleep(PAUSE)


def _follow_log(path: Path) -> Connection | None:
    """Connect by way of the log that another process keeps; None if it comes into being or goes at this moment."""
    connection = connect(path, "ro")
    connection.is_following = True
    try:
        sqlite3.Connection.execute(connection, "SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        return None
    except sqlite3.DatabaseError:
        pass  # damaged: the first query of the caller raises it in a sentence
    return connection


def _copy(path: Path) -> Connection | None:
    """Copy a catalogue that no process has open; None if one opens it meanwhile.

    The lock keeps a process that closes the catalogue from deleting its log, so a log that appears is noticed.
    """
    log = log_of(path)[0]
    try:
        with open(path, "rb") as file:
            if not _lock(file.fileno()):
                return None
            state = file_state(path)
            content = file.read()
            changes = log.read_bytes() if log.exists() else b""
            if is_open(path) or file_state(path) != state:
                return None
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror})") from error
    connection = _in_memory(path, apply_log(content, read_log(changes)))  # of a process that was killed
    connection.copied = state
    return connection


def _lock(file: int) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, _SHARED[1], _SHARED[0])
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: `file_state` notices changes
        return True
    return True


def _in_memory(path: Path, content: bytes) -> Connection:
    """A connection to the content of a catalogue; it need not be valid."""
    connection = connect(None, "memory")
    connection.path = path
    if content[18:20] == _WAL:  # there is no log in memory
        content = content[:18] + _ROLLBACK + content[20:]
    if content:
        connection.deserialize(content)
    return connection


def can_create_files(path: Path) -> bool:
    """Whether this process may create the files of the log beside a catalogue, owned as its owner's would be."""
    return os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)
