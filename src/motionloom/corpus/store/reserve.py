"""A file that keeps some disk space, so that takes can be removed when the disk is full: that writes a little first."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from motionloom.corpus.store.connection import NoSpace

FILE = "reserve"
SIZE = 512 << 10  # bytes
_STEP = 4 << 10  # bytes

Result = TypeVar("Result")


def with_reserve(folder: Path, action: Callable[[], Result]) -> Result:
    """Run an action, again with the space of the reserve if there is too little; then the reserve is kept anew."""
    try:
        return action()
    except NoSpace:
        if not _release(folder):
            raise
        return action()
    finally:
        keep_reserve(folder)


def keep_reserve(folder: Path) -> None:
    """Allocate the reserve of a corpus, or as much of it as the disk has."""
    path = folder / FILE
    with suppress(OSError):
        if path.exists() and path.stat().st_size >= SIZE:
            return
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            disk = os.fstatvfs(file)
            size = os.fstat(file).st_size + disk.f_bavail * disk.f_frsize
            size = min(size, SIZE) // _STEP * _STEP
            while size > 0 and not _allocate(file, size):
                size -= _STEP
        finally:
            os.close(file)


def _release(folder: Path) -> bool:
    """Free the reserve of a corpus; returns whether there was one."""
    try:
        (folder / FILE).unlink()
    except OSError:
        return False
    return True


def _allocate(file: int, size: int) -> bool:
    if os.fstat(file).st_size >= size:
        return True
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file, 0, size)
        else:
            os.pwrite(file, os.urandom(size), 0)
            os.fsync(file)
    except OSError:
        return False
    return True
