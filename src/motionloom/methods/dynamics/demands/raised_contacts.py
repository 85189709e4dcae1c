"""Raised contacts: points that rest above the floor, how high the ground is along the way, and what is there."""

import numpy as np

from motionloom.features.feet import POINTS
from motionloom.methods.dynamics.demands.contact_demands import Contacts, RestingPoint
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.motion import Footing
from motionloom.motion.footing import Support
from motionloom.motion.ground import Box

RAISED = 0.03  # metres from the floor from which on a height that was asked for is no floor
HALF = 0.06  # metres from a point to the edge of what it rests on: heels and balls are farther apart than two of them


def ground_levels(contacts: Contacts, lift: float, n_frames: int) -> np.ndarray:
    """(F,) metres: how high the ground is under the body, between the heights that contacts were asked to rest at.

    Recorded bodies are on the floor, and heights of roots are counted from it. Zeros where nothing is raised.

    Args:
        contacts: of a request.
        lift: metres of the balls of feet above what they rest on.
        n_frames: F.
    """
    asked = [(point, _height(point, lift)) for point in contacts.points if np.isfinite(point.position[1])]
    if not any(abs(height) > RAISED for _, height in asked):
        return np.zeros(n_frames)
    middles = np.array([(point.start + point.stop - 1) / 2 for point, _ in asked])
    times, at = np.unique(middles, return_inverse=True)
    heights = np.bincount(at, [height for _, height in asked]) / np.bincount(at)
    return np.interp(np.arange(n_frames), times, heights)


def footing_of(contacts: Contacts, finished: Finished, lift: float) -> Footing:
    """What the feet of a motion stand on that were asked to rest above the floor; others rest on it."""
    supports = []
    for point in contacts.points:
        height = _height(point, lift)
        if point.column is None or not height > RAISED:
            continue
        x, _, z = np.median(finished.at(point.spot, np.arange(point.start, point.stop)), axis=0)
        supports.append(Support(Box((float(x), float(z)), (HALF, HALF), 0.0, height, 0.0), point.start, point.stop))
    return Footing(supports=tuple(supports))


def _height(point: RestingPoint, lift: float) -> float:
    return point.position[1] - _lift(point, lift)


def _lift(point: RestingPoint, lift: float) -> float:
    return lift if point.column is not None and POINTS[point.column].endswith("ball") else 0.0
