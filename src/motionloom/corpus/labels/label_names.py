"""Names of labels, and renaming one in all takes."""

from typing import TYPE_CHECKING

from motionloom.corpus.labels.annotations import check_word
from motionloom.corpus.labels.label_colours import TABLES, keep_colour
from motionloom.corpus.store.catalogue import transaction
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def label_names(corpus: "Corpus") -> list[str]:
    """The names of all labels of the corpus, sorted."""
    rows = corpus.connection.execute(
        "SELECT DISTINCT label FROM labels JOIN takes ON takes.id = labels.take WHERE removed IS NULL ORDER BY label"
    )
    return [label for (label,) in rows]


def rename_label(corpus: "Corpus", old: str, new: str) -> int:
    """Rename a label in all takes, removed ones too; returns how many labels of people were renamed.

    Raises if `new` is in use: two labels that are merged could not be separated again.
    """
    corpus.require_writing()
    check_word(new, "label")
    with transaction(corpus.connection) as db:
        used = [table for table in TABLES if db.execute(f"SELECT 1 FROM {table} WHERE label = ?", [new]).fetchone()]
        if used and new != old:
            raise BadInput(f"a label '{new}' exists already; choose another name")
        keep_colour(corpus, old, new)
        (count,) = db.execute("SELECT COUNT(*) FROM labels WHERE label = ?", [old]).fetchone()
        for table in TABLES:
            db.execute(f"UPDATE {table} SET label = ? WHERE label = ?", [new, old])
    return int(count)
