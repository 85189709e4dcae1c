"""The write lock: only its holder changes a corpus. It is released when the holder ends, however it ends."""

import contextlib
import os
from pathlib import Path
from types import TracebackType

from motionloom.errors import CorpusBusy, CorpusError

LOCK_FILE = "write.lock"


class WriteLock:
    """Holds the write lock of a corpus folder from construction to `release`."""

    def __init__(self, folder: Path) -> None:
        import fcntl

        self.path = folder / LOCK_FILE
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise CorpusError(
                f"{folder}: cannot be written ({error.strerror}); open it for reading, or copy it"
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise CorpusBusy(
                f"{folder}: process {_holder(self.path)} is writing to this corpus; wait until it is done"
            ) from error
        with contextlib.suppress(OSError):  # on a full disk it is not known who writes, but room can be made
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others write."""
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
    """The write lock of a corpus folder, as a worker of the process that holds it has it."""

    def __init__(self, folder: Path) -> None:
        if not is_held(folder):
            raise CorpusError(
                f"{folder}: nobody holds its write lock, so it cannot be lent; open it for writing instead"
            )

    def release(self) -> None:
        """The holder keeps it."""


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


def _holder(path: Path) -> str:
    try:
        pid = path.read_text().strip()
    except OSError:
        return "(unknown)"
    return f"{pid} (this one)" if pid == str(os.getpid()) else pid or "(unknown)"
