"""Foot strikes: the frames in which a foot comes into contact."""

import numpy as np

from motionloom.features.contacts import find_runs

LEFT, RIGHT = 0, 1


def feet_down(contacts: np.ndarray) -> np.ndarray:
    """(F, 2) bool from (F, 4) contacts: the left and the right foot is in contact, by heel or ball."""
    return np.stack([contacts[:, :2].any(axis=1), contacts[:, 2:].any(axis=1)], axis=-1)


def find_strikes(contacts: np.ndarray) -> np.ndarray:
    """Foot strikes in temporal order.

    Args:
        contacts: (F, 4) bool, heel and ball of the left and the right foot.

    Returns:
        (S, 2) int: the first frame of each contact, and `LEFT` or `RIGHT`. Contacts that begin in frame 0 are left out:
        their strike was before the motion.
    """
    down = feet_down(contacts)
    strikes = [(start, side) for side in (LEFT, RIGHT) for start, _ in find_runs(down[:, side]) if start > 0]
    return np.array(sorted(strikes), int).reshape(-1, 2)
