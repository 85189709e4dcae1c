"""Banded least squares with bounds: the smallest and smoothest change over frames that meets constraints.

Every frame has n unknowns. A change costs its size and, weighted by the fourth power of `spread`, its acceleration, as
a thin beam on an elastic foundation: around a constraint it fades out within a few times the spread, in value and
slope. Constraints are rows of least squares with a large weight on one frame or two consecutive ones. Bounds, such as
the floor, are met by a primal-dual interior point method whose steps are the same banded equations.
"""

from dataclasses import dataclass

import numpy as np

ROOMY = 0.01  # metres: minimum initial slack of a bound
FIRST_FORCE = 0.1  # initial multiplier of every bound
CLOSED = 1e-6  # duality measure at which bounds are met
CENTRED = 0.01  # lower limit of slack times multiplier, relative to their mean (centrality)
KEEP = 0.99  # fraction of the distance to the boundary that a step may take
STIFFEST = 1e7  # maximum weight of a bound, so that infeasible bounds do not spoil the rest


@dataclass(eq=False)
class NormalEquations:
    """The normal equations of a trajectory of n unknowns per frame; rows are added, then they are solved."""

    diagonal: np.ndarray  # (F, n, n) each frame with itself
    following: np.ndarray  # (F - 1, n, n) frame f (rows) with frame f + 1 (columns)
    skipping: np.ndarray  # (F - 2, n) frame f with frame f + 2, the same unknown of both
    right: np.ndarray  # (F, n)

    def add(self, frames: np.ndarray, rows: np.ndarray, values: np.ndarray, weights: np.ndarray | float) -> None:
        """Add rows @ x = values: rows (K, n), values (K,), weights (K,) or one, in frames (K,)."""
        from motionloom.constraints._kernels import add_rows

        weights = np.ascontiguousarray(np.broadcast_to(weights, values.shape), dtype=float).copy()
        rows, values = np.ascontiguousarray(rows), np.ascontiguousarray(values)
        add_rows(self.diagonal, self.right, frames, rows, values, weights)

    def hold(self, frames: np.ndarray, values: np.ndarray, weight: float) -> None:
        """Add x = values (K, n) in K different frames."""
        self.diagonal[frames] += weight * np.eye(values.shape[1])
        self.right[frames] += weight * values

    def add_steps(
        self, frames: np.ndarray, rows: np.ndarray, next_rows: np.ndarray, values: np.ndarray, weight: float
    ) -> None:
        """Add next_rows @ x[f + 1] - rows @ x[f] = values: rows (K, m, n), values (K, m), in frames (K,)."""
        from motionloom.constraints._kernels import add_step_rows

        add_step_rows(self.diagonal, self.following, self.right, frames, rows, next_rows, values, weight)

    def solve(self) -> np.ndarray:
        """The (F, n) unknowns."""
        from scipy.linalg import solveh_banded

        return solveh_banded(self.bands(), self.right.ravel(), lower=True, check_finite=False).reshape(self.right.shape)

    def bands(self) -> np.ndarray:
        """(2 n + 1, F n) the matrix in lower banded form: bands[i - j, j] is its element [i, j]."""
        from motionloom.constraints._kernels import fill_bands

        n_frames, n = self.right.shape
        bands = np.zeros((2 * n + 1, n_frames * n))
        fill_bands(self.diagonal, self.following, self.skipping, bands)
        return bands


def smallest_change(current: np.ndarray, spread: float, fps: float) -> NormalEquations:
    """The equations of a Newton step from a (F, n) change towards the smallest and smoothest one.

    Args:
        current: (F, n) the change so far, all unknowns in one unit; the solution is added to it.
        spread: seconds over which a change fades out.
        fps: frames per second.
    """
    n_frames, n = current.shape
    eye = np.eye(n)
    equations = NormalEquations(
        np.tile(eye, (n_frames, 1, 1)),
        np.zeros((max(n_frames - 1, 0), n, n)),
        np.zeros((max(n_frames - 2, 0), n)),
        -np.array(current, float),
    )
    stiffness = (spread * fps) ** 4
    bend = stiffness * (current[2:] - 2 * current[1:-1] + current[:-2])  # (F - 2, n)
    for offset, share in ((0, 1.0), (1, -2.0), (2, 1.0)):
        frames = slice(offset, n_frames - 2 + offset)
        equations.diagonal[frames] += stiffness * share * share * eye
        equations.right[frames] -= share * bend
    equations.following[: max(n_frames - 2, 0)] -= 2 * stiffness * eye
    equations.following[1:] -= 2 * stiffness * eye
    equations.skipping += stiffness
    return equations


@dataclass(eq=False)
class Bounds:
    """Inequality constraints, K gaps >= 0 in every frame, with slacks and multipliers of the interior point method."""

    exists: np.ndarray  # (F, K) bool: where there is a bound
    slacks: np.ndarray  # (F, K) metres, above 0
    forces: np.ndarray  # (F, K), above 0: Lagrange multipliers
    shrink: float = 0.2  # centring parameter: share of the duality measure that the next step aims at

    @staticmethod
    def of(gaps: np.ndarray, exists: np.ndarray) -> "Bounds":
        """Initial slacks and multipliers for (F, K) gaps, which may be negative."""
        return Bounds(exists, np.where(exists, np.maximum(gaps, ROOMY), ROOMY), np.full(gaps.shape, FIRST_FORCE))

    @property
    def openness(self) -> float:
        """The duality measure: the mean of slack times multiplier."""
        return float((self.slacks * self.forces)[self.exists].mean()) if self.exists.any() else 0.0

    def push(self, equations: NormalEquations, rows: np.ndarray, gaps: np.ndarray) -> None:
        """Add the bounds to the equations of a step: rows (F, K, n) are the Jacobian of the gaps (F, K)."""
        weights = np.where(self.exists, self.forces / self.slacks, 0.0)
        values = np.where(self.exists, self.shrink * self.openness / self.forces - (gaps - self.slacks), 0.0)
        for k in range(gaps.shape[1]):
            frames = np.flatnonzero(self.exists[:, k])
            equations.add(frames, rows[frames, k], values[frames, k], weights[frames, k])

    def follow(self, rows: np.ndarray, gaps: np.ndarray, step: np.ndarray) -> float:
        """Update slacks and multipliers by a step (F, n); returns the fraction of the step that is feasible, 0 to 1."""
        slack_steps = (rows @ step[..., None])[..., 0] + gaps - self.slacks
        aim = self.shrink * self.openness
        force_steps = (aim - self.forces * slack_steps) / self.slacks - self.forces
        part = self._part(self.slacks, slack_steps)
        self.slacks = self.slacks + np.where(self.exists, part * slack_steps, 0.0)
        self.forces = self.forces + np.where(self.exists, self._part(self.forces, force_steps) * force_steps, 0.0)
        least = np.maximum(CENTRED * self.openness / self.forces, self.forces / STIFFEST)
        self.slacks = np.maximum(self.slacks, least)
        self.shrink = 1.0 if self.openness < CLOSED / 10 else 0.1 if part > 0.9 else 0.3 if part > 0.5 else 0.6
        return part

    def _part(self, values: np.ndarray, steps: np.ndarray) -> float:
        """The fraction of steps that keeps values above 0."""
        shrinking = self.exists & (steps < 0)
        return min(1.0, float((-KEEP * values[shrinking] / steps[shrinking]).min(initial=1.0)))
