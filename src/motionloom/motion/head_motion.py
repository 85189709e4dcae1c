"""Head motion: how the rigid part of moving points moves, taken off them and put back.

Of a face the rigid part is the head. Points are aligned on their places at rest by those of them that are steady: what
is left is how the others move on it.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import rotations
from motionloom.motion.points import PointMotion
from motionloom.motion.rigid_alignment import align_rigidly, find_spreads

FEWEST = 3  # steady points that must be seen in a frame
FLATTEST = 0.05  # second spread of these / first: nearer to one line they tell no rotation


@dataclass(frozen=True, eq=False)
class HeadMotion:
    """A rigid motion: a point p of the head is in the world at position + rotate(rotation, p)."""

    positions: np.ndarray  # (F, 3) metres, world: of the origin of the head
    rotations: np.ndarray  # (F, 4) wxyz, head to world

    def __post_init__(self) -> None:
        n_frames = len(self.positions)
        if self.positions.shape != (n_frames, 3) or self.rotations.shape != (n_frames, 4):
            raise BadInput(
                f"a head motion of positions {self.positions.shape} and rotations {self.rotations.shape}; give (F, 3) "
                "and (F, 4)"
            )

    @property
    def n_frames(self) -> int:
        return len(self.positions)

    @staticmethod
    def none(n_frames: int) -> "HeadMotion":
        """That of a head at the origin that does not move."""
        return HeadMotion(np.zeros((n_frames, 3)), rotations.identity((n_frames,)))


def take_off_head(points: PointMotion, rest: np.ndarray, steady: np.ndarray) -> tuple[PointMotion, HeadMotion]:
    """The points in the frame of the head, and the motion of the head; `put_on_head` is the way back.

    Where too few steady points are seen the head moves evenly between the frames beside; it is still before the first
    and after the last. If no frame shows enough of them, the motion of the head is none.

    Args:
        points: M of them, in the world; NaN where one is missing.
        rest: (M, 3) metres, in the frame of the head.
        steady: (S,) int: the points that the head is found by.
    """
    head = find_head(points.positions[:, steady], rest[steady])
    return replace(points, positions=to_head(points.positions, head)), head


def put_on_head(points: PointMotion, head: HeadMotion) -> PointMotion:
    """The points in the world, from those in the frame of the head."""
    return replace(points, positions=to_world(points.positions, head))


def to_head(positions: np.ndarray, head: HeadMotion) -> np.ndarray:
    """Positions (F, M, 3) in the frame of a head, from those in the world."""
    _check_frames(positions, head)
    return rotations.rotate(rotations.inverse(head.rotations)[:, None], positions - head.positions[:, None])


def to_world(positions: np.ndarray, head: HeadMotion) -> np.ndarray:
    """Positions (F, M, 3) in the world, from those in the frame of a head."""
    _check_frames(positions, head)
    return rotations.rotate(head.rotations[:, None], positions) + head.positions[:, None]


def find_head(steady: np.ndarray, rest: np.ndarray) -> HeadMotion:
    """The head motion that brings points at rest (S, 3) nearest to steady ones (F, S, 3), NaN where one is missing."""
    weights = np.isfinite(steady).all(axis=-1) & np.isfinite(rest).all(axis=-1)
    known = tells_rotation(rest, weights)
    if not known.any():
        return HeadMotion.none(len(steady))
    turns, shifts = align_rigidly(rest, steady[known], weights[known].astype(float))
    return _bridge(HeadMotion(shifts, rotations.align_signs(rotations.from_matrix(turns))), known)


def tells_rotation(rest: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(F,) bool: whether the points (S, 3) that are seen in a frame, (F, S) bool, tell how they are turned."""
    if seen.shape[1] < FEWEST:
        return np.zeros(len(seen), bool)
    patterns, which = np.unique(seen, axis=0, return_inverse=True)
    spreads = find_spreads(np.broadcast_to(rest, (*patterns.shape, 3)), patterns.astype(float))
    wide = spreads[:, 1] > FLATTEST * spreads[:, 0]
    return ((patterns.sum(axis=1) >= FEWEST) & wide)[which.ravel()]


def _bridge(found: HeadMotion, known: np.ndarray) -> HeadMotion:
    """A head motion in all F frames, from that in the frames in which it is known."""
    if known.all():
        return found
    frames = np.arange(len(known), dtype=float)
    at = np.interp(frames, np.flatnonzero(known), np.arange(found.n_frames, dtype=float))
    before = np.floor(at).astype(int)
    after, share = np.minimum(before + 1, found.n_frames - 1), at - before
    places = found.positions
    return HeadMotion(
        places[before] + share[:, None] * (places[after] - places[before]),
        rotations.normalize(rotations.slerp(found.rotations[before], found.rotations[after], share)),
    )


def _check_frames(positions: np.ndarray, head: HeadMotion) -> None:
    if len(positions) != head.n_frames:
        raise BadInput(f"points of {len(positions)} frames and a head motion of {head.n_frames}; give as many")
