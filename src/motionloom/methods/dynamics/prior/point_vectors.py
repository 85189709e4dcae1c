"""Point vectors: what a model sees of points on a head in one frame, wherever the head is and however it is turned.

A vector holds, for every point, how far it is from its mean in the frame of the head, scaled so that what points
usually move counts like what joints do. Nothing ties one frame to the next: the head's own motion is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import PointMotion
from motionloom.motion.head_motion import HeadMotion, to_head, to_world

USUAL = 0.2  # scaled: root mean square of what a number of a vector differs from its mean, as of joints in radians
STILL = 1e-5  # metres of the same that are no movement
N_HEAD = 7  # numbers of a head: position and rotation


@dataclass(frozen=True, eq=False)
class PointVectors:
    """How points on a head are written as vectors of D = 3 M numbers, and back."""

    names: tuple[str, ...]  # M
    fps: float
    means: np.ndarray  # (M, 3) metres in the frame of the head
    scale: float  # that metres are multiplied with
    n_places = 0  # of unknowns of a frame beside its vector

    @property
    def size(self) -> int:
        """D."""
        return 3 * len(self.names)

    @cached_property
    def extent(self) -> float:
        """Metres of the longest side of the box around the means: what usual deviations are measured by."""
        return float(np.ptp(self.means, axis=0).max())

    def written(self, positions: np.ndarray) -> np.ndarray:
        """(F, D) scaled vectors of (F, M, 3) metres in the frame of the head; nan stays nan."""
        return self.scale * (positions - self.means).reshape(len(positions), -1)

    def read(self, vectors: np.ndarray) -> np.ndarray:
        """(F, M, 3) metres in the frame of the head of (F, D) scaled vectors."""
        return self.means + vectors.reshape(len(vectors), -1, 3) / self.scale

    def encode(self, motion: PointMotion) -> tuple[np.ndarray, np.ndarray]:
        """(F, D) scaled vectors of points in the frame of the head, and (F, 0) places."""
        if motion.names != self.names:
            raise BadInput("the points have other names than those of the model; make a view of both")
        if abs(motion.fps - self.fps) > 1e-6 * self.fps:
            raise BadInput(
                f"points at {motion.fps:g} frames per second for a model at {self.fps:g}; resample them first"
            )
        return self.written(np.asarray(motion.positions, float)), np.zeros((motion.n_frames, 0))

    def lessons(self, motion: PointMotion) -> np.ndarray:
        """(F, D) the vectors of a motion that can be learnt from."""
        return self.encode(motion)[0]

    def apart(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(N,) millimetres between the points of two (N, D) scaled vectors, on average."""
        away = ((one - other) / self.scale).reshape(len(one), -1, 3)
        return 1000 * np.asarray(np.linalg.norm(away, axis=-1).mean(axis=1))

    def decode(self, vectors: np.ndarray, places: np.ndarray, still: np.ndarray | None = None) -> PointMotion:
        """The points of (F, D) scaled vectors.

        Args:
            vectors: scaled.
            places: (F, 0), nothing.
            still: (F, 7) positions and rotations of the head that the points are put on; None to leave them off it.
        """
        positions = self.read(vectors)
        return PointMotion(self.names, positions if still is None else put_on(positions, still), self.fps)


def learn_point_vectors(motions: Sequence[PointMotion]) -> PointVectors:
    """Find the means of points of one head, and how far they usually move from them."""
    first = motions[0]
    positions = np.concatenate([np.asarray(motion.positions, float) for motion in motions])
    means = positions.mean(axis=0)
    moved = float(np.sqrt(((positions - means) ** 2).mean()))
    if moved < STILL:
        raise BadInput("no point moves in the chosen takes; choose takes in which the face moves")
    return PointVectors(first.names, first.fps, means, USUAL / moved)


def put_on(positions: np.ndarray, head: np.ndarray) -> np.ndarray:
    """(F, M, 3) metres in the world of points in the frame of a head (F, 7)."""
    return to_world(positions, HeadMotion(head[:, :3], head[:, 3:]))


def take_off(positions: np.ndarray, head: np.ndarray) -> np.ndarray:
    """(F, M, 3) metres in the frame of a head (F, 7) of points in the world: the inverse of `put_on`."""
    return to_head(positions, HeadMotion(head[:, :3], head[:, 3:]))
