"""Steps: when a foot comes down."""

import numpy as np

from motionloom.features.contacts import find_runs

LEFT, RIGHT = 0, 1


def feet_down(contacts: np.ndarray) -> np.ndarray:
    """(F, 2) bool from (F, 4) contacts: the left and the right foot rest, on the heel or on the ball."""
    return np.stack([contacts[:, :2].any(axis=1), contacts[:, 2:].any(axis=1)], axis=-1)


def find_strikes(contacts: np.ndarray) -> np.ndarray:
    """When feet come down, in the order of time.

    Args:
        contacts: (F, 4) bool, heel and ball of the left and the right foot.

    Returns:
        (S, 2) int: the first frame of each contact, and `LEFT` or `RIGHT`. Feet that rest in frame 0 already came down
        before the take and are left out.
    """
    down = feet_down(contacts)
    strikes = [(start, side) for side in (LEFT, RIGHT) for start, _ in find_runs(down[:, side]) if start > 0]
    return np.array(sorted(strikes), int).reshape(-1, 2)
