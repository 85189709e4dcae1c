"""Posed: a body at samples of a curve, and how points and orientations change with the unknowns.

Unknowns of a sample are the d coordinates of its pose in the subspace, then x, z and heading of its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT, TILT_AT, PoseVectors
from motionloom.motion import kinematics, rotations

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Spot:
    """A point fixed to a joint, or its orientation; of points without a skeleton, one of them by its number."""

    joint: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    is_position: bool = True


class Seen(Protocol):
    """N poses of bodies or points, and where their points are."""

    @property
    def vectors(self) -> np.ndarray:
        """(N, D) scaled."""

    def points(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3) metres, world, at some samples."""


class Posed(Seen, Protocol):
    """Bodies or points at N samples, as terms see them."""

    @property
    def directions(self) -> np.ndarray:
        """(D, d) of the subspace."""

    @property
    def places(self) -> np.ndarray:
        """(N, p)."""

    def orientations(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 4) to the world."""

    def jacobian(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3, d + p) by the unknowns."""


@dataclass(frozen=True, eq=False)
class PosedBodies:
    """Bodies at N samples."""

    codec: PoseVectors
    directions: np.ndarray  # (D, d) of the subspace
    vectors: np.ndarray  # (N, D) scaled
    places: np.ndarray  # (N, 3)
    still: np.ndarray | None = None  # (N, J, 4) of joints that vectors say nothing of
    _kept: dict = field(default_factory=dict)

    @property
    def n(self) -> int:
        return len(self.vectors)

    @cached_property
    def _world(self) -> tuple[np.ndarray, np.ndarray]:
        motion = self.codec.decode(self.vectors, self.places, self.still)
        return kinematics.world(motion)

    @property
    def positions(self) -> np.ndarray:
        """(N, J, 3) metres."""
        return self._world[0]

    @property
    def turned(self) -> np.ndarray:
        """(N, J, 4) joint to world."""
        return self._world[1]

    def points(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3) metres, world, at some samples."""
        joints = np.array([spot.joint for spot in spots])
        offsets = np.array([spot.offset for spot in spots])
        return kinematics.attached_positions(self.positions[rows], self.turned[rows], joints, offsets)

    def orientations(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 4) joint to world."""
        return self.turned[rows][:, [spot.joint for spot in spots]]

    def jacobian(self, spots: Sequence[Spot], rows: np.ndarray) -> np.ndarray:
        """(n, S, 3, d + 3) of points in metres, or of the turning of joints in their own frames, by the unknowns."""
        from motionloom.constraints._kernels import fill_jacobian

        n, joints = len(rows), self.codec.turning
        columns = np.full(self.codec.skeleton.n_joints, -1)
        columns[joints] = np.arange(len(joints))
        turns = self.codec.turns(self.vectors[rows])
        raw = np.zeros((n, 3 * len(spots), 3 + 3 * len(joints)))
        positions, turned = self.positions[rows], self.turned[rows]
        fill_jacobian(
            np.ascontiguousarray(positions),
            rotations.to_matrix(turned),
            np.ascontiguousarray(turns),
            self.codec.skeleton.parents,
            columns,
            np.array([spot.joint for spot in spots]),
            np.array([spot.is_position for spot in spots]),
            np.array([spot.offset for spot in spots], float),
            np.ones((n, len(spots))),
            raw,
        )
        by_unknowns = np.empty((n, 3 * len(spots), self.directions.shape[1] + 3))
        size = self.directions.shape[1]
        shown = self.directions / self.codec.scales[:, None]
        by_unknowns[..., :size] = (raw[..., 3:].reshape(-1, raw.shape[-1] - 3) @ shown[TILT_AT:]).reshape(n, -1, size)
        by_unknowns[..., :size] += raw[..., 1:2] * (self.directions[HEIGHT_AT] / HEIGHT)
        by_unknowns[..., size] = raw[..., 0]
        by_unknowns[..., size + 1] = raw[..., 2]
        by_unknowns[..., size + 2] = self._by_heading(spots, positions, turned).reshape(n, -1)
        return by_unknowns.reshape(n, len(spots), 3, size + 3)

    def _by_heading(self, spots: Sequence[Spot], positions: np.ndarray, turned: np.ndarray) -> np.ndarray:
        """(n, S, 3) change of points and orientations as the whole body turns about its root."""
        found = np.empty((len(positions), len(spots), 3))
        for number, spot in enumerate(spots):
            own = turned[:, spot.joint]
            if spot.is_position:
                point = positions[:, spot.joint] + rotations.rotate(own, np.broadcast_to(spot.offset, (len(own), 3)))
                away = point - positions[:, 0]
                found[:, number] = np.stack([away[:, 2], np.zeros(len(away)), -away[:, 0]], axis=1)  # UP x away
            else:
                found[:, number] = rotations.rotate(rotations.inverse(own), np.broadcast_to(UP, (len(own), 3)))
        return found


def left_jacobian_inverse(turns: np.ndarray) -> np.ndarray:
    """(..., 3, 3) for which log(exp(w) exp(r)) = r + this w, for small turns w and (..., 3) rotation vectors r."""
    angle = np.linalg.norm(turns, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(turns, -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*turns.shape[:-1], 3, 3)
    half = angle / 2
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    # 1 / a^2 - cot(a / 2) / (2 a); near a full turn it grows without bound, but r is at most half a turn
    shape = np.where(small, 1 / 12 + angle**2 / 720, 1 / safe**2 - 1 / (2 * safe * np.tan(np.where(small, 1.0, half))))
    return np.eye(3) - 0.5 * cross + shape * (cross @ cross)
