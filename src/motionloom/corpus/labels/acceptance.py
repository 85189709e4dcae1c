"""What people have verified: the frames of a take in which a label is known for sure, and how that comes about."""

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

BY_PERSON = "user"  # the source of what a person accepted


@dataclass(frozen=True)
class Acceptance:
    """What a person said about labels in the frames [start, stop) of a take, and what it replaced."""

    take: str
    labels: tuple[str, ...]
    start: int
    stop: int
    replaced: tuple[Label, ...]  # all labels of these words in the take before
    written: tuple[Label, ...]  # and after
    verified_before: tuple[Verified, ...]
    verified_after: tuple[Verified, ...]

    @staticmethod
    def from_plain(plain: Mapping[str, Any]) -> "Acceptance":
        """The acceptance that `dataclasses.asdict` made plain values of, maybe by way of JSON."""
        return Acceptance(
            take=plain["take"],
            labels=tuple(plain["labels"]),
            start=plain["start"],
            stop=plain["stop"],
            replaced=tuple(Label(**one) for one in plain["replaced"]),
            written=tuple(Label(**one) for one in plain["written"]),
            verified_before=tuple(Verified(**one) for one in plain["verified_before"]),
            verified_after=tuple(Verified(**one) for one in plain["verified_after"]),
        )

    def undo(self, corpus: "Corpus") -> None:
        """Put back what was there; refused where the same labels of the take have been changed since."""
        corpus.require_writing()
        self._check(corpus)
        with transaction(corpus.connection):
            now = _read_state(corpus, self.take, self.labels)
            if now != (self.written, self.verified_after):
                raise CorpusError(
                    f"{self.take}: {', '.join(self.labels)} were changed since frames [{self.start}, {self.stop}) "
                    "were accepted; undo the later changes first"
                )
            _write_state(corpus, self.take, self.labels, self.replaced, self.verified_before)

    def _check(self, corpus: "Corpus") -> None:
        """Raise unless all it would put back can be said about the take; it may have been kept outside."""
        said: list[Label | Verified] = [*self.replaced, *self.verified_before]
        for one in said:
            if one.take != self.take or one.label not in self.labels:
                raise BadInput(f"{self.take}: '{one.label}' of {one.take} is no part of what was accepted")
            check_word(one.label, "label")
            check_range(corpus, one.take, one.start, one.stop, f"label '{one.label}'")


def verify(corpus: "Corpus", ranges: Iterable[Verified]) -> None:
    """Say that a person has looked at labels over these frames and finds them right as they are; all or none."""
    corpus.require_writing()
    wanted: dict[tuple[str, str], list[Range]] = {}
    for one in ranges:
        check_word(one.label, "label")
        check_range(corpus, one.take, one.start, one.stop, f"verified '{one.label}'")
        wanted.setdefault((one.take, one.label), []).append((int(one.start), int(one.stop)))
    with transaction(corpus.connection):
        for (take, label), new in wanted.items():
            _, before = _read_state(corpus, take, [label])
            joined = join_ranges([(one.start, one.stop) for one in before] + new)
            _write_verified(corpus, take, [label], [Verified(take, label, *one) for one in joined])


def accept(
    corpus: "Corpus", take: str, labels: Iterable[str], start: int, stop: int, ranges: Mapping[str, Sequence[Range]]
) -> Acceptance:
    """Write down what a person says: in [start, stop) of the take these labels hold exactly in these ranges."""
    corpus.require_writing()
    words = tuple(dict.fromkeys(labels))
    _check_acceptance(corpus, take, words, start, stop, ranges)
    with transaction(corpus.connection):
        replaced, verified_before = _read_state(corpus, take, words)
        written, verified = [], list(verified_before)
        for word in words:
            old = [one for one in replaced if one.label == word]
            written += _relabel(take, word, old, (start, stop), ranges.get(word, ()))
            verified.append(Verified(take, word, int(start), int(stop)))
        _write_state(corpus, take, words, written, verified)
        now, verified_now = _read_state(corpus, take, words)
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
        raise BadInput(f"{take}: ranges of {', '.join(strangers)}, but only {', '.join(labels)} are accepted")
    for label in labels:
        check_word(label, "label")
        for first, end in ranges.get(label, ()):
            if not start <= first < end <= stop:
                raise BadInput(
                    f"{take}: label '{label}' over the frames [{first}, {end}), but only [{start}, {stop}) are accepted"
                )


def _relabel(take: str, word: str, old: list[Label], window: Range, ranges: Sequence[Range]) -> list[Label]:
    """The labels of one word after a person said where it holds inside the window."""
    kept = [Label(take, word, *part, one.source) for one in old for part in cut_out([(one.start, one.stop)], [window])]
    at_border = [one for one in kept if one.source == BY_PERSON and (one.stop == window[0] or one.start == window[1])]
    joined = join_ranges([(int(a), int(b)) for a, b in ranges] + [(one.start, one.stop) for one in at_border])
    return [one for one in kept if one not in at_border] + [Label(take, word, *one, BY_PERSON) for one in joined]


def _read_state(corpus: "Corpus", take: str, labels: Sequence[str]) -> tuple[tuple[Label, ...], tuple[Verified, ...]]:
    said = tuple(sorted(one for one in corpus.labels(take) if one.label in labels))
    return said, tuple(one for one in read_verified(corpus, take) if one.label in labels)


def _write_state(
    corpus: "Corpus", take: str, labels: Sequence[str], said: Iterable[Label], verified: Iterable[Verified]
) -> None:
    """Replace what is said about some labels of a take; inside a transaction."""
    row = corpus.take_id(take)
    db = corpus.connection
    db.executemany("DELETE FROM labels WHERE take = ? AND label = ?", [(row, label) for label in labels])
    rows = [(row, one.label, one.start, one.stop, one.source) for one in said]
    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?, ?, ?, ?)", rows)
    _write_verified(corpus, take, labels, verified)


def _write_verified(corpus: "Corpus", take: str, labels: Sequence[str], verified: Iterable[Verified]) -> None:
    row = corpus.take_id(take)
    ranges: dict[str, list[Range]] = {}
    for one in verified:
        ranges.setdefault(one.label, []).append((one.start, one.stop))
    rows = [(row, label, *one) for label, listed in ranges.items() for one in join_ranges(listed)]
    db = corpus.connection
    db.executemany("DELETE FROM verified WHERE take = ? AND label = ?", [(row, label) for label in labels])
    db.executemany("INSERT INTO verified VALUES (?, ?, ?, ?)", rows)
