"""Closed: a finished motion, and what the last pass did to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.motion import Footing, Motion, PointMotion, kinematics, rotations


@dataclass(frozen=True, eq=False)
class Closed:
    """A finished motion, and what the last pass did."""

    motion: Motion | PointMotion
    contacts: np.ndarray | None  # (F, 4) bool; None of points
    footing: Footing  # what feet stand on that were asked to rest above the floor
    reasons: Mapping[str, str]  # why hard demands are not met, by their names
    before: Motion | PointMotion

    @cached_property
    def changed(self) -> "Change":
        return change_of(self.before, self.motion)


@dataclass(frozen=True)
class Change:
    """How far the last pass moved joints, or points."""

    mean: float  # metres over joints or points, and frames
    most: float  # metres
    degrees: float  # the largest turn of a joint


def change_of(before: Motion | PointMotion, after: Motion | PointMotion) -> Change:
    """How far joints or points of one motion are from those of another."""
    moved = np.linalg.norm(positions_of(after) - positions_of(before), axis=-1)
    if isinstance(before, PointMotion) or isinstance(after, PointMotion):
        return Change(float(np.nanmean(moved)), float(np.nanmax(moved)), 0.0)
    turned = rotations.angle_between(after.local_rotations, before.local_rotations)
    return Change(float(moved.mean()), float(moved.max()), float(np.degrees(turned.max())))


def positions_of(motion: Motion | PointMotion) -> np.ndarray:
    """(F, J, 3) metres, world: all joints, or all points."""
    return motion.positions if isinstance(motion, PointMotion) else kinematics.world_positions(motion)
