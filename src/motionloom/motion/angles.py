"""Angles in radians, wrapped to [-pi, pi)."""

import math

import numpy as np


def wrap_angles(angles: np.ndarray) -> np.ndarray:
    """Angles in [-pi, pi)."""
    return (angles + np.pi) % (2 * np.pi) - np.pi


def wrap_angle(angle: float) -> float:
    """`wrap_angles` of a scalar."""
    return float((angle + np.pi) % (2 * np.pi) - np.pi)


def wrap_outside(angles: np.ndarray) -> np.ndarray:
    """Angles in [-pi, pi); those inside already are bitwise unchanged, which is a little slower.

    Players of hub graphs in other languages compute the same bits.
    """
    return angles - 2 * np.pi * np.floor((angles + np.pi) / (2 * np.pi))


def wrap_angle_outside(angle: float) -> float:
    """`wrap_outside` of a scalar."""
    return angle - 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))
