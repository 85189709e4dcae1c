"""Agreement between two people's labels of the same takes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.corpus.labels.frame_ranges import Range, flags_of, near_borders
from motionloom.corpus.labels.label_files import TakeFinder
from motionloom.corpus.records import Label
from motionloom.errors import BadInput


@dataclass(frozen=True)
class LabelAgreement:
    """How far two people agree about one label, in frames of takes that both have labelled."""

    label: str
    both: int  # frames in which both say that it holds
    only_first: int
    only_second: int
    neither: int

    @property
    def n_frames(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def share(self) -> float:
        """Of frames about which they say the same."""
        return (self.both + self.neither) / self.n_frames if self.n_frames else 1.0

    @property
    def f1(self) -> float:
        """Of either against the other: 2 both / (first + second)."""
        held = 2 * self.both + self.only_first + self.only_second
        return 2 * self.both / held if held else 1.0

    @property
    def kappa(self) -> float:
        """Cohen's: the share beyond what chance gives to people who use a label as often as these; 1 at best."""
        n = self.n_frames
        if not n:
            return 1.0
        first, second = (self.both + self.only_first) / n, (self.both + self.only_second) / n
        by_chance = first * second + (1 - first) * (1 - second)
        return (self.share - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0


@dataclass(frozen=True)
class Agreement:
    """How far two people agree, label by label."""

    labels: tuple[LabelAgreement, ...]  # sorted by their words
    takes: tuple[str, ...]  # that both have labelled
    left_out: tuple[str, ...]  # that only one of them has

    @property
    def total(self) -> LabelAgreement:
        """All labels together."""
        columns = ("both", "only_first", "only_second", "neither")
        return LabelAgreement("all", *(sum(getattr(one, name) for one in self.labels) for name in columns))


def compare_labels(
    first: Iterable[Label], second: Iterable[Label], *, n_frames: Mapping[str, int] | None = None, border: int = 0
) -> Agreement:
    """Compare what two people say about the takes that both have labelled.

    A take may be named by any unique end of its path by either of them.

    Args:
        first: one person's labels.
        second: another's.
        n_frames: length of each take; where it is not known, a take ends with its last label.
        border: frames on both sides of where a label begins or ends for either of them that do not count.
    """
    one, other = list(first), list(second)
    same = _same_takes({x.take for x in one}, {x.take for x in other})
    told = [_by_pair(one, {}), _by_pair(other, same)]
    takes = sorted({take for take, _ in told[0]} & {take for take, _ in told[1]})
    words = sorted({label for ranges in told for take, label in ranges if take in takes})
    lengths = {take: _length(take, told, n_frames) for take in takes}
    left_out = {take for ranges in told for take, _ in ranges} - set(takes)
    rows = [_compare(word, told, lengths, border) for word in words]
    return Agreement(tuple(rows), tuple(takes), tuple(sorted(left_out)))


def _compare(
    label: str, told: list[dict[tuple[str, str], list[Range]]], lengths: Mapping[str, int], border: int
) -> LabelAgreement:
    counts = np.zeros(4, int)
    for take, length in lengths.items():
        a, b = (flags_of(ranges.get((take, label), ()), length) for ranges in told)
        counts_here = ~(near_borders(a, border) | near_borders(b, border))
        counts += [(part & counts_here).sum() for part in (a & b, a & ~b, ~a & b, ~a & ~b)]
    return LabelAgreement(label, *counts.tolist())


def _same_takes(first: set[str], second: set[str]) -> dict[str, str]:
    """The name of the first person for each name of the second, where both mean the same take."""
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
    for one in labels:
        ranges.setdefault((names.get(one.take, one.take), one.label), []).append((one.start, one.stop))
    return ranges


def _length(take: str, told: list[dict[tuple[str, str], list[Range]]], n_frames: Mapping[str, int] | None) -> int:
    ends = (stop for ranges in told for pair, listed in ranges.items() if pair[0] == take for _, stop in listed)
    return (n_frames or {}).get(take) or max(ends)
