"""Reached ankles: legs turned so that ankles are where they should be, within reach of where the root is."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom.constraints.root_reach import move_root
from motionloom.motion import Motion, hinges, kinematics, two_bone_ik

STRAIGHT, STRAIGHTEST = 0.985, 0.998  # of a leg: reach of one that is bent, and of one that is straight already
SPREAD = 0.3  # seconds over which a move of the root fades out


def reach_ankles(
    motion: Motion,
    ankles: Mapping[str, np.ndarray],
    turns: Mapping[str, np.ndarray],
    *,
    held: np.ndarray | None = None,
    spread: float = SPREAD,
) -> Motion:
    """Bring ankles to their places in all frames by two-bone IK, with the least move of the root that it takes.

    Args:
        motion: F frames.
        ankles: (F, 3) metres, world, by the side of the body.
        turns: (F, 4) foot to world, by the same sides.
        held: (F,) bool: frames in which the root does not move; None for none.
        spread: seconds over which a move of the root fades out.
    """
    root = motion.root_positions + _root_moves(motion, ankles, held, spread)
    local = np.array(motion.local_rotations, float)
    for side, places in ankles.items():
        local, _ = two_bone_ik.reach(motion.skeleton, root, local, f"{side}_leg", places, end_rotations=turns[side])
    return replace(motion, root_positions=root, local_rotations=local)


def _root_moves(motion: Motion, ankles: Mapping[str, np.ndarray], held: np.ndarray | None, spread: float) -> np.ndarray:
    """(F, 3) metres: the least translation of the root that brings ankles within reach."""
    if not ankles:
        return np.zeros((motion.n_frames, 3))
    skeleton, positions = motion.skeleton, kinematics.world_positions(motion)
    hips, own = (
        np.stack([positions[:, skeleton.index(f"{side}_{role}")] for side in ankles], axis=1)
        for role in ("hip", "foot")
    )
    lengths = np.array([sum(hinges.rest_lengths(skeleton, f"{side}_leg")) for side in ankles])
    reaches = np.clip(np.linalg.norm(hips - own, axis=-1), STRAIGHT * lengths, STRAIGHTEST * lengths)
    goals = np.stack(list(ankles.values()), axis=1)
    stays = np.zeros(motion.n_frames, bool) if held is None else held
    return move_root(hips, goals, reaches, stays, fps=motion.fps, spread=spread)
