"""Subspace: the few directions in which the poses of a behaviour vary (principal components; section 3.1)."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.principal_components import count_components, principal_components

SEEN = np.radians(0.1)  # scaled deviation of known numbers of a vector whose coordinates are looked for


@dataclass(frozen=True, eq=False)
class Subspace:
    """y = C x + D: vectors of D numbers from d coordinates."""

    directions: np.ndarray  # (D, d) orthonormal columns
    middle: np.ndarray  # (D,)
    variances: np.ndarray  # (D,) along all principal components, the largest first

    @property
    def size(self) -> int:
        """d."""
        return self.directions.shape[1]

    @property
    def share(self) -> float:
        """Of all variance that it holds."""
        return float(self.variances[: self.size].sum() / max(self.variances.sum(), 1e-300))

    def to_coordinates(self, vectors: np.ndarray) -> np.ndarray:
        """(..., d) of (..., D)."""
        return (vectors - self.middle) @ self.directions

    def to_vectors(self, coordinates: np.ndarray) -> np.ndarray:
        """(..., D) of (..., d)."""
        return coordinates @ self.directions.T + self.middle

    def rest(self, vectors: np.ndarray) -> np.ndarray:
        """(..., D) what it cannot show of vectors."""
        return vectors - self.to_vectors(self.to_coordinates(vectors))


def learn_subspace(
    vectors: np.ndarray, dimensions: int | None = None, share: float = 0.999, most: int = 40
) -> Subspace:
    """The principal components of (F, D) vectors.

    Args:
        vectors: of all frames.
        dimensions: d; None for as many as hold a share of all variance.
        share: of the variance that the dimensions hold at least.
        most: dimensions that are chosen by their share.
    """
    n_frames, size = vectors.shape
    if dimensions is not None and not 1 <= dimensions <= size:
        raise BadInput(f"{dimensions} dimensions for poses of {size} numbers; give 1 to {size}")
    middle = vectors.mean(axis=0)
    variances, directions = principal_components(np.cov(vectors.T, bias=True).reshape(size, size))
    variances = np.maximum(variances, 0.0)
    count = dimensions or min(count_components(variances, share), most)
    if count > n_frames:
        raise BadInput(f"{count} dimensions from {n_frames} frames; give more frames or fewer dimensions")
    return Subspace(np.ascontiguousarray(directions[:, :count]), middle, variances)


def likeliest_coordinates(subspace: Subspace, vector: np.ndarray) -> np.ndarray:
    """(d,) of a (D,) vector that is known in part; nan is unknown."""
    known = np.isfinite(vector)
    shown = subspace.directions[known]
    spread = np.maximum(subspace.variances[: subspace.size], 1e-12)
    products = shown.T @ shown / SEEN**2 + np.diag(1 / spread)
    return np.linalg.solve(products, shown.T @ (vector - subspace.middle)[known] / SEEN**2)
