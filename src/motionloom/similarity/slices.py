"""Slices: the distances of one frame to all others, with the local minima along time of each motion."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure


@dataclass(frozen=True, eq=False)
class Slice:
    """A row of the distance matrix: a curve over time for each motion."""

    frame: int
    distances: np.ndarray  # (F,) float64, exact; infinite for frames that are not comparable
    minima: np.ndarray  # (N,) int: local minima of the motions' curves, in temporal order


def slice_through(measure: Measure, frame: int, *, threshold: float = np.inf, apart: int = 1) -> Slice:
    """Compare one frame with every frame, exactly, and find the local minima of each motion.

    Args:
        measure: F frames.
        frame: of the slice.
        threshold: in the unit of the measure; minima are at most this.
        apart: radius in frames; a minimum is lower than the frames of its motion within it, of equal ones the first.
            The frame itself is one.
    """
    if apart < 1 or not threshold >= 0:
        raise BadInput(f"apart {apart} and threshold {threshold} are invalid: expected apart >= 1 and threshold >= 0")
    measure.check_frames(frame)
    if not measure.comparable[frame]:
        raise BadInput(f"frame {frame} is too near an end of its motion for its window; choose a frame farther inside")
    distances = measure.pairs(frame, np.arange(measure.n_frames))
    minima = lowest_in_time(distances, measure.starts, apart) & (distances <= threshold)
    return Slice(int(frame), distances, np.flatnonzero(minima))


def lowest_in_time(distances: np.ndarray, starts: np.ndarray, apart: int) -> np.ndarray:
    """(..., F) bool: finite distances that are minima along time within `apart` frames; of equal ones the first.

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
