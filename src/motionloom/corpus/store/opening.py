"""Opening the catalogue with the lock that its process holds."""

from pathlib import Path

from motionloom.corpus.store import array_files, catalogue, reserve
from motionloom.corpus.store.connection import Connection
from motionloom.corpus.store.write_lock import LentLock, WriteLock
from motionloom.errors import CorpusError


def open_locked(folder: Path, lock: WriteLock | LentLock | None) -> Connection:
    """Open the catalogue of a corpus, for writing if there is a lock; its holder may use the reserve on a full disk."""
    if lock is None:
        return catalogue.open_catalogue(folder, write=False)
    try:
        (folder / array_files.FOLDER).mkdir(exist_ok=True)  # copies and archives may leave empty folders out
    except OSError as error:
        raise CorpusError(f"{folder}: is not writable ({error.strerror}); open it for reading") from error
    if isinstance(lock, LentLock):
        return catalogue.open_catalogue(folder, write=True)
    return reserve.with_reserve(folder, lambda: catalogue.open_catalogue(folder, write=True))
