"""Settled feet: feet that rest are brought near the height at which those of the source do, before they are planted.

The hips are as high as the legs are long, so feet of straight legs come out at the right height. Where thighs and
shanks have other proportions, those of bent legs do not: a crouching body would hover, or sink in.
"""

import numpy as np

from motionloom.constraints.ground_following import raise_feet, spread_rises
from motionloom.features.feet import foot_points
from motionloom.motion import Footing, Motion

LEFT = 0.018  # of the leg's length: differences that are left to planting
FARTHEST = 0.12  # of the leg's length: larger ones are no matter of proportions, such as feet on different supports


def settle_feet(
    source: Motion,
    carried: Motion,
    contacts: np.ndarray,
    footings: tuple[Footing, Footing],
    floor_height: float,
) -> Motion:
    """Raise and lower resting feet, and the body with them, to about the height of the source's.

    Args:
        source: F frames.
        carried: the same frames on another skeleton, in the size of the source.
        contacts: (F, 4) bool: when heels and balls rest.
        footings: what the feet of both stand on.
        floor_height: metres, world.
    """
    old, new = (_heights(motion, contacts, each, floor_height) for motion, each in zip((source, carried), footings))
    misses = np.nan_to_num(old - new)  # (F, 4)
    for column in np.flatnonzero(contacts.any(axis=0)):
        misses[:, column] -= np.median(misses[contacts[:, column], column])  # soles and heels of other heights
    leg = carried.skeleton.leg_length
    rises = np.sign(misses) * np.maximum(np.abs(misses) - LEFT * leg, 0.0)
    rises[np.abs(misses) > FARTHEST * leg] = 0.0
    if not rises[contacts].any():
        return carried
    return raise_feet(carried, spread_rises(rises, contacts, np.zeros(contacts.shape, bool)))


def _heights(motion: Motion, contacts: np.ndarray, footing: Footing, floor_height: float) -> np.ndarray:
    """(F, 4) metres of heels and balls above what is under them; NaN for those that do not exist."""
    points = foot_points(motion, floor_height, ground=footing.ground)
    return np.asarray(points[..., 1] - footing.under(np.nan_to_num(points), contacts))
