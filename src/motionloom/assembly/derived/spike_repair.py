"""Spike repair: frames in which a joint jumps are interpolated from their neighbours."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from motionloom.features.spikes import DEFAULT, ROOT, Spike, SpikeSettings, cubic_between, find_spikes
from motionloom.motion import Motion, check_motion, rotations

PASSES = 4  # a spike may hide another beside it
MARGIN = 1  # frames at both sides of a spike that lean towards it


@dataclass(frozen=True, eq=False)
class RepairedMotion:
    """A motion without its spikes, and those that were there."""

    motion: Motion
    spikes: tuple[Spike, ...]


def repair_spikes(motion: Motion, settings: SpikeSettings = DEFAULT) -> RepairedMotion:
    """Replace the frames of joints that jump away and back; everything else stays exactly as it is."""
    motion, repaired = check_motion(motion), list[Spike]()
    for _ in range(PASSES):
        spikes = find_spikes(motion, settings)
        if not spikes:
            break
        motion = _without(motion, spikes)
        repaired += spikes
    return RepairedMotion(motion, tuple(repaired))


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
