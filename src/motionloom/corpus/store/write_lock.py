"""The write lock of a corpus, an advisory file lock: the operating system releases it when the holder ends."""

import contextlib
import os
import time
from pathlib import Path
from types import TracebackType

from motionloom.errors import CorpusBusy, CorpusError

LOCK_FILE = "write.lock"
TRIES = 20
PAUSE = 0.005  # seconds


class WriteLock:
    """Holds the write lock of a corpus folder from construction to `release`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK_FILE
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise CorpusError(
                f"{folder}: is not writable ({error.strerror}); open it for reading, or copy it to a writable place"
            ) from error
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            raise CorpusBusy(
                f"{folder}: process {_holder(self.path)} is writing to this corpus; wait until it is done"
            ) from error
        with contextlib.suppress(OSError):  # a full disk: the lock file lacks the process id, but takes can be removed
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Release the lock."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> "WriteLock":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class LentLock:
    """The write lock of a corpus folder as lent to a worker by the process that holds it."""

    def __init__(self, folder: Path) -> None:
        if not is_held(folder):
            raise CorpusError(
                f"{folder}: no process holds its write lock, so it cannot be lent; open it for writing instead"
            )

    def release(self) -> None:
        """Does nothing: the holder releases the lock."""


def is_held(folder: Path) -> bool:
    """Whether some process holds the write lock of a corpus folder."""
    import fcntl

    try:
        file = os.open(folder / LOCK_FILE, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def _lock(file: int) -> None:
    """Lock a file; again for a moment, because `is_held` of another process locks it for a moment too."""
    import fcntl

    for _ in range(TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(PAUSE)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(path: Path) -> str:
    try:
        pid = path.read_text().strip()
    except OSError:
        return "(unknown)"
    return f"{pid} (this one)" if pid == str(os.getpid()) else pid or "(unknown)"
