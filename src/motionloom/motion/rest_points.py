"""Points at rest: where they are on average on their rigid part, and which of them it is found by.

Of a face the rigid part is the head. Points that move little on it are not known beforehand: all are aligned on their
means, each with the weight that its distance from its own mean gives it, until neither changes (an iteratively
reweighted alignment). A point that moves much hardly counts then, however many of them move together.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.head_motion import tells_rotation
from motionloom.motion.point_front import find_front
from motionloom.motion.rigid_alignment import align_rigidly

SHARE = 0.25  # of the points that are seen: those that move least are steady
FEWEST = 4  # steady points
SEEN = 0.5  # of the frames: points that are seen more rarely are not steady
STEADIEST = 5e-4  # of the size of the points: none counts more than one that moves so much
STIFF = 0.04  # steady points move less, root mean square, of how large they are together; else nothing is rigid
UP = np.array([0.0, 1.0, 0.0])
_ROUNDS, _SETTLED = 40, 1e-2


@dataclass(frozen=True, eq=False)
class RestPoints:
    """Points at rest, in the frame of their rigid part: y up, its front at +z, the origin in their middle."""

    points: np.ndarray  # (M, 3) metres; NaN for points that are never seen
    steady: np.ndarray  # (S,) int: the points that move least; none where no part is rigid
    moves: np.ndarray  # (M,) metres: root mean square distance from the mean of the take; NaN as above
    has_front: bool  # the points look like those of a face, which tells +z; else it is as in the recordings


def find_rest(frames: np.ndarray, takes: np.ndarray | None = None) -> RestPoints:
    """Points at rest, from frames of which some can be of somebody else.

    Upright is what is upright on average. The front is that of a face where the points look like one, so that
    recordings that look anywhere have the same; else it is the average of the recordings. Where no part is rigid, such
    as of three points in a line, they stay where they are in the world, and none is steady.

    Args:
        frames: (N, M, 3) metres, y up; NaN where a point is missing.
        takes: (N,) int: the take that each frame is from; a point does not move because the next person's face is
            wider. None for one.
    """
    recorded = _Frames(frames, np.zeros(len(frames), int) if takes is None else takes)
    about, moves = _align_by_weight(recorded)
    steady = _choose_steady(about, moves, recorded.seen)
    if not len(steady):
        return RestPoints(_mean(frames, recorded.seen), steady, recorded.moves(), False)
    rest, moves, turns = _align(recorded, about, np.isin(np.arange(len(about)), steady).astype(float))
    upright, has_front = _stand_up(rest, turns)
    return RestPoints(upright, steady, moves, has_front)


class _Frames:
    """Frames of some takes."""

    def __init__(self, positions: np.ndarray, takes: np.ndarray) -> None:
        self.positions = positions  # (N, M, 3)
        self.seen = np.isfinite(positions).all(axis=-1)  # (N, M)
        self.takes = takes  # (N,) int

    def moves(self) -> np.ndarray:
        """(M,) root mean square distance from the mean of the own take; NaN for points that are never seen."""
        squares, count = np.zeros(self.seen.shape[1]), self.seen.sum(axis=0)
        for take in np.unique(self.takes):
            positions, seen = self.positions[self.takes == take], self.seen[self.takes == take]
            apart = np.where(seen[..., None], positions - _mean(positions, seen), 0.0)
            squares += (apart**2).sum(axis=(0, 2))
        return np.where(count > 0, np.sqrt(squares / np.maximum(count, 1)), np.nan)


def _align_by_weight(frames: _Frames) -> tuple[np.ndarray, np.ndarray]:
    """Means (M, 3) and moves (M,) after weighted alignment; the latter NaN if no frame tells a rotation."""
    positions, seen = frames.positions, frames.seen
    rest = positions[int(np.argmax(seen.sum(axis=1)))]
    size = float(np.linalg.norm(np.nanmax(rest, axis=0) - np.nanmin(rest, axis=0))) if seen.any() else 0.0
    weights, moves = np.ones(len(rest)), np.full(len(rest), np.nan)
    for _ in range(_ROUNDS):
        if not tells_rotation(np.nan_to_num(rest), seen & np.isfinite(rest).all(axis=-1)).any():
            return rest, np.full(len(rest), np.nan)
        rest, moves, _ = _align(frames, rest, weights)
        before, weights = weights, 1.0 / (np.nan_to_num(moves, nan=np.inf) ** 2 + (STEADIEST * size) ** 2)
        if np.allclose(before / before.max(), weights / weights.max(), rtol=_SETTLED):
            break
    return rest, moves


def _align(frames: _Frames, rest: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means (M, 3) and moves (M,) of frames aligned on points at rest, and turns (N', 3, 3) of those that can be."""
    counted = frames.seen & np.isfinite(rest).all(axis=-1) & (weights > 0)
    known = tells_rotation(np.nan_to_num(rest), counted)
    turns, shifts = align_rigidly(frames.positions[known], rest, counted[known] * weights)
    still = _Frames(frames.positions[known] @ np.swapaxes(turns, -1, -2) + shifts[:, None], frames.takes[known])
    return _mean(still.positions, still.seen), still.moves(), turns


def _choose_steady(rest: np.ndarray, moves: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(S,) the points that move least, as many as tell a rotation; none where they are not rigid."""
    usable = np.flatnonzero(np.isfinite(moves) & (seen.mean(axis=0) >= SEEN * seen.any(axis=1).mean()))
    ranked = usable[np.argsort(moves[usable], kind="stable")]
    first = max(FEWEST, round(SHARE * len(ranked)))
    for count in range(min(first, len(ranked)), len(ranked) + 1):
        steady = np.sort(ranked[:count])
        if tells_rotation(rest[steady], np.ones((1, count), bool))[0]:
            apart = rest[steady] - rest[steady].mean(axis=0)
            size = np.sqrt(np.mean((apart**2).sum(axis=-1)))
            return steady if np.sqrt(np.mean(moves[steady] ** 2)) < STIFF * size else steady[:0]
    return np.zeros(0, int)


def _stand_up(rest: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, bool]:
    """Points at rest upright, looking along +z and with their middle at the origin; whether their front was found.

    Args:
        rest: (M, 3), in any frame.
        turns: (N, 3, 3) from the world of each recorded frame to that one.
    """
    up = turns[:, :, 1].mean(axis=0)
    upright = rotations.between_vectors(up, UP) if np.linalg.norm(up) > 1e-6 else rotations.identity()
    stood = rotations.rotate(upright, rest - np.nanmean(rest, axis=0))
    heading = find_front(stood)
    ahead = rotations.rotate(upright, turns[:, :, 2]).mean(axis=0)
    turned = float(np.arctan2(ahead[0], ahead[2])) if heading is None else heading
    return rotations.rotate(rotations.about_y(-turned), stood), heading is not None


def _mean(frames: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(M, 3) of frames (N, M, 3); NaN for points that are never seen."""
    count = seen.sum(axis=0)[:, None]
    total = np.where(seen[..., None], frames, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
