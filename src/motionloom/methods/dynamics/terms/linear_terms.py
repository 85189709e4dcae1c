"""Linear terms: what is asked of poses and places directly."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.methods.dynamics.trajectory.normal_equations import Sums
from motionloom.methods.dynamics.trajectory.posed import Posed, Seen
from motionloom.motion.angles import wrap_angles


@dataclass(frozen=True, eq=False)
class PoseTerm:
    """Numbers of pose vectors at some samples."""

    rows: np.ndarray  # (n,) samples, each once
    columns: np.ndarray  # (k,) of the D numbers
    targets: np.ndarray  # (n, k) scaled
    deviations: np.ndarray  # (k,) scaled

    def _residuals(self, posed: Posed) -> np.ndarray:
        return (posed.vectors[self.rows[:, None], self.columns] - self.targets) / self.deviations

    def beside(self, sample: int, posed: Seen) -> np.ndarray:
        """(N, k) residuals of all N samples beside what is asked in the one that is its own so-many-th."""
        return np.asarray((posed.vectors[:, self.columns] - self.targets[sample]) / self.deviations)

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((self._residuals(posed) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        by_coordinates = posed.directions[self.columns] / self.deviations[:, None]  # (k, d), the same in every sample
        size = by_coordinates.shape[1]
        sums.blocks[self.rows, :size, :size] += by_coordinates.T @ by_coordinates
        sums.gradient[self.rows, :size] += self._residuals(posed) @ by_coordinates

    def within(self, rows: np.ndarray) -> "PoseTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        return replace(self, rows=own[kept], targets=self.targets[kept]) if kept.any() else None


@dataclass(frozen=True, eq=False)
class PlaceTerm:
    """Places on the ground, headings, or some of them, at some samples."""

    rows: np.ndarray  # (n,) samples, each once
    targets: np.ndarray  # (n, 3)
    deviations: np.ndarray  # (3,) metres and radians; inf for what is free

    def _residuals(self, posed: Posed) -> np.ndarray:
        away = posed.places[self.rows] - self.targets
        away[:, 2] = wrap_angles(away[:, 2])
        return away / self.deviations

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((self._residuals(posed) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        last = sums.gradient.shape[1] - 3 + np.arange(3)
        sums.blocks[self.rows[:, None], last, last] += 1 / self.deviations**2
        sums.gradient[self.rows[:, None], last] += self._residuals(posed) / self.deviations

    def within(self, rows: np.ndarray) -> "PlaceTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        return replace(self, rows=own[kept], targets=self.targets[kept]) if kept.any() else None


@dataclass(frozen=True, eq=False)
class LikelyTerm:
    """Whole pose vectors at some samples, as uncertain as they are along each direction of a subspace."""

    rows: np.ndarray  # (n,) samples, each once
    directions: np.ndarray  # (D, d) of the subspace
    targets: np.ndarray  # (n, D) scaled
    roots: np.ndarray  # (n, d, d) that coordinates are multiplied with to have unit deviations

    def _residuals(self, posed: Posed) -> np.ndarray:
        return (self.roots @ ((posed.vectors[self.rows] - self.targets) @ self.directions)[..., None])[..., 0]

    def cost(self, posed: Posed) -> float:
        """Half the sum of squares."""
        return 0.5 * float((self._residuals(posed) ** 2).sum())

    def add_to(self, sums: Sums, posed: Posed) -> None:
        """Add the gradient and the Gauss-Newton matrix."""
        moving = self.directions.T @ posed.directions  # (d, d + those beside the subspace), the same in every sample
        by_unknowns = self.roots @ moving
        padded = np.zeros((*by_unknowns.shape[:2], sums.gradient.shape[1]))
        padded[..., : moving.shape[1]] = by_unknowns
        sums.add(self.rows, self._residuals(posed), padded)

    def within(self, rows: np.ndarray) -> "LikelyTerm | None":
        """The part that is about some samples, by their new numbers, -1 of others; None if nothing is left."""
        own = rows[self.rows]
        kept = own >= 0
        return replace(self, rows=own[kept], targets=self.targets[kept], roots=self.roots[kept]) if kept.any() else None
