"""Spike repair: frames in which a joint jumps or turns over and is soon back are interpolated from their neighbours."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from motionloom.features.flips import Flip, find_flips, joints_turning
from motionloom.features.spikes import DEFAULT, ROOT, Spike, SpikeSettings, cubic_between, find_spikes
from motionloom.motion import Motion, check_motion, kinematics, rotations

Gap = TypeVar("Gap", Spike, Flip)

PASSES = 4  # a spike may hide another beside it
TRACE = 3  # frames beside a flip that stays in which there seem to be spikes
APART = 3  # frames between spikes of several joints that are mended together
FASTER = 1.0  # metres per second by which a joint may become faster where another is mended
MARGIN = 1  # frames at both sides of a spike that lean towards it


@dataclass(frozen=True, eq=False)
class RepairedMotion:
    """A motion without its spikes and short flips, and those that were there."""

    motion: Motion
    spikes: tuple[Spike, ...]
    turned_back: tuple[tuple[int, int, int], ...] = ()  # joint and frames [start, stop) of short flips that were mended

    def describe(self) -> tuple[str, ...]:
        """One line for each joint that was mended: its name and its frames."""
        ranges: dict[int, set[int]] = {}
        gaps = [*self.turned_back, *((spike.joint, spike.start, spike.stop) for spike in self.spikes)]
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
    motion, turned_back = _mend_flips(
        motion, [flip for flip in found if flip.is_short and flip.stop - flip.start > longest]
    )
    for _ in range(PASSES):
        spikes = [spike for spike in find_spikes(motion, settings) if not _is_beside(spike, stays)]
        motion, mended = _mend_spikes(motion, spikes)
        if not mended:
            break
        repaired += mended
    return RepairedMotion(motion, tuple(repaired), tuple(turned_back))


def _mend_flips(motion: Motion, flips: list[Flip]) -> tuple[Motion, list[tuple[int, int, int]]]:
    """The motion without those flips that can be mended, and the joints and frames that were replaced.

    Joints that turn over at once are mended together, with those that make up for it.
    """
    mended: list[tuple[int, int, int]] = []
    for together in _overlapping(flips):
        start, stop = min(flip.start for flip in together), max(flip.stop for flip in together)
        frames = {flip.frame for flip in together} | {stop - 1}
        joints = {flip.joint for flip in together} | {j for frame in frames for j in joints_turning(motion, frame)}
        candidate = _turned_back(motion, joints, start, stop)
        if _is_calmer(candidate, motion, start, stop):
            motion = candidate
            mended += [(joint, start, stop) for joint in sorted(joints)]
    return motion, mended


def _mend_spikes(motion: Motion, spikes: list[Spike]) -> tuple[Motion, list[Spike]]:
    """The motion without those spikes that can be mended, and these."""
    mended: list[Spike] = []
    for together in _overlapping(spikes):
        candidate = _without(motion, together)
        start, stop = min(spike.start for spike in together), max(spike.stop for spike in together)
        if _is_calmer(candidate, motion, start, stop):
            motion, mended = candidate, mended + together
    return motion, mended


def _overlapping(gaps: Iterable[Gap]) -> list[list[Gap]]:
    """Gaps whose frames, with a margin, overlap, together."""
    groups: list[list[Gap]] = []
    for gap in sorted(gaps, key=lambda found: found.start):
        if groups and gap.start - APART <= max(other.stop for other in groups[-1]):
            groups[-1].append(gap)
        else:
            groups.append([gap])
    return groups


def _is_calmer(motion: Motion, before: Motion, start: int, stop: int) -> bool:
    """Whether no joint is faster in the frames around [start, stop) than it was before.

    Where another joint made up for the spike of a joint, mending only one of them makes it worse.
    """
    around = slice(max(0, start - APART), stop + APART)
    return bool((_fastest(motion, around) <= _fastest(before, around) + FASTER).all())


def _fastest(motion: Motion, frames: slice) -> np.ndarray:
    """(J,) metres per second: the largest speed of each joint in some frames."""
    positions, _ = kinematics.forward(motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames])
    return np.asarray(np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=0) * motion.fps)


def _is_beside(spike: Spike, flips: Iterable[Flip]) -> bool:
    """Whether a spike is only the trace of a flip that stays: the curve through frames beside it bends."""
    return any(
        flip.joint == spike.joint and spike.start - TRACE <= flip.frame + 1 <= spike.stop + TRACE for flip in flips
    )


def _turned_back(motion: Motion, joints: Iterable[int], start: int, stop: int) -> Motion:
    """The motion with joints on the shortest way between the frames beside [start, stop)."""
    local = motion.local_rotations.copy()
    way = np.arange(1, stop - start + 1) / (stop - start + 1)
    for joint in joints:
        before, after = local[start - 1, joint], local[stop, joint]
        local[start:stop, joint] = rotations.slerp(before[None], after[None], way)
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
