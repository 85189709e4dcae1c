"""Slices: one frame against all others, motion by motion, with the local minima of each."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure


@dataclass(frozen=True, eq=False)
class Slice:
    """How unlike one frame every frame is: a curve over time for each motion."""

    frame: int
    distances: np.ndarray  # (F,) float64, exact; infinite where a frame is not comparable
    minima: np.ndarray  # (N,) int: the frames where a motion's curve is lowest, in order of time


def slice_through(measure: Measure, frame: int, *, threshold: float = np.inf, apart: int = 1) -> Slice:
    """Compare one frame with every frame, exactly, and find the best places of each motion.

    Args:
        measure: F frames.
        frame: whose slice.
        threshold: in the unit of the measure; minima are at most this.
        apart: frames; a minimum is lower than the frames of its motion this close to it, of equal ones the first. The
            frame itself is one.
    """
    if apart < 1 or not threshold >= 0:
        raise BadInput(f"minima {apart} frames apart up to {threshold}; give 1 frame or more and a distance")
    measure.check_frames(frame)
    if not measure.comparable[frame]:
        raise BadInput(
            f"frame {frame} is so near an end of its motion that its window does not fit; choose one farther inside"
        )
    distances = measure.pairs(frame, np.arange(measure.n_frames))
    minima = lowest_in_time(distances, measure.starts, apart) & (distances <= threshold)
    return Slice(int(frame), distances, np.flatnonzero(minima))


def lowest_in_time(distances: np.ndarray, starts: np.ndarray, apart: int) -> np.ndarray:
    """(..., F) bool: finite distances below those of all frames of the motion within `apart`; of equal ones the first.

    Args:
        distances: (..., F) over the frames of motions one after the other.
        starts: (M + 1,) where they start.
        apart: frames.
    """
    motion = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    lowest = np.isfinite(distances)
    for shift in range(1, min(apart, len(motion) - 1) + 1):
        together = motion[shift:] == motion[:-shift]
        before, after = distances[..., :-shift], distances[..., shift:]
        lowest[..., shift:] &= ~(together & (before <= after))
        lowest[..., :-shift] &= ~(together & (after < before))
    return lowest
