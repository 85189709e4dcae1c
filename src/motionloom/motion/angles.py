"""Angles in radians, wrapped to half a turn to either side."""

import math

import numpy as np


def wrap_angles(angles: np.ndarray) -> np.ndarray:
    """Angles in [-pi, pi)."""
    return (angles + np.pi) % (2 * np.pi) - np.pi


def wrap_angle(angle: float) -> float:
    """As `wrap_angles`, of one."""
    return float((angle + np.pi) % (2 * np.pi) - np.pi)


def wrap_outside(angles: np.ndarray) -> np.ndarray:
    """Angles in [-pi, pi): those that are there already stay, bit for bit, which costs a little more.

    Players of hub graphs in other languages do the same, with the same bits.
    """
    return angles - 2 * np.pi * np.floor((angles + np.pi) / (2 * np.pi))


def wrap_angle_outside(angle: float) -> float:
    """As `wrap_outside`, of one."""
    return angle - 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))
