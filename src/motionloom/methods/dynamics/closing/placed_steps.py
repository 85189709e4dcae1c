"""Placed steps: feet that rest where they were asked to, each step moved as a whole."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.methods.dynamics.closing.legs import Foot, reach_feet, sides_with_legs
from motionloom.methods.dynamics.demands.contact_demands import RestingPoint
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, find_runs, rotations

FADE = 0.25  # seconds around a step over which the change of its foot fades out
PLACED = 1e-4  # metres within which a step is where it was asked to be


def place_steps(motion: Motion, points: Sequence[RestingPoint], locked: Sequence[int] = ()) -> Motion:
    """Move steps to the places of their points; what is not given of a place stays.

    Args:
        motion: whose feet are planted.
        points: that rest.
        locked: frames whose root and feet do not change.
    """
    finished = Finished.of(motion)
    held = np.zeros(motion.n_frames, bool)
    held[list(locked)] = True
    feet: dict[str, Foot] = {}
    is_off = False
    for side in sides_with_legs(motion.skeleton):
        ankle = motion.skeleton.index(f"{side}_foot")
        own = [point for point in points if of_foot(motion, point, ankle)]
        shift, resting = _shifts(finished, own)
        turns = _set_down(finished, ankle, own, shift)
        shift[held], turns[held] = 0.0, 0.0
        is_off = is_off or bool(np.abs(shift).max() > PLACED)
        known = np.flatnonzero(resting | held)
        change = np.zeros((motion.n_frames, 2, 3))
        if len(known):
            both = np.stack([shift, turns], axis=1)
            change = spread_change(both[known], known, motion.n_frames, FADE * motion.fps)
        turned = rotations.multiply(finished.turned[:, ankle], rotations.exp(change[:, 1]))
        feet[side] = finished.positions[:, ankle] + change[:, 0], turned
    return reach_feet(motion, feet, held) if is_off else motion


def of_foot(motion: Motion, point: RestingPoint, ankle: int) -> bool:
    """Whether a point that rests is of a foot."""
    return ankle in motion.skeleton.chain(point.spot.joint)


def _shifts(finished: Finished, points: Sequence[RestingPoint]) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) metres by which steps have to move, the same in all frames of a step, and (F,) whether one rests."""
    n_frames = len(finished.positions)
    shift, resting = np.zeros((n_frames, 3)), np.zeros(n_frames, bool)
    for point in points:
        resting[point.start : point.stop] = True
    for start, stop in find_runs(resting):
        away = [
            np.array(point.position) - finished.at(point.spot, np.arange(point.start, point.stop)).mean(axis=0)
            for point in points
            if start <= point.start < stop
        ]
        given = np.isfinite(away)
        shift[start:stop] = np.where(given, away, 0.0).sum(axis=0) / np.maximum(given.sum(axis=0), 1)
    return shift, resting


def _set_down(finished: Finished, ankle: int, points: Sequence[RestingPoint], shift: np.ndarray) -> np.ndarray:
    """Soles that must lie exactly at a height do not move at all: heel and ball are both down.

    Args:
        finished: with planted feet.
        ankle: of the foot.
        points: of the foot that rest.
        shift: (F, 3) metres that the ankle moves, written over where a sole lies.

    Returns:
        (F, 3) rotation vectors of the foot in its own frame.
    """
    turns = np.zeros_like(shift)
    hard = [point for point in points if point.is_hard and point.column is not None and np.isfinite(point.position[1])]
    for one, other in combinations(hard, 2):
        if (one.start, one.stop) != (other.start, other.stop) or one.column == other.column:
            continue
        frames, heights = np.arange(one.start, one.stop), np.array([one.position[1], other.position[1]])
        own, was = finished.turned[frames, ankle], finished.positions[frames, ankle]
        here = np.stack([finished.at(point.spot, frames) for point in (one, other)])  # (2, n, 3)
        back = np.broadcast_to(rotations.inverse(own), (2, *own.shape))
        offsets = rotations.rotate(back, here - was).mean(axis=1)  # in the frame of the ankle
        turn = _level(rotations.mean(own), offsets, float(heights[1] - heights[0]))
        arms = rotations.rotate(np.stack([turn, turn]), offsets)
        goal = here.mean(axis=(0, 1)) + shift[one.start] - arms.mean(axis=0)
        goal[1] = (heights - arms[:, 1]).mean()
        named = [np.array(point.position) for point in points if point.column is None and point.spot == Spot(ankle)]
        for place in named:
            goal[[0, 2]] = np.where(np.isfinite(place[[0, 2]]), place[[0, 2]], goal[[0, 2]])
        shift[frames] = goal - was
        turns[frames] = rotations.log(rotations.multiply(rotations.inverse(own), turn))
    return turns


def _level(turned: np.ndarray, offsets: np.ndarray, rise: float) -> np.ndarray:
    """(4,) the orientation of a foot, pitched until the second of (2, 3) points is so much higher than the first."""
    along = rotations.rotate(turned, offsets[1] - offsets[0])
    length, flat = float(np.linalg.norm(along)), np.array([along[0], 0.0, along[2]])
    pitch = np.arcsin(np.clip(rise / length, -1, 1)) - np.arcsin(np.clip(along[1] / length, -1, 1))
    across = np.cross(flat, [0.0, 1.0, 0.0]) / max(float(np.linalg.norm(flat)), 1e-9)
    return np.asarray(rotations.multiply(rotations.exp(pitch * across), turned))
