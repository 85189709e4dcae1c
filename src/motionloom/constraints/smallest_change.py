"""The smoothest small change over frames that meets what is asked of it: banded least squares.

Every frame has n unknowns. A change costs its size and, weighted by the fourth power of `spread`, its acceleration, as
a thin beam on soft ground does: around a demand it fades out within a few times the spread, in value and in slope.
Demands are rows of least squares with a large weight that touch one frame or two that follow each other.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(eq=False)
class NormalEquations:
    """The normal equations of one trajectory of n unknowns per frame; rows are added, then it is solved."""

    diagonal: np.ndarray  # (F, n, n) each frame with itself
    following: np.ndarray  # (F - 1, n, n) frame f (rows) with frame f + 1 (columns)
    skipping: np.ndarray  # (F - 2, n) frame f with frame f + 2, the same unknown of both
    right: np.ndarray  # (F, n)

    def add(self, frames: np.ndarray, rows: np.ndarray, values: np.ndarray, weight: float) -> None:
        """Ask for rows @ x = values: rows (K, m, n), values (K, m), in K different frames."""
        self.diagonal[frames] += weight * np.swapaxes(rows, -1, -2) @ rows
        self.right[frames] += weight * (np.swapaxes(rows, -1, -2) @ values[..., None])[..., 0]

    def add_steps(
        self, frames: np.ndarray, rows: np.ndarray, next_rows: np.ndarray, values: np.ndarray, weight: float
    ) -> None:
        """Ask for next_rows @ x[f + 1] - rows @ x[f] = values: rows (K, m, n), values (K, m), in K different frames."""
        turned, next_turned = np.swapaxes(rows, -1, -2), np.swapaxes(next_rows, -1, -2)
        self.diagonal[frames] += weight * turned @ rows
        self.diagonal[frames + 1] += weight * next_turned @ next_rows
        self.following[frames] -= weight * turned @ next_rows
        self.right[frames] -= weight * (turned @ values[..., None])[..., 0]
        self.right[frames + 1] += weight * (next_turned @ values[..., None])[..., 0]

    def solve(self) -> np.ndarray:
        """The (F, n) unknowns."""
        from scipy.linalg import solveh_banded

        return solveh_banded(self.bands(), self.right.ravel(), lower=True, check_finite=False).reshape(self.right.shape)

    def bands(self) -> np.ndarray:
        """(2 n + 1, F n) the lower bands of the matrix: bands[i - j, j] is its element [i, j]."""
        n_frames, n = self.right.shape
        bands = np.zeros((2 * n + 1, n_frames, n))
        for a in range(n):
            for b in range(n):
                if a >= b:
                    bands[a - b, :, b] = self.diagonal[:, a, b]
                bands[n + a - b, :-1, b] = self.following[:, b, a]
        bands[2 * n, :-2] = self.skipping
        return bands.reshape(2 * n + 1, n_frames * n)


def smallest_change(current: np.ndarray, spread: float, fps: float) -> NormalEquations:
    """Start the equations of a step from a (F, n) change towards the least and smoothest one.

    Args:
        current: (F, n) the change so far, all unknowns in one unit; what is solved for is added to it.
        spread: seconds, over which a change fades out.
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
