"""Spike repair: frames in which a joint jumps or turns over and is soon back are interpolated from their neighbours."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.features.flips import Flip, find_flips
from motionloom.features.spikes import DEFAULT, ROOT, Spike, SpikeSettings, cubic_between, find_spikes
from motionloom.motion import Motion, check_motion, rotations

PASSES = 4  # a spike may hide another beside it
TRACE = 3  # frames beside a flip that stays in which there seem to be spikes
MARGIN = 1  # frames at both sides of a spike that lean towards it


@dataclass(frozen=True, eq=False)
class RepairedMotion:
    """A motion without its spikes and short flips, and those that were there."""

    motion: Motion
    spikes: tuple[Spike, ...]
    flips: tuple[Flip, ...] = ()

    def describe(self) -> tuple[str, ...]:
        """One line for each joint that was mended: its name and its frames."""
        ranges: dict[int, set[int]] = {}
        gaps = [(gap.joint, gap.start, gap.stop) for gap in self.flips]
        gaps += [(gap.joint, gap.start, gap.stop) for gap in self.spikes]
        for joint, start, stop in gaps:
            ranges.setdefault(joint, set()).update(range(start, stop))
        return tuple(
            f"mended: {self._name(joint)} in {_as_ranges(sorted(frames))}" for joint, frames in sorted(ranges.items())
        )

    def _name(self, joint: int) -> str:
        return "the position of the root" if joint == ROOT else self.motion.skeleton.names[joint]


def repair_spikes(motion: Motion, settings: SpikeSettings = DEFAULT) -> RepairedMotion:
    """Replace the frames of joints that jump or turn over and are soon back; everything else stays exactly as it is."""
    motion, repaired = check_motion(motion), list[Spike]()
    longest = max(1, round(settings.longest * motion.fps))  # frames of a spike
    found = find_flips(motion)
    stays = [flip for flip in found if not flip.is_short]
    flips = tuple(flip for flip in found if flip.is_short and flip.stop - flip.start > longest)
    motion = _turned_back(motion, flips)
    for _ in range(PASSES):
        spikes = [spike for spike in find_spikes(motion, settings) if not _is_beside(spike, stays)]
        if not spikes:
            break
        motion = _without(motion, spikes)
        repaired += spikes
    return RepairedMotion(motion, tuple(repaired), flips)


def _is_beside(spike: Spike, flips: Iterable[Flip]) -> bool:
    """Whether a spike is only the trace of a flip that stays: the curve through frames beside it bends."""
    return any(
        flip.joint == spike.joint and spike.start - TRACE <= flip.frame + 1 <= spike.stop + TRACE for flip in flips
    )


def _turned_back(motion: Motion, flips: Iterable[Flip]) -> Motion:
    """The motion with short flips replaced by the shortest way between the frames beside them."""
    local = motion.local_rotations.copy()
    for flip in flips:
        before, after = local[flip.start - 1, flip.joint], local[flip.stop, flip.joint]
        way = np.arange(1, flip.stop - flip.start + 1) / (flip.stop - flip.start + 1)
        local[flip.start : flip.stop, flip.joint] = rotations.slerp(before[None], after[None], way)
    return replace(motion, local_rotations=local)


def _without(motion: Motion, spikes: Iterable[Spike]) -> Motion:
    roots, turns = motion.root_positions.copy(), rotations.align_signs(motion.local_rotations)
    for joint, start, stop in _gaps(spikes, motion.n_frames):
        if joint == ROOT:
            roots[start:stop] = cubic_between(roots, start, stop)
        else:
            near = rotations.align_signs(turns[start - 2 : stop + 2, joint])
            near[2:-2] = rotations.normalize(cubic_between(near, 2, len(near) - 2))
            turns[start:stop, joint] = near[2:-2]
    return replace(motion, root_positions=roots, local_rotations=turns)


def _gaps(spikes: Iterable[Spike], n_frames: int) -> list[tuple[int, int, int]]:
    """Joint and frames [start, stop) to fill: spikes of one joint with no clean frames between them are one gap."""
    gaps: list[tuple[int, int, int]] = []
    for spike in sorted(spikes, key=lambda found: (found.joint, found.start)):
        start, stop = max(2, spike.start - MARGIN), min(n_frames - 2, spike.stop + MARGIN)
        if gaps and gaps[-1][0] == spike.joint and start - gaps[-1][2] < 2:
            gaps[-1] = (spike.joint, gaps[-1][1], max(stop, gaps[-1][2]))
        elif stop > start:
            gaps.append((spike.joint, start, stop))
    return gaps


def _as_ranges(frames: list[int]) -> str:
    """'frame 7', 'frames 7 to 9, 14'."""
    breaks = [k for k in range(1, len(frames)) if frames[k] != frames[k - 1] + 1]
    runs = [frames[a:b] for a, b in zip([0, *breaks], [*breaks, len(frames)])]
    words = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
    return f"{'frame' if len(frames) == 1 else 'frames'} {words}"
