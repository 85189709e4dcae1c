"""Roughness: how hard takes are jolted, and which match frames would make rougher joins than the takes have."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion, kinematics
from motionloom.motion.motion import cut

CALMEST = 90.0  # percent of the takes' own windows: a join is no rougher than these
BEFORE, AFTER = 4, 4  # frames around a cut from which the differences that touch it are taken


@dataclass(frozen=True)
class Roughness:
    """The hardest joint of a few frames, by second and by third differences."""

    acceleration: float  # metres per second squared
    jerk: float  # metres per second cubed

    def exceeds(self, bar: "Roughness") -> bool:
        """Whether it is rougher than a bar."""
        return self.acceleration > bar.acceleration or self.jerk > bar.jerk


def join_roughness(motion: Motion, frame: int) -> Roughness:
    """How rough a motion is where its frames [.., frame) and [frame, ..) meet: the differences that reach across."""
    around = cut(motion, max(frame - BEFORE, 0), min(frame + AFTER, motion.n_frames))
    return Roughness(*(float(values.max(initial=0.0)) for values in _differences(around)))


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
    positions = kinematics.world_positions(motion)
    second, third = (np.linalg.norm(np.diff(positions, n, axis=0), axis=-1) * motion.fps**n for n in (2, 3))
    return second.max(axis=1, initial=0.0), third.max(axis=1, initial=0.0)


def _highest(values: np.ndarray, width: int) -> np.ndarray:
    return np.lib.stride_tricks.sliding_window_view(values, width).max(axis=1)
