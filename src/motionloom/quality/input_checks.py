"""What every measure asks of a motion before it measures."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, foot_points
from motionloom.features.floor import check_floor
from motionloom.motion import Motion, check_motion


def check_contacts(contacts: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The contacts as (F, 4) bool, or a refusal: one row per frame, and none of a point that does not exist."""
    contacts = np.asarray(contacts)
    if contacts.shape != points.shape[:2]:
        raise BadInput(
            f"contacts {contacts.shape}; a motion of {len(points)} frames needs {points.shape[:2]}: {', '.join(POINTS)}"
        )
    if contacts.dtype.kind not in "biu":
        raise BadInput(f"contacts of type {contacts.dtype}; give true or false per frame and point")
    flags = contacts.astype(bool)
    claimed = flags.any(axis=0) & np.isnan(points).any(axis=(0, 2))
    if claimed.any():
        raise BadInput(
            f"contacts of {POINTS[int(claimed.argmax())]}, which the skeleton does not have; "
            "give it that role with Skeleton.with_roles, or leave these contacts false"
        )
    return flags


def check_points(motion: Motion, points: np.ndarray | None, floor_height: float) -> np.ndarray:
    """The (F, 4, 3) heels and balls to measure, NaN where there are none: those given, else those of the motion."""
    check_floor(floor_height)
    motion = check_motion(motion)
    points = foot_points(motion, floor_height) if points is None else np.asarray(points, np.float64)
    expected = (motion.n_frames, len(POINTS), 3)
    if points.shape != expected:
        raise BadInput(f"points {points.shape}; a motion of {motion.n_frames} frames needs {expected}")
    if np.isnan(points).any(axis=(0, 2)).all():
        known = ", ".join(sorted(motion.skeleton.roles)) or "none"
        raise BadInput(
            f"skeleton '{motion.skeleton.name}' has no feet to measure (roles: {known}); "
            "name left_foot and right_foot with Skeleton.with_roles"
        )
    return points
