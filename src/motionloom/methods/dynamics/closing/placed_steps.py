"""Placed steps: feet that rest where they were asked to, each step moved as a whole."""

from collections.abc import Sequence

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.methods.dynamics.closing.legs import Foot, reach_feet, sides_with_legs
from motionloom.methods.dynamics.demands.contact_demands import RestingPoint
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.methods.dynamics.demands.point_demands import positions_of
from motionloom.motion import Motion, find_runs

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
        shift[held] = 0.0
        is_off = is_off or bool(np.abs(shift).max() > PLACED)
        known = np.flatnonzero(resting | held)
        change = np.zeros_like(shift)
        if len(known):
            change = spread_change(shift[known], known, motion.n_frames, FADE * motion.fps)
        feet[side] = finished.positions[:, ankle] + change, finished.turned[:, ankle]
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
            np.array(point.position)
            - positions_of(finished, point.spot, np.arange(point.start, point.stop)).mean(axis=0)
            for point in points
            if start <= point.start < stop
        ]
        given = np.isfinite(away)
        shift[start:stop] = np.where(given, away, 0.0).sum(axis=0) / np.maximum(given.sum(axis=0), 1)
    return shift, resting
