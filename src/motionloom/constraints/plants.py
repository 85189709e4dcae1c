"""Which points of the feet are planted when, how high, and what locked frames ask of them."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.contacts import find_runs
from motionloom.features.feet import POINTS, rest_height


@dataclass(frozen=True, eq=False)
class Footplant:
    """The constraint that a point of a foot stays where it is over the frames [start, stop)."""

    side: str  # "left" or "right"
    point: str  # "heel" or "ball"
    start: int
    stop: int
    position: np.ndarray  # (3,) metres, world

    @property
    def column(self) -> int:
        """Which of `features.feet.POINTS` it is."""
        return POINTS.index(f"{self.side}_{self.point}")


@dataclass(frozen=True)
class Disagreement:
    """Two locked frames of one plant between which the planted point moves; it glides from one to the other."""

    point: str  # one of features.feet.POINTS
    first: int  # locked frame
    second: int  # the next locked frame
    millimetres: float  # between where the point is in the one and in the other


@dataclass(frozen=True, eq=False)
class PlantDemands:
    """What the plants ask of the four points, and what locked frames ask of everything."""

    planted: np.ndarray  # (F, 4) bool
    steps: np.ndarray  # (F - 1, 4, 3) metres by which a point moves that is planted in both frames; 0 but for locks
    heights: np.ndarray  # (F, 4) metres, world: where planted points are; NaN where that is free
    held: np.ndarray  # (F,) bool: the correction is zero, in locked frames and, for its slope, in those beside them
    disagreements: tuple[Disagreement, ...]


def demand_plants(
    points: np.ndarray, contacts: np.ndarray, locks: np.ndarray, fps: float, floor_height: float, lock_fade: float
) -> PlantDemands:
    """Turn contacts into what is asked of the points.

    A planted point stays in place at the height where it rests. A plant through a locked frame has its position from
    that frame; so that the correction starts there with no slope, the point keeps its own velocity there and loses it
    within `lock_fade`.

    Args:
        points: (F, 4, 3) metres, world, of the source.
        contacts: (F, 4) bool.
        locks: (N,) int, ascending: frames that stay as they are.
        fps: frames per second.
        floor_height: metres, world.
        lock_fade: seconds.
    """
    keeps = _keep_velocity(len(points), locks, lock_fade * fps)  # (F - 1,)
    moves = np.diff(points, axis=0)
    steps = np.where(keeps[:, None, None] > 0, keeps[:, None, None] * moves, 0.0)
    heights = np.where(contacts, _rest_heights(points, contacts, fps, floor_height), np.nan)
    disagreements = []
    for column in range(len(POINTS)):
        for start, stop in find_runs(contacts[:, column]):
            inside = locks[(locks >= start) & (locks < stop)]
            if len(inside):
                heights[start:stop, column] = np.nan
            for first, second in zip(inside[:-1], inside[1:]):
                way = points[second, column] - points[first, column]
                rest = 1 - keeps[first:second]
                missing = way - steps[first:second, column].sum(axis=0)
                steps[first:second, column] += rest[:, None] / max(rest.sum(), 1e-12) * missing
                disagreements.append(
                    Disagreement(POINTS[column], int(first), int(second), 1000 * float(np.linalg.norm(way)))
                )
    held = np.zeros(len(points), bool)
    for offset in (-1, 0, 1):
        beside = locks + offset
        held[beside[(beside >= 0) & (beside < len(points))]] = True
    return PlantDemands(contacts, steps, heights, held, tuple(disagreements))


def _keep_velocity(n_frames: int, locks: np.ndarray, fade: float) -> np.ndarray:
    """(F - 1,) how much of its own velocity a planted point keeps from frame to frame: 1 beside a locked frame."""
    if not len(locks):
        return np.zeros(max(n_frames - 1, 0))
    away = np.abs(np.arange(n_frames - 1)[:, None] + 0.5 - locks).min(axis=1) - 0.5  # frames from the lock
    u = np.clip(1 - away / max(fade, 1.0), 0, 1)
    return u * u * (3 - 2 * u)


def _rest_heights(points: np.ndarray, contacts: np.ndarray, fps: float, floor_height: float) -> np.ndarray:
    """(4,) metres, world: how high each point is when it rests; never below the floor."""
    heights = np.full(len(POINTS), float(floor_height))
    for column in range(len(POINTS)):
        if contacts[:, column].any():
            rest = rest_height(points[:, column], fps, floor_height)
            own = np.median(points[contacts[:, column], column, 1]) - floor_height if rest is None else rest
            heights[column] = floor_height + max(float(own), 0.0)
    return heights
