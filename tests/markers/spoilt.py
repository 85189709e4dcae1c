"""Markers put on moving bodies for the tests of fits, and how far joints are from where they were."""

import numpy as np

from motionloom.markers import MarkerSet
from motionloom.motion import Motion, PointMotion, Skeleton, kinematics


def three_on_each(skeleton: Skeleton) -> MarkerSet:
    """Three markers on every joint but toes, 8 cm apart and not on one line: they tell every rotation."""
    joints = [name for name in skeleton.names if "ToeBase" not in name]
    arms = np.array([[0.08, 0.0, 0.0], [0.0, 0.08, 0.0], [0.0, 0.0, 0.08]])
    names = tuple(f"{joint}{number}" for joint in joints for number in range(3))
    return MarkerSet(names, tuple(np.repeat(joints, 3).tolist()), np.tile(arms, (len(joints), 1)))


def standing(motion: Motion) -> Motion:
    """The motion with toes that do not bend, which no marker tells."""
    local = motion.local_rotations.copy()
    for joint, name in enumerate(motion.skeleton.names):
        if "ToeBase" in name:
            local[:, joint] = (1.0, 0.0, 0.0, 0.0)
    return Motion(motion.skeleton, motion.root_positions, local, motion.fps)


def with_positions(points: PointMotion, positions: np.ndarray) -> PointMotion:
    return PointMotion(points.names, positions, points.fps)


def joint_errors(fitted: Motion, truth: Motion) -> np.ndarray:
    """(F, J) metres."""
    return np.linalg.norm(kinematics.world_positions(fitted) - kinematics.world_positions(truth), axis=-1)
