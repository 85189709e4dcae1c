"""Default thresholds of distances, derived from the motions themselves, in the unit of the measure."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure
from motionloom.similarity.neighbours import NeighbourSettings, find_neighbours

SAMPLES = 4096  # maximum number of frames for a median
BLOCKS = 64  # of consecutive frames that they are sampled from, evenly spaced
STEP_SECONDS = 1 / 15  # 4 frames at 60 Hz; with 1/10 s joins exceed the bar twice as often as unedited motion


def default_threshold(measure: Measure, fps: float = 60.0) -> float:
    """The default threshold of a transition between two frames, in the measure's unit.

    The larger of two distances: the median step of the motions in `STEP_SECONDS`, because so small a gap is closed as
    fast as bodies move anyway; and the median distance to the nearest neighbour, because with less than that most
    frames would have no match. The first is too small in a corpus of people who stand still, the second in one with
    duplicate recordings.
    """
    return max(natural_step(measure, max(1, round(STEP_SECONDS * fps))), nearest_distance(measure))


def natural_step(measure: Measure, frames: int = 1) -> float:
    """The median distance between frames of a motion that are this many frames apart."""
    if frames < 1:
        raise BadInput(f"the step must be 1 frame or more, got {frames}")
    first = np.arange(measure.n_frames - frames)
    usable = measure.comparable[first] & measure.comparable[first + frames]
    usable &= measure.ranges[first, 1] > first + frames
    first = first[usable]
    if not len(first):
        raise BadInput(f"no motion is long enough for a step of {frames} frames; give longer motions")
    first = first[:: -(-len(first) // SAMPLES)]
    return float(np.median(measure.pairs(first, first + frames)))


def nearest_distance(measure: Measure, own_frames: int = 20) -> float:
    """The median distance to the nearest neighbour, over frames sampled evenly from all motions.

    Args:
        measure: F frames.
        own_frames: frames of the same motion before and after that are excluded.
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
