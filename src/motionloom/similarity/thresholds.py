"""Thresholds that come from the corpus itself, in the unit of the measure, the same at every run."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure
from motionloom.similarity.neighbours import NeighbourSettings, find_neighbours

SAMPLES = 4096  # frames that a median is taken over at most
BLOCKS = 64  # in which they lie, spread evenly
STEP_SECONDS = 1 / 15  # 4 frames at 60 Hz; with 1/10 s joins stand out twice as often as uncut motion does


def default_threshold(measure: Measure, fps: float = 60.0) -> float:
    """A distance under which two frames are alike enough to go over from one to the other, in the measure's unit.

    The larger of two distances that the corpus itself gives: how far its motions go in `STEP_SECONDS`, because so small
    a gap is closed as fast as bodies move anyway; and how near the nearest frame elsewhere usually is, because with
    less than that most frames would have no partner. A corpus of people who stand still makes the first too small, one
    with the same recording twice the second; the larger serves both.
    """
    return max(natural_step(measure, max(1, round(STEP_SECONDS * fps))), nearest_distance(measure))


def natural_step(measure: Measure, frames: int = 1) -> float:
    """How far motions themselves go in so many frames: the median distance of a frame from the one that much later."""
    if frames < 1:
        raise BadInput(f"frames that are {frames} apart; a step is 1 frame or more")
    first = np.arange(measure.n_frames - frames)
    usable = measure.comparable[first] & measure.comparable[first + frames]
    usable &= measure.ranges[first, 1] > first + frames
    first = first[usable]
    if not len(first):
        raise BadInput(f"no motion is long enough for two frames that are {frames} apart; give longer motions")
    first = first[:: -(-len(first) // SAMPLES)]
    return float(np.median(measure.pairs(first, first + frames)))


def nearest_distance(measure: Measure, own_frames: int = 20) -> float:
    """How near the nearest frame elsewhere usually is: the median over frames spread evenly over all motions.

    Args:
        measure: F frames.
        own_frames: frames of the same motion before and after, which do not count.
    """
    settings = NeighbourSettings(count=1, apart=0, own_frames=own_frames)
    nearest = [find_neighbours(measure, settings, rows=rows).distances[:, 0] for rows in _spread(measure.n_frames)]
    found = np.concatenate(nearest)
    found = found[np.isfinite(found)]
    if not len(found):
        raise BadInput(f"no frame has another more than {own_frames} frames away; give more or longer motions")
    return float(np.median(found))


def _spread(n_frames: int) -> list[slice]:
    if n_frames <= SAMPLES:
        return [slice(0, n_frames)]
    size = SAMPLES // BLOCKS
    return [slice(int(a), int(a) + size) for a in np.linspace(0, n_frames - size, BLOCKS)]
