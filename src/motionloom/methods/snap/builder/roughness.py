"""Roughness: how hard takes are jolted, and which match frames would make rougher joins than the takes have."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion, kinematics
from motionloom.motion.motion import cut

CALMEST = 90.0  # percent of the takes' own windows: a join is no rougher than these
MARRED = 2.5  # times as rough as its recording: a joint that bending makes rougher than that is spoilt
BEFORE, AFTER = 4, 4  # frames around a cut from which the differences that touch it are taken


@dataclass(frozen=True)
class Roughness:
    """The hardest joint of a few frames, by second and by third differences."""

    acceleration: float  # metres per second squared
    jerk: float  # metres per second cubed

    def excess(self, bar: "Roughness") -> float:
        """How many times as rough as a bar it is, by whichever is worse; above 1 is rougher."""
        return max(self.acceleration / bar.acceleration, self.jerk / bar.jerk)


def join_roughness(motion: Motion, frame: int) -> Roughness:
    """How rough a motion is where its frames [.., frame) and [frame, ..) meet: the differences that reach across."""
    around = cut(motion, max(frame - BEFORE, 0), min(frame + AFTER, motion.n_frames))
    return Roughness(*(float(values.max(initial=0.0)) for values in _differences(around)))


def passage_excess(bent: Motion, take: Motion, frame: int, reach: int, bar: Roughness) -> float:
    """How many times too rough a bent take is at a match frame; above 1 it is.

    At the join itself the bar counts. As far as the take was bent a joint may be as rough as that, or some times as
    rough as in the recording about there: what it is by itself is nobody's fault.
    """
    start, stop = max(frame - reach, 0), min(frame + reach, take.n_frames)
    now, then = _of_joints(cut(bent, start, stop)), _of_joints(cut(take, start, stop))
    bars = (bar.acceleration, bar.jerk)
    excesses = [values / np.maximum(high, MARRED * _around(own)) for values, own, high in zip(now, then, bars)]
    return max(join_roughness(bent, frame).excess(bar), *(float(values.max(initial=0.0)) for values in excesses))


def learn_bar(takes: Iterable[Motion], percent: float = CALMEST) -> Roughness:
    """What so many percent of all places of the takes themselves do not exceed, measured as at a join."""
    accelerations, jerks = [], []
    width = BEFORE + AFTER
    for take in takes:
        if take.n_frames < width:
            continue
        acceleration, jerk = _differences(take)
        accelerations.append(_highest(acceleration, width - 2))
        jerks.append(_highest(jerk, width - 3))
    if not accelerations:
        return Roughness(np.inf, np.inf)
    return Roughness(*(float(np.percentile(np.concatenate(values), percent)) for values in (accelerations, jerks)))


def _differences(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(F - 2,) accelerations and (F - 3,) jerks of the hardest joint."""
    second, third = _of_joints(motion)
    return second.max(axis=1, initial=0.0), third.max(axis=1, initial=0.0)


def _of_joints(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(F - 2, J) accelerations and (F - 3, J) jerks."""
    positions = kinematics.world_positions(motion)
    second, third = (np.linalg.norm(np.diff(positions, n, axis=0), axis=-1) * motion.fps**n for n in (2, 3))
    return second, third


def _highest(values: np.ndarray, width: int) -> np.ndarray:
    return np.lib.stride_tricks.sliding_window_view(values, width).max(axis=1)


def _around(values: np.ndarray) -> np.ndarray:
    """(N, J) the highest of the values within a few frames of each."""
    padded = np.pad(values, ((BEFORE, BEFORE), (0, 0)), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * BEFORE + 1, axis=0).max(axis=-1)
