"""Agreement so far: what a machine had said about labels before people looked, beside what they said then."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from motionloom.corpus.labels.frame_ranges import Range, flags_of, near_borders
from motionloom.corpus.take_list import read_lengths
from motionloom.motion.runs import find_runs

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

BORDER = 0.25  # seconds on both sides of where a label begins or ends that nobody places exactly
SHORTEST = 0.2  # seconds that a wrong run must last for a person to paint over it


@dataclass(frozen=True)
class Answers:
    """How what a machine said about labels compares with what people said afterwards; sums over takes and labels."""

    seconds: float = 0.0  # decided by the machine, then verified by a person; each label counts for itself
    right_seconds: float = 0.0  # of them, as the person says
    proposals: int = 0  # ranges that were proposed
    right_proposals: int = 0  # of them, those that hold but for their borders
    corrections: int = 0  # wrong runs apart from borders, each of them one stroke of a brush

    @property
    def agreement(self) -> float | None:
        """Share of time that was right; None where nobody has looked at anything that was decided."""
        return self.right_seconds / self.seconds if self.seconds else None

    def __sub__(self, other: "Answers") -> "Answers":
        return Answers(*(getattr(self, one.name) - getattr(other, one.name) for one in fields(self)))

    def __add__(self, other: "Answers") -> "Answers":
        return Answers(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


def read_answers(corpus: "Corpus", takes: Iterable[str] | None = None) -> dict[tuple[str, str], Answers]:
    """How proposals fared, by take and label, in the frames that people have verified since."""
    each: Iterable[str | None] = [None] if takes is None else dict.fromkeys(takes)  # None: all, read in one go
    lengths = read_lengths(corpus)
    proposed = _by_pair(one for take in each for one in corpus.proposals(take, answered=True))
    held = _by_pair(one for take in each for one in corpus.labels(take))
    looked = _by_pair(one for take in each for one in corpus.classified(take, answered=True))
    return {
        pair: _compare(windows, proposed.get(pair, []), held.get(pair, []), *lengths[pair[0]])
        for pair, windows in sorted(looked.items())
    }


def _compare(windows: list[Range], proposed: list[Range], held: list[Range], n_frames: int, fps: float) -> Answers:
    looked = flags_of(windows, n_frames)
    truth = flags_of(held, n_frames)
    wrong = looked & (truth != (flags_of(proposed, n_frames)))
    off = wrong & ~near_borders(truth, BORDER * fps)
    runs = [one for one in find_runs(off) if one[1] - one[0] >= SHORTEST * fps]
    bad = flags_of(runs, n_frames)
    return Answers(
        seconds=float(looked.sum() / fps),
        right_seconds=float((looked & ~wrong).sum() / fps),
        proposals=len(proposed),
        right_proposals=sum(not bad[start:stop].any() for start, stop in proposed),
        corrections=len(runs),
    )


def _by_pair(records: Iterable) -> dict[tuple[str, str], list[Range]]:
    ranges: dict[tuple[str, str], list[Range]] = {}
    for one in records:
        ranges.setdefault((one.take, one.label), []).append((one.start, one.stop))
    return ranges
