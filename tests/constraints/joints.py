"""Where joints of a motion are and how they are turned, for the tests of inverse kinematics."""

import numpy as np

from motionloom.motion import Motion, kinematics

ARM = ("left_shoulder", "left_elbow")


def joint_positions(motion: Motion, joint: str) -> np.ndarray:
    """(F, 3) metres, world."""
    return kinematics.world_positions(motion)[:, motion.skeleton.index(joint)]


def joint_rotations(motion: Motion, joint: str) -> np.ndarray:
    """(F, 4) unit quaternions, world."""
    return kinematics.world(motion)[1][:, motion.skeleton.index(joint)]
