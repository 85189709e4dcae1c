"""Verified ranges of labels, which other changes of labels must not alter."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from motionloom.corpus.labels.frame_ranges import Range, cut_out, join_ranges, keep_inside
from motionloom.corpus.records import Label, Verified
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def read_verified(corpus: "Corpus", name: str | None) -> list[Verified]:
    """The verified ranges of a take, or of all takes."""
    found = verified_ranges(corpus, name)
    return [Verified(*pair, *frames) for pair, ranges in found.items() for frames in ranges]


def verified_ranges(corpus: "Corpus", name: str | None = None) -> dict[tuple[str, str], list[Range]]:
    """The verified ranges of a take, or of all takes, by take and label; they neither overlap nor touch."""
    query = """SELECT takes.name, label, start, stop FROM verified JOIN takes ON takes.id = verified.take
        WHERE removed IS NULL"""
    values: list[object] = []
    if name is not None:
        query, values = f"{query} AND takes.id = ?", [corpus.take_id(name)]
    found: dict[tuple[str, str], list[Range]] = {}
    for take, label, start, stop in corpus.connection.execute(query, values).fetchall():
        found.setdefault((take, label), []).append((start, stop))
    return {pair: join_ranges(ranges) for pair, ranges in sorted(found.items())}


@contextmanager
def keeping_verified(corpus: "Corpus", pairs: Iterable[tuple[str, str]]) -> Iterator[None]:
    """Guard a change of labels, inside its transaction: raises if it alters labels in verified frames.

    Args:
        corpus: open for writing.
        pairs: takes and labels that the change may alter.
    """
    wanted = set(pairs)
    verified = {pair: ranges for pair, ranges in verified_ranges(corpus).items() if pair in wanted}
    before = {pair: _labelled(corpus, pair, windows) for pair, windows in verified.items()}
    yield
    for pair, windows in verified.items():
        if _labelled(corpus, pair, windows) != before[pair]:
            raise BadInput(_would_change(*pair))


def contradicts_verified(corpus: "Corpus", label: Label, verified: Mapping[tuple[str, str], list[Range]]) -> str | None:
    """Why a label cannot be added, if it would hold where a person has verified that it does not; else None."""
    windows = verified.get((label.take, label.label), [])
    inside = keep_inside([(label.start, label.stop)], windows)
    if not inside or not cut_out(inside, _labelled(corpus, (label.take, label.label), windows)):
        return None
    return _would_change(label.take, label.label)


def _would_change(take: str, label: str) -> str:
    return (
        f"{take}: label '{label}' is verified by a person in some of these frames and would change there; "
        "`motionloom annotate accept --corrected` replaces verified labels"
    )


def _labelled(corpus: "Corpus", pair: tuple[str, str], windows: list[Range]) -> list[Range]:
    """The ranges of a label inside windows."""
    ranges = [(label.start, label.stop) for label in corpus.labels(pair[0]) if label.label == pair[1]]
    return join_ranges(keep_inside(ranges, windows))
