"""Filled points: where points are missing, what the subspace makes of those that are seen beside them."""

import numpy as np

from motionloom.methods.dynamics.prior.subspace import Subspace, likeliest_coordinates


def fill_points(vectors: np.ndarray, subspace: Subspace) -> np.ndarray:
    """(F, D) vectors without nan.

    A missing number is what the likeliest coordinates of the others show, and what they do not show goes on from before
    the gap to after it.

    Args:
        vectors: (F, D) scaled; nan where a point is missing.
        subspace: of the vectors.
    """
    missing = np.isnan(vectors)
    if not missing.any():
        return vectors
    shown = subspace.to_vectors(np.array([likeliest_coordinates(subspace, vector) for vector in vectors]))
    rest, every = vectors - shown, np.arange(len(vectors))
    for column in np.flatnonzero(missing.any(axis=0)):
        seen = ~missing[:, column]
        rest[:, column] = np.interp(every, every[seen], rest[seen, column]) if seen.any() else 0.0
    return np.where(missing, shown + rest, vectors)
