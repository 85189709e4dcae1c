"""How many pose groups recordings ask for."""

import numpy as np

from motionloom.methods.buildup.poses.pose_groups import first_centres
from motionloom.similarity import JointAngles, natural_step

SAME_POSE = 0.3  # seconds: what a body is doing that much later is another pose to a person
LEAST, MOST = 8, 96


def suggest_group_count(measure: JointAngles, fps: float, rng: np.random.Generator) -> int:
    """As many as it takes until a usual pose is as near to one that shows it as to itself a third of a second later.

    Frames far from each other are drawn one after another, as at the beginning of grouping, until that is so.

    Args:
        measure: of the frames.
        fps: frames per second.
        rng: random number generator.
    """
    most = min(MOST, measure.n_frames)
    shift = max(min(round(SAME_POSE * fps), int(np.diff(measure.starts).max()) - 1), 1)
    if int(np.diff(measure.starts).max()) < 2:
        return min(LEAST, most)
    _, errors = first_centres(measure, most, rng)
    far = np.flatnonzero(errors / measure.n_frames <= natural_step(measure, shift) ** 2)
    count = int(far[0]) + 1 if len(far) else most
    return min(max(count, min(LEAST, most)), most)
