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
        moves = [_moves(step, points, contacts, positions[:, ankle]) for step in own]
        shifts, turns = (np.concatenate(each) for each in zip(*moves))
        orientations = rotations.multiply(rotations.about_y(turns), turned[frames, ankle])
        goals[side] = AnkleGoal(frames, positions[frames, ankle] + shifts, orientations)
    return goals


def _moves(step: Step, points: np.ndarray, contacts: np.ndarray, ankles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How a foot moves in each frame of a step: (n, 3) metres, and (n,) radians that it turns about its ankle.

    A point that rests alone comes to where it should be; of two, their middle does, and the foot turns towards both.
    """
    frames, columns = slice(step.start, step.stop), columns_of(step.side)
    own = points[frames, columns[0] : columns[-1] + 1]  # (n, 2, 3)
    rests = contacts[frames, columns[0] : columns[-1] + 1] & np.isfinite(own[..., 0])
    still = _still(own, rests, [column in step.columns and len(step.columns) == 1 for column in columns])
    both = np.flatnonzero(rests.all(axis=1))
    turns = np.zeros(len(own))
    if len(both):
        wrong = _headings(still[both]) - _headings(own[both])
        turns = np.interp(np.arange(len(own)), both, (wrong + np.pi) % (2 * np.pi) - np.pi)
    about = ankles[frames, None]
    moved = about + rotations.rotate(rotations.about_y(turns)[:, None], own - about)
    shifts = np.where(rests[..., None], still - moved, 0.0).sum(axis=1) / rests.sum(axis=1)[:, None]
    after = points.copy()
    after[frames, columns[0] : columns[-1] + 1] = moved + shifts[:, None]
    shifts[:, GROUND] += step.shift(after)
    return shifts, turns


def _still(own: np.ndarray, rests: np.ndarray, is_place: Sequence[bool]) -> np.ndarray:
    """(n, 2, 3) metres: where heel and ball stay in each run of their contacts; in all runs if they are the place."""
    still = own.copy()
    for number in range(len(is_place)):
        for start, stop in find_runs(rests[:, number]):
            still[start:stop, number] = np.median(own[start:stop, number], axis=0)
        if is_place[number]:
            still[:, number, GROUND] = np.median(own[rests[:, number], number][:, GROUND], axis=0)
    return still


def _headings(feet: np.ndarray) -> np.ndarray:
    """(n,) radians about the vertical: where (n, 2, 3) heels and balls point."""
    along = feet[:, 1] - feet[:, 0]
    return np.arctan2(along[:, 0], along[:, 2])


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
