"""Renaming a label: everything that people and machines said with one word is said with another."""

from typing import TYPE_CHECKING

from motionloom.corpus.labels.annotations import check_word
from motionloom.corpus.store.catalogue import transaction
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

TABLES = ("labels", "listed", "verified", "proposals", "classified")


def rename_label(corpus: "Corpus", old: str, new: str) -> int:
    """Say `new` wherever `old` was said, in removed takes too; returns how many labels of people it was.

    Refused where `new` is used already: two words that became one could not be told apart again.
    """
    corpus.require_writing()
    check_word(new, "label")
    with transaction(corpus.connection) as db:
        used = [table for table in TABLES if db.execute(f"SELECT 1 FROM {table} WHERE label = ?", [new]).fetchone()]
        if used and new != old:
            raise BadInput(f"there is a label '{new}' already; choose another word")
        (count,) = db.execute("SELECT COUNT(*) FROM labels WHERE label = ?", [old]).fetchone()
        for table in TABLES:
            db.execute(f"UPDATE {table} SET label = ? WHERE label = ?", [new, old])
    return int(count)
