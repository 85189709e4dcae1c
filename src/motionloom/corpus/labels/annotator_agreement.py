"""Inter-annotator agreement: two people's labels of the same takes compared by accuracy, F1 and Cohen's kappa."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.corpus.labels.frame_ranges import Range, flags_of, near_borders
from motionloom.corpus.records import Label
from motionloom.corpus.take_names import TakeFinder
from motionloom.errors import BadInput


@dataclass(frozen=True)
class LabelAgreement:
    """Agreement of two annotators about one label, in frames of takes that both have labelled."""

    label: str
    both: int  # frames in which it holds for both
    only_first: int
    only_second: int
    neither: int

    @property
    def n_frames(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def share(self) -> float:
        """Share of frames in which they agree."""
        return (self.both + self.neither) / self.n_frames if self.n_frames else 1.0

    @property
    def f1(self) -> float:
        """F1 score of either against the other: 2 both / (first + second)."""
        held = 2 * self.both + self.only_first + self.only_second
        return 2 * self.both / held if held else 1.0

    @property
    def kappa(self) -> float:
        """Cohen's kappa: agreement corrected for chance, given how often each uses the label; 1 at best."""
        n = self.n_frames
        if not n:
            return 1.0
        first, second = (self.both + self.only_first) / n, (self.both + self.only_second) / n
        by_chance = first * second + (1 - first) * (1 - second)
        return (self.share - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0


@dataclass(frozen=True)
class Agreement:
    """Agreement of two annotators by label."""

    labels: tuple[LabelAgreement, ...]  # sorted by name
    takes: tuple[str, ...]  # that both have labelled
    left_out: tuple[str, ...]  # that only one of them has labelled

    @property
    def total(self) -> LabelAgreement:
        """All labels together."""
        columns = ("both", "only_first", "only_second", "neither")
        return LabelAgreement("all", *(sum(getattr(label, name) for label in self.labels) for name in columns))


def compare_labels(
    first: Iterable[Label], second: Iterable[Label], *, n_frames: Mapping[str, int] | None = None, border: int = 0
) -> Agreement:
    """Compare the labels of two annotators in the takes that both have labelled.

    Either may name a take by any unique suffix of its path.

    Args:
        first: labels of one annotator.
        second: labels of the other.
        n_frames: length of each take; a take without one ends with its last label.
        border: frames on both sides of where a label begins or ends for either annotator that do not count.
    """
    ours, theirs = list(first), list(second)
    same = _same_takes({label.take for label in ours}, {label.take for label in theirs})
    annotators = [_by_pair(ours, {}), _by_pair(theirs, same)]
    takes = sorted({take for take, _ in annotators[0]} & {take for take, _ in annotators[1]})
    names = sorted({label for ranges in annotators for take, label in ranges if take in takes})
    lengths = {take: _length(take, annotators, n_frames) for take in takes}
    left_out = {take for ranges in annotators for take, _ in ranges} - set(takes)
    rows = [_compare(name, annotators, lengths, border) for name in names]
    return Agreement(tuple(rows), tuple(takes), tuple(sorted(left_out)))


def _compare(
    label: str, annotators: list[dict[tuple[str, str], list[Range]]], lengths: Mapping[str, int], border: int
) -> LabelAgreement:
    counts = np.zeros(4, int)
    for take, length in lengths.items():
        a, b = (flags_of(ranges.get((take, label), ()), length) for ranges in annotators)
        counts_here = ~(near_borders(a, border) | near_borders(b, border))
        counts += [(part & counts_here).sum() for part in (a & b, a & ~b, ~a & b, ~a & ~b)]
    return LabelAgreement(label, *counts.tolist())


def _same_takes(first: set[str], second: set[str]) -> dict[str, str]:
    """The first annotator's name of a take by the second's, for takes that both have labelled."""
    forwards, backwards = TakeFinder(sorted(first)), TakeFinder(sorted(second))
    same = {found: name for name in first if (found := _find(backwards, name)) is not None}
    return same | {name: found for name in second if (found := _find(forwards, name)) is not None}


def _find(finder: TakeFinder, name: str) -> str | None:
    try:
        return finder.find(name)
    except BadInput:
        return None


def _by_pair(labels: Iterable[Label], names: Mapping[str, str]) -> dict[tuple[str, str], list[Range]]:
    ranges: dict[tuple[str, str], list[Range]] = {}
    for label in labels:
        ranges.setdefault((names.get(label.take, label.take), label.label), []).append((label.start, label.stop))
    return ranges


def _length(take: str, annotators: list[dict[tuple[str, str], list[Range]]], n_frames: Mapping[str, int] | None) -> int:
    ends = (stop for ranges in annotators for pair, parts in ranges.items() if pair[0] == take for _, stop in parts)
    return (n_frames or {}).get(take) or max(ends)
