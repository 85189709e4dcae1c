"""Reached places: legs turned so that ankles are where they should be, within reach of where the root is."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.constraints.reached_ankles import reach_ankles
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.motion import Motion, kinematics, rotations


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
    return reach_ankles(motion, ankles, turns)
