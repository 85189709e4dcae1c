"""Reached places: legs turned so that ankles are where they should be, within reach of where the root is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.root_reach import move_root
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.motion import Motion, hinges, kinematics, rotations, two_bone_ik

STRAIGHT, STRAIGHTEST = 0.985, 0.998  # of a leg: reach of one that is bent, and of one that is straight already
ROOT_SPREAD = 0.3  # seconds over which a move of the root fades out


@dataclass(frozen=True, eq=False)
class AnkleGoal:
    """Where an ankle should be while its foot rests."""

    frames: np.ndarray  # (n,) ascending
    positions: np.ndarray  # (n, 3) metres, world
    orientations: np.ndarray  # (n, 4) foot to world


def reach_places(motion: Motion, goals: Mapping[str, AnkleGoal], fade: float) -> Motion:
    """Turn legs so that ankles are at their goals, with the least move of the root that brings them within reach.

    Args:
        motion: F frames.
        goals: by the side of the body.
        fade: seconds before and after a goal over which its change fades.
    """
    positions, turned = kinematics.world(motion)
    ankles, turns = {}, {}
    for side, goal in goals.items():
        frames, ankle = goal.frames, motion.skeleton.index(f"{side}_foot")
        twist = rotations.log(rotations.multiply(rotations.inverse(turned[frames, ankle]), goal.orientations))
        known = np.stack([goal.positions - positions[frames, ankle], twist], axis=1)
        change = spread_change(known, frames, motion.n_frames, fade * motion.fps)
        ankles[side] = positions[:, ankle] + change[:, 0]
        turns[side] = rotations.multiply(turned[:, ankle], rotations.exp(change[:, 1]))
    root = motion.root_positions + _root_moves(motion, positions, ankles)
    local = np.array(motion.local_rotations, float)
    for side, places in ankles.items():
        local, _ = two_bone_ik.reach(motion.skeleton, root, local, f"{side}_leg", places, end_rotations=turns[side])
    return replace(motion, root_positions=root, local_rotations=local)


def _root_moves(motion: Motion, positions: np.ndarray, ankles: Mapping[str, np.ndarray]) -> np.ndarray:
    """(F, 3) metres: the least translation of the root that brings ankles within reach."""
    if not ankles:
        return np.zeros((motion.n_frames, 3))
    skeleton = motion.skeleton
    hips, own = (
        np.stack([positions[:, skeleton.index(f"{side}_{role}")] for side in ankles], axis=1)
        for role in ("hip", "foot")
    )
    lengths = np.array([sum(hinges.rest_lengths(skeleton, f"{side}_leg")) for side in ankles])
    reaches = np.clip(np.linalg.norm(hips - own, axis=-1), STRAIGHT * lengths, STRAIGHTEST * lengths)
    goals = np.stack(list(ankles.values()), axis=1)
    held = np.zeros(motion.n_frames, bool)
    return move_root(hips, goals, reaches, held, fps=motion.fps, spread=ROOT_SPREAD)
