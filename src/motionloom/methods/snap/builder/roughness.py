"""Roughness: acceleration and jerk of joints, in takes and at joins; a join may not be rougher than the takes are."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion, kinematics
from motionloom.motion.motion import cut

CALMEST = 90.0  # percentile of the roughness of the takes, which is the limit for a join
MARRED = 2.5  # times as rough as its recording: the limit for a joint in a bent take
BEFORE, AFTER = 4, 4  # frames before and after a cut whose finite differences are measured


@dataclass(frozen=True)
class Roughness:
    """The largest acceleration and jerk of any joint in a few frames, by finite differences."""

    acceleration: float  # metres per second squared
    jerk: float  # metres per second cubed

    def excess(self, bar: "Roughness") -> float:
        """The ratio to a limit, of whichever is worse; above 1 is rougher."""
        return max(self.acceleration / bar.acceleration, self.jerk / bar.jerk)


def join_roughness(motion: Motion, frame: int) -> Roughness:
    """The roughness of a motion at the cut before a frame: of the finite differences that span it."""
    around = cut(motion, max(frame - BEFORE, 0), min(frame + AFTER, motion.n_frames))
    return Roughness(*(float(values.max(initial=0.0)) for values in _differences(around)))


def passage_excess(bent: Motion, take: Motion, frame: int, reach: int, bar: Roughness) -> float:
    """The roughness of a bent take around a match frame relative to what is allowed; above 1 is too rough.

    At the join itself the limit is the bar. Within the reach of the displacement map a joint may be as rough as the
    bar, or `MARRED` times as rough as it was recorded nearby.
    """
    start, stop = max(frame - reach, 0), min(frame + reach, take.n_frames)
    now, then = _of_joints(cut(bent, start, stop)), _of_joints(cut(take, start, stop))
    bars = (bar.acceleration, bar.jerk)
    excesses = [values / np.maximum(high, MARRED * _around(own)) for values, own, high in zip(now, then, bars)]
    return max(join_roughness(bent, frame).excess(bar), *(float(values.max(initial=0.0)) for values in excesses))


def learn_bar(takes: Iterable[Motion], percent: float = CALMEST) -> Roughness:
    """A percentile of the roughness over all frames of the takes, measured as at a join."""
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
    """(F - 2,) accelerations and (F - 3,) jerks, the largest of all joints."""
    second, third = _of_joints(motion)
    return second.max(axis=1, initial=0.0), third.max(axis=1, initial=0.0)


def _of_joints(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(F - 2, J) accelerations and (F - 3, J) jerks."""
    positions = kinematics.world_positions(motion)
    second, third = (np.linalg.norm(np.diff(positions, n, axis=0), axis=-1) * motion.fps**n for n in (2, 3))
    return second, third


def _highest(values: np.ndarray, width: int) -> np.ndarray:
    """The maximum of every window of some width."""
    return np.lib.stride_tricks.sliding_window_view(values, width).max(axis=1)


def _around(values: np.ndarray) -> np.ndarray:
    """(N, J) the maximum of (N, J) values within a few frames of each."""
    padded = np.pad(values, ((BEFORE, BEFORE), (0, 0)), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * BEFORE + 1, axis=0).max(axis=-1)
