"""Legs: feet brought to where they have to be; the root moves where legs are too short."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom.constraints.root_reach import move_root
from motionloom.features.feet import SIDES
from motionloom.motion import Motion, Skeleton, hinges, kinematics, two_bone_ik

STRAIGHT = 0.985  # of a leg's length: beyond it the root moves, unless the leg was straighter before
SPREAD = 0.08  # seconds over which a translation of the root fades out

Foot = tuple[np.ndarray, np.ndarray]  # (F, 3) metres, world, of an ankle, and (F, 4) foot to world


def sides_with_legs(skeleton: Skeleton) -> list[str]:
    """Of left and right those with hip, knee and foot."""
    return [side for side in SIDES if skeleton.has(f"{side}_hip", f"{side}_knee", f"{side}_foot")]


def reach_feet(motion: Motion, feet: Mapping[str, Foot], held: np.ndarray) -> Motion:
    """The motion with its feet at other places.

    Args:
        motion: of a skeleton with these legs.
        feet: by side, where ankles have to be, and how feet are turned.
        held: (F,) bool: frames in which the root does not move.
    """
    if not feet:
        return motion
    skeleton = motion.skeleton
    positions, _ = kinematics.world(motion)
    hips, own = (
        np.stack([positions[:, skeleton.index(f"{side}_{role}")] for side in feet], axis=1) for role in ("hip", "foot")
    )
    lengths = np.array([sum(hinges.rest_lengths(skeleton, f"{side}_leg")) for side in feet])
    reaches = np.maximum(np.linalg.norm(hips - own, axis=-1), STRAIGHT * lengths)
    ankles = np.stack([foot[0] for foot in feet.values()], axis=1)
    moved = move_root(hips, ankles, reaches, held, fps=motion.fps, spread=SPREAD)
    root = np.asarray(motion.root_positions, float) + moved
    local = np.array(motion.local_rotations, float)
    for side, (places, turned) in feet.items():
        local, _ = two_bone_ik.reach(skeleton, root, local, f"{side}_leg", places, end_rotations=turned)
    return replace(motion, root_positions=root, local_rotations=local)
