"""From where a face is seen from the front."""

from collections.abc import Sequence

import numpy as np

from motionloom.features.face_words import read_names

LARGEST = 0.6  # metres that a face is long; larger sets of markers are bodies
FEWEST = 5  # markers of a face
ONE_SIDED = 0.02  # metres by which the left markers lie beside the right ones, at least, where sides are known


def find_face_front(names: Sequence[str], rest: np.ndarray) -> float | None:
    """The azimuth from which a face is seen from the front, radians: 0 is from +z, positive turns towards +x.

    Where names tell left from right, that says it; else the face is flat, and its middle stands out to the front.

    Args:
        names: M markers.
        rest: (M, 3) metres, y up: where they are on average; NaN where one was never seen.

    Returns:
        None for what is no face: too few markers, or too large.
    """
    seen = np.isfinite(rest).all(-1)
    places = rest[seen]
    if len(places) < FEWEST or np.ptp(places, axis=0).max() > LARGEST:
        return None
    sides = [word.side for word, is_seen in zip(read_names(names), seen) if is_seen]
    across = _left(places, sides)
    front = _bulge(places) if across is None else np.array([-across[1], across[0]])
    return float(np.arctan2(front[0], front[1]))


def _left(places: np.ndarray, sides: Sequence[str | None]) -> np.ndarray | None:
    """(2,) along x and z from the right of the face to its left; None where names do not tell."""
    left, right = (places[[each == side for each in sides]] for side in ("left", "right"))
    if not len(left) or not len(right):
        return None
    across = (left.mean(axis=0) - right.mean(axis=0))[[0, 2]]
    return across if np.hypot(*across) >= ONE_SIDED else None


def _bulge(places: np.ndarray) -> np.ndarray:
    """(2,) along x and z: the direction in which a face is flattest, to the side where its middle stands out."""
    from_middle = places - places.mean(axis=0)
    flat = np.linalg.svd(from_middle[:, [0, 2]], full_matrices=False)[2][1]
    depth = from_middle[:, [0, 2]] @ flat
    away = np.linalg.norm(from_middle - depth[:, None] * np.array([flat[0], 0, flat[1]]), axis=1)
    stands_out = np.cov(away, depth)[0, 1]
    if abs(stands_out) < 1e-12:
        return flat if flat[1] >= 0 else -flat
    return -np.sign(stands_out) * flat
