"""Input checks that all quality measures share: contacts and foot points."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, foot_points
from motionloom.features.floor import check_floor
from motionloom.motion import Footing, Motion, check_motion


def check_contacts(contacts: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The contacts as (F, 4) bool; raises if their shape is wrong or a point without a joint is in contact."""
    contacts = np.asarray(contacts)
    if contacts.shape != points.shape[:2]:
        raise BadInput(
            f"contacts have shape {contacts.shape}, expected {points.shape[:2]}: one row per frame, with "
            f"{', '.join(POINTS)}"
        )
    if contacts.dtype.kind not in "biu":
        raise BadInput(f"contacts have type {contacts.dtype}, expected bool")
    flags = contacts.astype(bool)
    claimed = flags.any(axis=0) & np.isnan(points).any(axis=(0, 2))
    if claimed.any():
        raise BadInput(
            f"contacts of {POINTS[int(claimed.argmax())]} are given, but the skeleton has no joint with that role; "
            "assign the role with Skeleton.with_roles, or leave these contacts false"
        )
    return flags


def check_points(
    motion: Motion, points: np.ndarray | None, floor_height: float, footing: Footing | None = None
) -> np.ndarray:
    """(F, 4, 3) heels and balls, NaN for missing feet: those given, else those of the motion; raises if invalid."""
    check_floor(floor_height)
    motion = check_motion(motion)
    ground = None if footing is None else footing.ground
    points = foot_points(motion, floor_height, ground=ground) if points is None else np.asarray(points, np.float64)
    expected = (motion.n_frames, len(POINTS), 3)
    if points.shape != expected:
        raise BadInput(f"points have shape {points.shape}, expected {expected}")
    if np.isnan(points).any(axis=(0, 2)).all():
        known = ", ".join(sorted(motion.skeleton.roles)) or "none"
        raise BadInput(
            f"skeleton '{motion.skeleton.name}' has no feet to measure (roles: {known}); "
            "assign left_foot and right_foot with Skeleton.with_roles"
        )
    return points
