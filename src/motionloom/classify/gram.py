"""Gram matrices: the kernel between windows, computed incrementally for windows that are added."""

from dataclasses import dataclass

import numpy as np

from motionloom.classify.settings import Settings

GAMMA = {"laplace": 4.0, "gauss": 0.7, "both": 2.0}  # default, in mean distances between windows
AT_A_TIME = 128  # rows whose distances are computed together


@dataclass(frozen=True, eq=False)
class Gram:
    """The kernel between R windows: recorded against recorded, and recorded against mirrored."""

    rows: np.ndarray  # (R,) int: indices of the windows, in the order in which they were added
    values: np.ndarray  # (2, C, C) float32, C >= R: spare capacity; computed values are never changed
    left_out: np.ndarray  # (K,) int: verified windows that were left out because there were too many

    @property
    def used(self) -> np.ndarray:
        """(2, R, R) float32."""
        return self.values[:, : len(self.rows), : len(self.rows)]


def empty_gram() -> Gram:
    """A Gram matrix of no windows."""
    return Gram(np.zeros(0, np.int64), np.zeros((2, 0, 0), np.float32), np.zeros(0, np.int64))


def extend(gram: Gram, windows: np.ndarray, coordinates: np.ndarray, settings: Settings) -> Gram:
    """Add (K,) int windows that it does not have yet; the others keep their rows."""
    n_old, n_new = len(gram.rows), len(gram.rows) + len(windows)
    values = gram.values
    if n_new > values.shape[1]:
        room = max(n_new, min(2 * n_new, len(coordinates[0])))
        values = np.empty((2, room, room), np.float32)
        values[:, :n_old, :n_old] = gram.used
    rows = np.concatenate([gram.rows, windows]).astype(np.int64)
    added = compare(coordinates, windows, rows, settings)  # (2, K, R)
    values[:, n_old:n_new, :n_new] = added
    values[:, :n_old, n_old:n_new] = added[:, :, :n_old].transpose(0, 2, 1)
    return Gram(rows, values, gram.left_out)


def compare(coordinates: np.ndarray, first: np.ndarray, second: np.ndarray, settings: Settings) -> np.ndarray:
    """The kernel between windows: (2, A, B) float32, both recorded, and the second mirrored.

    Mirroring both changes nothing, so mirrored against recorded equals recorded against mirrored.

    Args:
        coordinates: (2, W, D) float32, recorded and mirrored.
        first: (A,) int, windows.
        second: (B,) int, windows.
        settings: kernel and gamma.
    """
    out = np.empty((2, len(first), len(second)), np.float32)
    for side in (0, 1):
        other = coordinates[side][second]
        sizes = (other**2).sum(axis=1)
        for begin in range(0, len(first), AT_A_TIME):
            here = coordinates[0][first[begin : begin + AT_A_TIME]]
            squared = (-2 * here) @ other.T
            squared += sizes
            squared += (here**2).sum(axis=1)[:, None]
            out[side, begin : begin + AT_A_TIME] = kernel_of(squared, settings)
    return out


def kernel_of(squared: np.ndarray, settings: Settings) -> np.ndarray:
    """The kernel of squared distances, float32, overwriting them; 1 for distance 0."""
    gamma = GAMMA[settings.kernel] if settings.gamma is None else settings.gamma
    np.maximum(squared, 0.0, out=squared)
    squared *= np.float32(-1 / gamma**2)
    if settings.kernel == "gauss":
        return np.exp(squared, out=squared)
    near = np.sqrt(-squared)
    np.exp(np.negative(near, out=near), out=near)
    return (near + np.exp(squared, out=squared)) / 2 if settings.kernel == "both" else near
