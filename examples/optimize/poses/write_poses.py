"""Write the key poses of a baby's walk, a cartoon's walk and a step over an obstacle, by angles.

python examples/optimize/poses/write_poses.py examples/optimize/poses
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom import formats
from motionloom.motion import Motion, kinematics, mirror, rotations
from motionloom.performer.body.skeleton import build_skeleton

SKELETON = build_skeleton()

# Degrees: (forwards, outwards) of hips and upper arms, which hang down at 0; bends of knees and elbows, whose forearms
# point (forwards, upwards); a foot has its toes up.
POSES = {
    "baby_step": {
        "trunk": (8, 0), "left_leg": (32, 14, 38, 6), "right_leg": (6, 14, 34, 26),
        "left_arm": (10, 75, 15, 75), "right_arm": (10, 75, 15, 75),
    },
    "baby_lift": {
        "trunk": (8, -9), "left_leg": (24, 4, 40, 16), "right_leg": (52, 26, 76, 10),
        "left_arm": (10, 82, 15, 75), "right_arm": (10, 66, 15, 75),
    },
    "cartoon_step": {
        "trunk": (-8, 0), "left_leg": (28, 3, 4, -6), "right_leg": (-16, 3, 26, -10),
        "left_arm": (-38, 28, 80, 0), "right_arm": (58, 14, 85, 0),
    },
    "cartoon_lift": {
        "trunk": (-10, -3), "left_leg": (4, 0, 8, 4), "right_leg": (82, 6, 92, 8),
        "left_arm": (12, 28, 88, 0), "right_arm": (12, 28, 88, 0),
    },
    "obstacle_first_leg": {
        "trunk": (10, -4), "left_leg": (98, 8, 100, 14), "right_leg": (4, 0, 10, 6),
        "left_arm": (-12, 22, 30, 0), "right_arm": (34, 22, 40, 0),
    },
    "obstacle_second_leg": {
        "trunk": (16, 4), "left_leg": (8, 0, 14, 6), "right_leg": (48, 30, 112, -8),
        "left_arm": (38, 24, 40, 0), "right_arm": (-8, 26, 30, 0),
    },
}  # fmt: skip


def main(folder: str) -> None:
    for name, angles in POSES.items():
        pose = on_the_floor(make_pose(**angles))
        formats.write(Path(folder) / f"{name}_left.bvh", pose)
        formats.write(Path(folder) / f"{name}_right.bvh", mirror(pose))


def make_pose(
    trunk: tuple[float, float],
    left_leg: tuple[float, float, float, float],
    right_leg: tuple[float, float, float, float],
    left_arm: tuple[float, float, float, float],
    right_arm: tuple[float, float, float, float],
) -> Motion:
    """One frame of the performer's body."""
    local = np.tile([1.0, 0, 0, 0], (1, SKELETON.n_joints, 1))
    lean, side = np.radians(trunk)
    for part in ("spine", "chest"):
        local[0, SKELETON.index(part)] = turn(lean / 2, 0.0, side / 2)
    for sign, way, leg, arm in ((1, "left", left_leg, left_arm), (-1, "right", right_leg, right_arm)):
        forwards, outwards, bend, toes = np.radians(leg)
        local[0, SKELETON.index(f"{way}_hip")] = turn(-forwards, 0.0, sign * outwards)
        local[0, SKELETON.index(f"{way}_knee")] = turn(bend, 0.0, 0.0)
        local[0, SKELETON.index(f"{way}_foot")] = turn(-toes, 0.0, 0.0)
        forwards, outwards, ahead, up = np.radians(arm)
        local[0, SKELETON.index(f"{way}_shoulder")] = turn(-forwards, 0.0, sign * (outwards - np.pi / 2))
        local[0, SKELETON.index(f"{way}_elbow")] = turn(0.0, -sign * ahead, sign * up)
    return Motion(SKELETON, np.zeros((1, 3)), local, 60.0)


def turn(x: float, y: float, z: float) -> np.ndarray:
    """About z, then y, then x."""
    return rotations.from_euler(np.array([x, y, z]), "XYZ")


def on_the_floor(pose: Motion) -> Motion:
    """Moved up or down until the lower foot stands."""
    feet = [SKELETON.index(f"{side}_{part}") for side in ("left", "right") for part in ("foot", "ball")]
    positions = kinematics.world_positions(pose)[0, feet, 1] - np.array([0.07, 0.0, 0.07, 0.0])
    return replace(pose, root_positions=np.array([[0.0, -positions.min() + 0.02, 0.0]]))


if __name__ == "__main__":
    main(sys.argv[1])
