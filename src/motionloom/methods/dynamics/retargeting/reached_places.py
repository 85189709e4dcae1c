"""Reached places: legs turned so that ankles are where they should be, within reach of where the root is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.constraints.reached_ankles import reach_ankles
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.features.feet import SIDES, columns_of
from motionloom.methods.dynamics.retargeting.scaled_steps import GROUND, Step
from motionloom.motion import Motion, find_runs, kinematics, rotations


@dataclass(frozen=True, eq=False)
class AnkleGoal:
    """Where an ankle should be while its foot rests."""

    frames: np.ndarray  # (n,) ascending
    positions: np.ndarray  # (n, 3) metres, world
    orientations: np.ndarray  # (n, 4) foot to world


def find_goals(motion: Motion, points: np.ndarray, contacts: np.ndarray, steps: Sequence[Step]) -> dict[str, AnkleGoal]:
    """Of each side: the ankle of a motion, moved with each step to its place, where resting points stay.

    Args:
        motion: F frames.
        points: (F, 4, 3) metres, world: its heels and balls; NaN for those that do not exist.
        contacts: (F, 4) bool: which of them rest.
        steps: with their places.
    """
    positions, turned = kinematics.world(motion)
    goals = {}
    for side in dict.fromkeys(step.side for step in steps):
        own, ankle = [step for step in steps if step.side == side], motion.skeleton.index(f"{side}_foot")
        frames = np.concatenate([np.arange(step.start, step.stop) for step in own])
        shifts = np.concatenate([_shifts(step, points, contacts) for step in own])
        goals[side] = AnkleGoal(frames, positions[frames, ankle] + shifts, turned[frames, ankle])
    return goals


def _shifts(step: Step, points: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """(n, 3) metres that a foot moves in each frame of a step.

    A point that rests alone stays where it is at the median of its run; of two, their middle does.
    """
    frames, columns = slice(step.start, step.stop), columns_of(step.side)
    own = points[frames, columns[0] : columns[-1] + 1]  # (n, 2, 3)
    rests = contacts[frames, columns[0] : columns[-1] + 1] & np.isfinite(own[..., 0])
    misses = np.zeros_like(own)
    for number in range(len(columns)):
        for start, stop in find_runs(rests[:, number]):
            run = own[start:stop, number]
            misses[start:stop, number] = np.median(run, axis=0) - run
    shifts = misses.sum(axis=1) / rests.sum(axis=1)[:, None]
    moved = points.copy()
    moved[frames] += shifts[:, None]
    shifts[:, GROUND] += step.shift(moved)
    return np.asarray(shifts)


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


def raise_feet(motion: Motion, rises: np.ndarray) -> Motion:
    """Raise feet by (F, 2) metres, left and right, turned as they are."""
    if not rises.any():
        return motion
    positions, turned = kinematics.world(motion)
    sides = {side: number for number, side in enumerate(SIDES) if motion.skeleton.has(f"{side}_foot")}
    joints = {side: motion.skeleton.index(f"{side}_foot") for side in sides}
    up = np.array([0.0, 1.0, 0.0])
    ankles = {side: positions[:, joints[side]] + rises[:, number, None] * up for side, number in sides.items()}
    return reach_ankles(motion, ankles, {side: turned[:, joint] for side, joint in joints.items()})
