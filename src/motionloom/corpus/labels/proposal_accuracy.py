"""Accuracy of proposals: a classifier's decisions compared with the labels that people verified afterwards."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from motionloom.corpus.labels.frame_ranges import Range, flags_of, near_borders
from motionloom.corpus.take_list import read_lengths
from motionloom.motion.runs import find_runs

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

BORDER = 0.25  # seconds on both sides of where a label begins or ends, a tolerance for imprecise borders
SHORTEST = 0.2  # seconds; shorter wrong runs are not counted as corrections


@dataclass(frozen=True)
class ProposalAccuracy:
    """Accuracy of a classifier's decisions in frames that people verified afterwards; summed over takes and labels."""

    seconds: float = 0.0  # decided by the classifier, then verified by a person; each label counts on its own
    right_seconds: float = 0.0  # of them, where person and classifier agree
    proposals: int = 0  # proposed ranges
    right_proposals: int = 0  # of them, those that are right except near their borders
    corrections: int = 0  # wrong runs except near borders, each of them one stroke of a brush

    @property
    def agreement(self) -> float | None:
        """Share of time that was right; None if nothing that was decided has been verified."""
        return self.right_seconds / self.seconds if self.seconds else None

    def __sub__(self, other: "ProposalAccuracy") -> "ProposalAccuracy":
        return ProposalAccuracy(*(getattr(self, field.name) - getattr(other, field.name) for field in fields(self)))

    def __add__(self, other: "ProposalAccuracy") -> "ProposalAccuracy":
        return ProposalAccuracy(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


def measure_proposals(corpus: "Corpus", takes: Iterable[str] | None = None) -> dict[tuple[str, str], ProposalAccuracy]:
    """The accuracy of proposals by take and label, in the frames that people have verified since."""
    each: Iterable[str | None] = [None] if takes is None else dict.fromkeys(takes)  # None: all, with one query
    lengths = read_lengths(corpus)
    proposed = _by_pair(proposal for take in each for proposal in corpus.proposals(take, answered=True))
    labelled = _by_pair(label for take in each for label in corpus.labels(take))
    verified = _by_pair(decision for take in each for decision in corpus.classified(take, answered=True))
    return {
        pair: _compare(windows, proposed.get(pair, []), labelled.get(pair, []), *lengths[pair[0]])
        for pair, windows in sorted(verified.items())
    }


def _compare(
    windows: list[Range], proposed: list[Range], labelled: list[Range], n_frames: int, fps: float
) -> ProposalAccuracy:
    verified = flags_of(windows, n_frames)
    truth = flags_of(labelled, n_frames)
    wrong = verified & (truth != (flags_of(proposed, n_frames)))
    wrong_inside = wrong & ~near_borders(truth, BORDER * fps)
    runs = [(start, stop) for start, stop in find_runs(wrong_inside) if stop - start >= SHORTEST * fps]
    bad = flags_of(runs, n_frames)
    return ProposalAccuracy(
        seconds=float(verified.sum() / fps),
        right_seconds=float((verified & ~wrong).sum() / fps),
        proposals=len(proposed),
        right_proposals=sum(not bad[start:stop].any() for start, stop in proposed),
        corrections=len(runs),
    )


def _by_pair(records: Iterable) -> dict[tuple[str, str], list[Range]]:
    ranges: dict[tuple[str, str], list[Range]] = {}
    for record in records:
        ranges.setdefault((record.take, record.label), []).append((record.start, record.stop))
    return ranges
