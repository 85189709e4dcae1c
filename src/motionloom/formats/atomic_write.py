"""Atomic writing of files: a file is the old one or the new one, whole, whatever happens in between.

A file is written to a temporary name beside it, synced, renamed, and then its folder is synced: what was reported as
written survives a power cut.
"""

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from motionloom.errors import BadInput

TEMPORARY = re.compile(r"\..*\.[0-9a-f]{12}\.part(\..*)?")  # names of temporary files
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP)  # of file systems that sync folders by themselves


def replace_file(path: str | Path, content: bytes) -> None:
    """Write a file atomically; raises `BadInput`, and leaves what was there, where it cannot be written."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path with the same ending; what is written there becomes the file when the block ends well."""
    path = Path(path)
    temporary = path.with_name(f".{path.stem[:40]}.{secrets.token_hex(6)}.part{path.suffix[:20]}")
    try:
        yield temporary
        sync_file(temporary)
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise BadInput(f"{path} cannot be written ({error.strerror or error}); {_advice(error)}") from None
        raise
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise BadInput(f"{path} may not survive a power cut ({error.strerror or error}); write it again") from None


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if they are not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be made ({error.strerror or error}); {_advice(error)}") from None


def sync_file(path: Path) -> None:
    """Sync the content of a file to disk."""
    _sync(path)


def sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to disk, so that new and renamed files survive a power cut."""
    try:
        _sync(folder)
    except OSError as error:
        if error.errno not in NO_FOLDER_SYNC:
            raise


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _advice(error: OSError) -> str:
    if error.errno in NO_ROOM:
        return "is the disk full? What was there before is unchanged"
    return "does the folder exist, and is it writable?"
