"""Posed points: points on a head at samples of a curve, and how they change with the unknowns.

Unknowns of a sample are the d coordinates of its vector in the subspace; the head is given. All of it is linear.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.prior.point_vectors import PointVectors, put_on
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import rotations


@dataclass(frozen=True, eq=False)
class PosedPoints:
    """Points at N samples."""

    codec: PointVectors
    directions: np.ndarray  # (D, d) of the subspace
    vectors: np.ndarray  # (N, D) scaled
    places: np.ndarray  # (N, 0)
    still: np.ndarray | None = None  # (N, 7) positions and rotations of the head; None to stay in its frame

    @property
    def n(self) -> int:
        return len(self.vectors)

    @cached_property
    def _turns(self) -> np.ndarray:
        """(N, 3, 3) of the head."""
        return np.asarray(np.eye(3)[None] if self.still is None else rotations.to_matrix(self.still[:, 3:]))

    @cached_property
    def positions(self) -> np.ndarray:
        """(N, M, 3) metres, world."""
        on_head = self.codec.read(self.vectors)
        return on_head if self.still is None else put_on(on_head, self.still)

    def points(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3) metres, world, at some samples."""
        return self.positions[rows][:, [spot.joint for spot in spots]]

    def orientations(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 4) of the head, which all points go with."""
        still = rotations.identity((len(rows),)) if self.still is None else self.still[rows, 3:]
        return np.repeat(still[:, None], len(spots), axis=1)

    def jacobian(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3, d) of points in metres by the unknowns."""
        columns = (3 * np.array([spot.joint for spot in spots])[:, None] + np.arange(3)).ravel()
        moved = self.directions[columns].reshape(len(spots), 3, -1) / self.codec.scale
        turns = np.broadcast_to(self._turns, (self.n, 3, 3))[rows]
        return np.asarray(turns[:, None] @ moved)
