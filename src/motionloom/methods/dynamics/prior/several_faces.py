"""Several faces: takes of different people, told apart by their faces at rest, and one brought onto another.

What one face does another one does from its own rest. Without this, a prior of several people could turn one of them
into another to meet what is asked, as if that were an expression.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

OTHER = 0.01  # of the extent: points that hardly move are that far apart, root mean square, from one face to another


@dataclass(frozen=True, eq=False)
class Faces:
    """Which takes are of which face, and the faces at rest."""

    groups: Mapping[str, int]  # by the names of takes
    rests: (
        np.ndarray
    )  # (G, M, 3) metres in the frame of the head: where each point mostly is; nan where it is never seen

    @property
    def n(self) -> int:
        return len(self.rests)

    def onto(self, take: str, face: int) -> np.ndarray:
        """(M, 3) metres that are added to the points of a take to bring it onto a face."""
        return np.nan_to_num(self.rests[face] - self.rests[self.groups[take]])

    def nearest(self, points: np.ndarray) -> int:
        """The face that (M, 3) points are nearest to."""
        apart = np.nanmean(np.linalg.norm(self.rests - points, axis=-1), axis=1)
        return int(np.argmin(apart))


def find_faces(takes: Mapping[str, np.ndarray], extent: float) -> Faces:
    """Takes that are alike in points that hardly move are of one face; so are those that one of them is like.

    Args:
        takes: (F, M, 3) metres in the frame of the head, by name; nan where a point is missing.
        extent: metres of all points.
    """
    names = list(takes)
    mostly = np.array([_mostly(takes[name]) for name in names])
    moves = np.nanmean([np.sqrt(_spread(takes[name])) for name in names], axis=0)
    still = np.argsort(np.where(np.isnan(moves), np.inf, moves))[: max(len(moves) // 2, 1)]
    away = ((mostly[:, None, still] - mostly[None, :, still]) ** 2).sum(axis=-1)
    alike = np.sqrt(np.nan_to_num(np.nanmean(np.where(np.isnan(away), np.nan, away), axis=-1))) <= OTHER * extent
    numbers = _connected(alike)
    rests = [
        _mostly(np.concatenate([takes[names[n]] for n in np.flatnonzero(numbers == g)])) for g in np.unique(numbers)
    ]
    return Faces(dict(zip(names, numbers.tolist())), np.array(rests))


def _mostly(positions: np.ndarray) -> np.ndarray:
    """(M, 3) the median of (F, M, 3); nan for points that are never seen."""
    seen = np.isfinite(positions).all(axis=2).any(axis=0)
    found = np.full(positions.shape[1:], np.nan)
    found[seen] = np.nanmedian(positions[:, seen], axis=0)
    return found


def _spread(positions: np.ndarray) -> np.ndarray:
    """(M,) variance of points over frames."""
    seen = np.isfinite(positions).all(axis=2).any(axis=0)
    found = np.full(positions.shape[1], np.nan)
    found[seen] = np.nanvar(positions[:, seen], axis=0).sum(axis=-1)
    return found


def _connected(alike: np.ndarray) -> np.ndarray:
    """(N,) numbers of the groups that pairs (N, N) bool connect, from 0 on in order of their first members."""
    numbers = np.arange(len(alike))
    for _ in range(len(alike)):
        least = np.where(alike, numbers, len(alike)).min(axis=1)
        if np.array_equal(least, numbers):
            break
        numbers = least
    return np.unique(numbers, return_inverse=True)[1]
