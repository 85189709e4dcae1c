"""Placement: a rigid transform on the ground, rotation about y and translation along x and z."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.motion import Motion


@dataclass(frozen=True, eq=False)
class Placement:
    """A rigid transform on the ground: rotation about y, then translation along x and z."""

    heading: float  # radians about +y; positive turns left, +z towards +x
    slide: np.ndarray  # (2,) metres along x and z

    @staticmethod
    def none() -> "Placement":
        return Placement(0.0, np.zeros(2))


def compose(second: Placement, first: Placement) -> Placement:
    """The composition: first, then second."""
    return Placement(second.heading + first.heading, turn_ground(first.slide, second.heading) + second.slide)


def invert(placement: Placement) -> Placement:
    """The inverse placement."""
    return Placement(-placement.heading, turn_ground(-placement.slide, -placement.heading))


def place_points(points: np.ndarray, placement: Placement) -> np.ndarray:
    """Apply a placement to (..., 3) points."""
    x, z = np.moveaxis(turn_ground(points[..., [0, 2]], placement.heading) + placement.slide, -1, 0)
    return np.stack([x, points[..., 1], z], axis=-1)


def place(motion: Motion, placement: Placement) -> Motion:
    """Apply a placement to a motion; local rotations below the root stay the same."""
    local_rotations = motion.local_rotations.copy()
    turn = rotations.about_y(placement.heading)
    local_rotations[:, 0] = rotations.multiply(turn, motion.local_rotations[:, 0])
    return replace(
        motion, root_positions=place_points(motion.root_positions, placement), local_rotations=local_rotations
    )


def turn_ground(xz: np.ndarray, heading: np.ndarray | float) -> np.ndarray:
    """Rotate (..., 2) ground vectors (x, z) about y; a positive heading turns +z towards +x."""
    c, s = np.cos(heading), np.sin(heading)
    x, z = xz[..., 0], xz[..., 1]
    return np.stack([c * x + s * z, -s * x + c * z], axis=-1)


def direction_of(heading: np.ndarray | float) -> np.ndarray:
    """The (..., 2) unit ground vector (x, z) of a heading."""
    return np.stack([np.sin(heading), np.cos(heading)], axis=-1)


def heading_of(xz: np.ndarray) -> np.ndarray:
    """The heading, (...) radians, of (..., 2) ground vectors (x, z)."""
    return np.arctan2(xz[..., 0], xz[..., 1])
