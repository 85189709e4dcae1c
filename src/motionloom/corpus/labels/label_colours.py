"""Colours of labels: every label has a number of the palette that is decided once and stays with it in its corpus.

Numbers are given in the order in which labels come up and stored in the catalogue; none is ever changed or taken back,
so that a label that is added, removed or renamed changes no other. A corpus that is open for reading only stores
nothing: what is not decided there yet follows from its rows, in the same order in which it would be decided.
"""

import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from motionloom.corpus.labels.annotations import check_word, remember, remembered
from motionloom.corpus.store.catalogue import transaction
from motionloom.errors import BadInput, CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

REMEMBERED = "label colours"
TABLES = ("labels", "listed", "verified", "proposals", "classified")  # in which labels come up
MOST = 5000  # labels whose numbers are stored; others get one by their name


def label_colours(corpus: "Corpus", labels: Iterable[str] = ()) -> dict[str, int]:
    """The number of every label, at least of those of the corpus; pages take it modulo the size of their palette.

    Args:
        corpus: whose labels; if it is open for writing, numbers that are new are stored in it.
        labels: further words that need a number, such as those of a vocabulary that nothing was labelled with yet.
    """
    words = tuple(dict.fromkeys(labels))
    numbers = _decide_all(corpus, words)
    if corpus.can_write and numbers != _read(corpus):
        with suppress(CorpusError), transaction(corpus.connection):  # on a full disk they are stored another time
            numbers = _decide_all(corpus, words)
            remember(corpus, REMEMBERED, numbers)
    return numbers | {word: _number_by_name(word) for word in words if word not in numbers}


def keep_colour(corpus: "Corpus", old: str, new: str) -> None:
    """Give a renamed label the number of its old name, unless it has one of its own from before."""
    numbers = label_colours(corpus)
    if old in numbers and new not in numbers:
        remember(corpus, REMEMBERED, numbers | {new: numbers[old]})


def _decide_all(corpus: "Corpus", words: Iterable[str]) -> dict[str, int]:
    """The numbers that are stored, then those of labels in rows; of further words only if they can be stored."""
    numbers = _read(corpus)
    further = (word for word in words if _is_word(word)) if corpus.can_write else ()
    for label in (*_labels_in_rows(corpus), *further):
        if label not in numbers and len(numbers) < MOST:
            numbers[label] = max(numbers.values(), default=-1) + 1
    return numbers


def _read(corpus: "Corpus") -> dict[str, int]:
    kept = remembered(corpus, REMEMBERED)
    rows = kept.items() if isinstance(kept, dict) else ()
    return {label: number for label, number in rows if type(number) is int and number >= 0}


def _labels_in_rows(corpus: "Corpus") -> list[str]:
    """All labels of the catalogue, those of removed takes too: those that people gave first, in the order of rows."""
    found: dict[str, None] = {}
    for table in TABLES:
        query = f"SELECT label FROM {table} GROUP BY label ORDER BY MIN(rowid)"
        found |= {label: None for (label,) in corpus.connection.execute(query)}
    return list(found)


def _number_by_name(label: str) -> int:
    return zlib.crc32(label.encode("utf-8", "surrogatepass"))


def _is_word(label: str) -> bool:
    try:
        check_word(label, "label")
    except BadInput:
        return False
    return True
