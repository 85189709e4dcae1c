"""The same recording in other conventions: another up axis, another unit, another rest pose; the motion stays."""

from itertools import product
from pathlib import Path

import numpy as np

from motionloom.formats import Source, bvh
from motionloom.motion import Motion, rest_pose, rotations

UPS = ("y", "z")
UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254}
RESTS = ("T", "A")
SIX = tuple((up, unit, RESTS[k % 2]) for k, (up, unit) in enumerate(product(UPS, UNITS)))  # each rest with each axis
ARM_DOWN = np.radians(50.0)  # of an A-pose
ON_ITS_SIDE = rotations.about_axis(np.array([0.0, 0.0, 1.0]), np.pi / 2)  # from y up to -x
ON_ITS_BACK = rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.pi / 2)  # from y up to z


def rewrite(path: Path, motion: Motion, up: str, unit: str, rest: str) -> Path:
    """Write a motion as BVH: same movement in the world, other axes, unit and rest pose.

    Args:
        path: of the file.
        motion: in metres, y up.
        up: up axis of the file.
        unit: one of `UNITS`.
        rest: "T" or "A", or "side" or "back" for a rest pose that lies.
    """
    written = rest_pose.rebase(motion, rest_rotations(motion, rest))
    source = Source(str(path), "bvh", "", motion.fps, UNITS[unit], up)
    bvh.write(path, written, source, rest="keep")
    return path


def rest_rotations(motion: Motion, rest: str) -> np.ndarray:
    """(J, 4) joint-to-world rotations of a rest pose, in the joint frames of the motion."""
    turned = rest_pose.t_pose(motion.skeleton)
    if rest == "A":
        for side, sign in (("left", -1.0), ("right", 1.0)):
            lower = rotations.about_axis(np.array([0.0, 0.0, 1.0]), sign * ARM_DOWN)
            for joint in range(motion.skeleton.n_joints):
                if motion.skeleton.index(f"{side}_shoulder") in motion.skeleton.chain(joint):
                    turned[joint] = rotations.multiply(lower, turned[joint])
    lying = {"side": ON_ITS_SIDE, "back": ON_ITS_BACK}
    return rotations.multiply(lying[rest], turned) if rest in lying else turned
