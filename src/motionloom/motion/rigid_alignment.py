"""Rigid alignment: the turn and shift that bring points nearest to others, in the sense of least squares (Kabsch)."""

import numpy as np


def align_rigidly(
    points: np.ndarray, targets: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The rotations (..., 3, 3) and shifts (..., 3) that bring points (..., n, 3) nearest to targets (..., n, 3).

    Never a mirror image. Points that are too few, or on one line, are aligned in one of the many best ways.

    Args:
        points: metres; anything, NaN too, where the weight is 0.
        targets: metres; broadcast against the points.
        weights: (..., n) at least 0, of the squared distances; None for equal ones.
    """
    points, targets, shares = _shares(points, targets, weights)
    middle = np.einsum("...n,...ni->...i", shares, points)
    centre = np.einsum("...n,...ni->...i", shares, targets)
    apart = shares[..., None] * (points - middle[..., None, :])
    u, _, vt = np.linalg.svd(np.swapaxes(apart, -1, -2) @ (targets - centre[..., None, :]))
    flips = np.ones((*u.shape[:-2], 3))
    flips[..., 2] = np.where(np.linalg.det(u @ vt) < 0, -1.0, 1.0)
    turns = np.swapaxes((u * flips[..., None, :]) @ vt, -1, -2)
    return turns, centre - (turns @ middle[..., None])[..., 0]


def find_spreads(points: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """How far points (..., n, 3) reach from their middle along their own axes, the longest first: (..., 3) metres.

    A spread is the root of the sum of squares. The second is 0 for points on one line, which tell no rotation.

    Args:
        points: metres; anything where the weight is 0.
        weights: (..., n) at least 0, with a sum that is the number of points; None for 1 each.
    """
    n_points = np.full(np.shape(points)[:-2], float(np.shape(points)[-2])) if weights is None else np.sum(weights, -1)
    points, _, shares = _shares(points, points, weights)
    middle = np.einsum("...n,...ni->...i", shares, points)
    roots = np.sqrt(shares * np.asarray(n_points)[..., None])
    return np.linalg.svd(roots[..., None] * (points - middle[..., None, :]), compute_uv=False)


def _shares(
    points: np.ndarray, targets: np.ndarray, weights: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points and targets of one shape, 0 where they have no weight, and weights whose sum is 1, or 0 without any."""
    points, targets = np.broadcast_arrays(np.asarray(points, float), np.asarray(targets, float))
    given = np.ones(points.shape[:-1]) if weights is None else np.broadcast_to(weights, points.shape[:-1])
    counted = given[..., None] > 0
    total = given.sum(axis=-1, keepdims=True)
    shares = given / np.where(total > 0, total, 1.0)
    return np.where(counted, points, 0.0), np.where(counted, targets, 0.0), shares
