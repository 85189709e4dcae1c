"""How a desk opens the corpus that the server holds."""

from pathlib import Path

from motionloom.corpus import Corpus


def open_lent(folder: Path, can_write: bool) -> Corpus:
    """Open the corpus with the lock of the server, or for reading where the server may only read."""
    return Corpus.open(folder, write=can_write, lent=can_write)
