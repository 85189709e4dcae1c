"""Verifying labels: a person accepts or corrects them over frames of a take, which can be undone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from motionloom.corpus.labels.annotations import check_range, check_word
from motionloom.corpus.labels.frame_ranges import Range, cut_out, join_ranges
from motionloom.corpus.labels.verified_ranges import read_verified
from motionloom.corpus.records import Label, Verified
from motionloom.corpus.store.catalogue import transaction
from motionloom.errors import BadInput, CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

BY_PERSON = "user"  # source of labels that a person accepted


@dataclass(frozen=True)
class Acceptance:
    """Labels that a person accepted in the frames [start, stop) of a take, and the labels that they replaced."""

    take: str
    labels: tuple[str, ...]
    start: int
    stop: int
    replaced: tuple[Label, ...]  # all labels of these names in the take before
    written: tuple[Label, ...]  # and after
    verified_before: tuple[Verified, ...]
    verified_after: tuple[Verified, ...]

    @staticmethod
    def from_plain(plain: Mapping[str, Any]) -> "Acceptance":
        """The inverse of `dataclasses.asdict`, also after a round trip through JSON."""
        return Acceptance(
            take=plain["take"],
            labels=tuple(plain["labels"]),
            start=plain["start"],
            stop=plain["stop"],
            replaced=tuple(Label(**fields) for fields in plain["replaced"]),
            written=tuple(Label(**fields) for fields in plain["written"]),
            verified_before=tuple(Verified(**fields) for fields in plain["verified_before"]),
            verified_after=tuple(Verified(**fields) for fields in plain["verified_after"]),
        )

    def undo(self, corpus: "Corpus") -> None:
        """Restore the labels before; raises if the same labels of the take have changed since."""
        corpus.require_writing()
        self._check(corpus)
        with transaction(corpus.connection):
            now = _read_labels(corpus, self.take, self.labels)
            if now != (self.written, self.verified_after):
                raise CorpusError(
                    f"{self.take}: labels {', '.join(self.labels)} have changed since frames [{self.start}, "
                    f"{self.stop}) were accepted; undo the later changes first"
                )
            _write_labels(corpus, self.take, self.labels, self.replaced, self.verified_before)

    def _check(self, corpus: "Corpus") -> None:
        """Raise unless the labels to restore are valid for the take; the acceptance may come from a file."""
        restored: list[Label | Verified] = [*self.replaced, *self.verified_before]
        for label in restored:
            if label.take != self.take or label.label not in self.labels:
                raise BadInput(f"{self.take}: label '{label.label}' of {label.take} is not part of this acceptance")
            check_word(label.label, "label")
            if isinstance(label, Label):
                check_word(label.source, "source")
            check_range(corpus, label.take, label.start, label.stop, f"label '{label.label}'")


def verify(corpus: "Corpus", ranges: Iterable[Verified]) -> None:
    """Mark labels as verified by a person over these frames, as they are; all or none."""
    corpus.require_writing()
    wanted: dict[tuple[str, str], list[Range]] = {}
    for verified in ranges:
        check_word(verified.label, "label")
        check_range(corpus, verified.take, verified.start, verified.stop, f"verified '{verified.label}'")
        wanted.setdefault((verified.take, verified.label), []).append((int(verified.start), int(verified.stop)))
    with transaction(corpus.connection):
        for (take, label), new in wanted.items():
            _, before = _read_labels(corpus, take, [label])
            joined = join_ranges([(verified.start, verified.stop) for verified in before] + new)
            _write_verified(corpus, take, [label], [Verified(take, label, *frames) for frames in joined])


def accept(
    corpus: "Corpus", take: str, labels: Iterable[str], start: int, stop: int, ranges: Mapping[str, Sequence[Range]]
) -> Acceptance:
    """Set labels in [start, stop) of a take to these ranges and mark the frames as verified."""
    corpus.require_writing()
    words = tuple(dict.fromkeys(labels))
    _check_acceptance(corpus, take, words, start, stop, ranges)
    with transaction(corpus.connection):
        replaced, verified_before = _read_labels(corpus, take, words)
        written, verified = [], list(verified_before)
        for word in words:
            old = [label for label in replaced if label.label == word]
            written += _relabel(take, word, old, (start, stop), ranges.get(word, ()))
            verified.append(Verified(take, word, int(start), int(stop)))
        _write_labels(corpus, take, words, written, verified)
        now, verified_now = _read_labels(corpus, take, words)
    return Acceptance(take, words, int(start), int(stop), replaced, now, verified_before, verified_now)


def _check_acceptance(
    corpus: "Corpus",
    take: str,
    labels: tuple[str, ...],
    start: int,
    stop: int,
    ranges: Mapping[str, Sequence[Range]],
) -> None:
    if not labels:
        raise BadInput(f"{take}: nothing to accept; name at least one label")
    check_range(corpus, take, start, stop, "acceptance")
    strangers = sorted(set(ranges) - set(labels))
    if strangers:
        raise BadInput(f"{take}: ranges of {', '.join(strangers)} given, but only {', '.join(labels)} are accepted")
    for label in labels:
        check_word(label, "label")
        for first, end in ranges.get(label, ()):
            if not start <= first < end <= stop:
                raise BadInput(
                    f"{take}: frames [{first}, {end}) of label '{label}' are out of range: only [{start}, {stop}) "
                    "are accepted"
                )


def _relabel(take: str, word: str, old: list[Label], window: Range, ranges: Sequence[Range]) -> list[Label]:
    """The labels of one name with `ranges` inside the window; outside it they stay, joined where they touch."""
    outside = [
        Label(take, word, *part, label.source)
        for label in old
        for part in cut_out([(label.start, label.stop)], [window])
    ]
    touching = [
        label
        for label in outside
        if label.source == BY_PERSON and (label.stop == window[0] or label.start == window[1])
    ]
    joined = join_ranges([(int(a), int(b)) for a, b in ranges] + [(label.start, label.stop) for label in touching])
    kept = [label for label in outside if label not in touching]
    return kept + [Label(take, word, *frames, BY_PERSON) for frames in joined]


def _read_labels(corpus: "Corpus", take: str, names: Sequence[str]) -> tuple[tuple[Label, ...], tuple[Verified, ...]]:
    """The labels of some names in a take, sorted, and their verified ranges."""
    labels = tuple(sorted(label for label in corpus.labels(take) if label.label in names))
    return labels, tuple(verified for verified in read_verified(corpus, take) if verified.label in names)


def _write_labels(
    corpus: "Corpus", take: str, names: Sequence[str], labels: Iterable[Label], verified: Iterable[Verified]
) -> None:
    """Replace the labels of some names in a take, and their verified ranges; inside a transaction."""
    row = corpus.take_id(take)
    db = corpus.connection
    db.executemany("DELETE FROM labels WHERE take = ? AND label = ?", [(row, name) for name in names])
    rows = [(row, label.label, label.start, label.stop, label.source) for label in labels]
    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?, ?, ?, ?)", rows)
    _write_verified(corpus, take, names, verified)


def _write_verified(corpus: "Corpus", take: str, names: Sequence[str], verified: Iterable[Verified]) -> None:
    row = corpus.take_id(take)
    ranges: dict[str, list[Range]] = {}
    for part in verified:
        ranges.setdefault(part.label, []).append((part.start, part.stop))
    rows = [(row, name, *frames) for name, parts in ranges.items() for frames in join_ranges(parts)]
    db = corpus.connection
    db.executemany("DELETE FROM verified WHERE take = ? AND label = ?", [(row, name) for name in names])
    db.executemany("INSERT INTO verified VALUES (?, ?, ?, ?)", rows)
