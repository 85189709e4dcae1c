"""Scaled steps: where the feet of a source rest, in the size of another body.

A foot that rests on heel and ball is where the middle of both is, so that feet of another length stand around the same
place. One that never rests on both, or that does so twice and turns in between, is where that of the two is which rests
longer: the other one swings about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import SIDES, columns_of
from motionloom.motion import find_runs

GROUND = [0, 2]  # x and z


@dataclass(frozen=True, eq=False)
class Step:
    """One foot that rests, and where it should."""

    side: str
    start: int
    stop: int  # one past the last frame in which its heel or ball rests
    columns: tuple[int, ...]  # of `features.feet.POINTS`: those whose middle is its place
    frames: np.ndarray  # (n,) in which they rest
    place: np.ndarray  # (2,) metres along x and z, in the size of the target

    def shift(self, points: np.ndarray) -> np.ndarray:
        """(2,) metres from where (F, 4, 3) foot points have the step to where it should be."""
        return np.asarray(self.place - np.median(self.middles(points), axis=0))

    def away(self, points: np.ndarray) -> float:
        """Metres that the step is away from its place in its worst frame, by (F, 4, 3) foot points."""
        return float(np.linalg.norm(self.middles(points) - self.place, axis=-1).max())

    def middles(self, points: np.ndarray) -> np.ndarray:
        """(n, 2) places of the step in its frames."""
        return _middles(points, self.frames, self.columns)


def find_steps(points: np.ndarray, contacts: np.ndarray, scale: float) -> list[Step]:
    """The steps of a source, with their places times a scale about the origin.

    Args:
        points: (F, 4, 3) metres, world: heels and balls of the source; NaN for feet that it does not have.
        contacts: (F, 4) bool: which of them rest.
        scale: of places over the ground.
    """
    resting = contacts & np.isfinite(points[..., 0])
    steps = []
    for side in SIDES:
        columns = columns_of(side)
        for start, stop in find_runs(resting[:, columns].any(axis=1)):
            inside = resting[start:stop, columns]  # (n, 2)
            used = _used(inside, columns)
            frames = start + np.flatnonzero(inside[:, [columns.index(column) for column in used]].all(axis=1))
            place = scale * np.median(_middles(points, frames, used), axis=0)
            steps.append(Step(side, start, stop, used, frames, place))
    return steps


def farthest_away(steps: Sequence[Step], points: np.ndarray) -> float:
    """Metres that a step is away from its place at most."""
    return max((step.away(points) for step in steps), default=0.0)


def _used(inside: np.ndarray, columns: Sequence[int]) -> tuple[int, ...]:
    """Both columns if they rest together once, else the one that rests longer."""
    if len(find_runs(np.asarray(inside.all(axis=1)))) == 1:
        return tuple(columns)
    return (columns[int(inside.sum(axis=0).argmax())],)


def _middles(points: np.ndarray, frames: np.ndarray, columns: Sequence[int]) -> np.ndarray:
    return np.asarray(points[frames][:, list(columns)].mean(axis=1)[:, GROUND])
