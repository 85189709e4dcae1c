"""Where the floor is under a take."""

import numpy as np

from motionloom.motion import Motion, kinematics


def estimate_floor(motion: Motion) -> float:
    """Estimate the height of the floor under a motion, in metres."""
    positions = kinematics.world_positions(motion)
    return float(np.percentile(positions[..., 1].min(axis=1), 10))
