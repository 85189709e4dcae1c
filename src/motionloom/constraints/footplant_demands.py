"""Which points of the feet are planted when, how high, and what locked frames ask of them."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import LOW, POINTS, rest_height
from motionloom.motion import find_runs

NOTICED = 1e-3  # metres: locked frames that agree better agree


@dataclass(frozen=True, eq=False)
class Footplant:
    """The constraint that a point of a foot stays where it is over the frames [start, stop)."""

    side: str  # "left" or "right"
    point: str  # "heel" or "ball"
    start: int
    stop: int
    position: np.ndarray  # (3,) metres, world


@dataclass(frozen=True)
class PlantRules:
    """How plants are made of contacts."""

    clearance: float  # metres above the floor that points of the feet keep at least
    other_support: float  # metres from its rest height at which a planted point rests on something else
    short_swing: float  # seconds: plants of a point with less between them have one height
    lock_fade: float  # seconds after a locked frame within which planted points come to rest


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
    elsewhere: np.ndarray  # (F, 4) bool: that height is the point's own, above the floor, and asked for less firmly
    lowest: np.ndarray  # (F, 4) metres, world: points do not go below; NaN where they may
    held: np.ndarray  # (F,) bool: the correction is zero, in locked frames and, for its slope, in those beside them
    disagreements: tuple[Disagreement, ...]


def demand_plants(
    points: np.ndarray, contacts: np.ndarray, locks: np.ndarray, fps: float, floor_height: float, rules: PlantRules
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
        rules: how high and how soft.
    """
    keeps = _keep_velocity(len(points), locks, rules.lock_fade * fps)  # (F,)
    between = np.minimum(keeps[:-1], keeps[1:])[:, None, None]
    steps = np.where(between > 0, between * np.diff(points, axis=0), 0.0)
    heights, elsewhere = _plant_heights(points, contacts, fps, floor_height, rules)
    depths = np.maximum(floor_height + rules.clearance - points[..., 1], 0.0)  # (F, 4)
    lowest = np.where(np.isnan(heights), floor_height + rules.clearance - keeps[:, None] * depths, np.nan)
    held = _beside(locks, len(points))
    disagreements: list[Disagreement] = []
    for column in range(len(POINTS)):
        for start, stop in find_runs(contacts[:, column]):
            inside = start + np.flatnonzero(held[start:stop])
            if len(inside):  # as high as the locked frame has it
                heights[start:stop, column] = lowest[start:stop, column] = np.nan
                disagreements += _glide(steps[:, column], points[:, column], between[:, 0, 0], inside, POINTS[column])
    lowest[held] = np.nan
    return PlantDemands(contacts, steps, heights, elsewhere, lowest, held, tuple(disagreements))


def _keep_velocity(n_frames: int, locks: np.ndarray, fade: float) -> np.ndarray:
    """(F,) how much of its own velocity a planted point keeps: 1 in a locked frame and those beside it."""
    if not len(locks):
        return np.zeros(n_frames)
    frames = np.arange(n_frames)
    after = np.searchsorted(locks, frames).clip(0, len(locks) - 1)  # the next lock of each frame
    away = np.minimum(np.abs(locks[after] - frames), np.abs(locks[np.maximum(after - 1, 0)] - frames))
    u = np.clip(1 - (away - 1) / max(fade, 1.0), 0, 1)
    return u * u * (3 - 2 * u)


def _glide(steps: np.ndarray, points: np.ndarray, keeps: np.ndarray, held: np.ndarray, name: str) -> list[Disagreement]:
    """Lead a planted point from each held frame of its plant to the next: fills (F - 1, 3) steps."""
    disagreements = []
    for first, second in zip(held[:-1].tolist(), held[1:].tolist()):
        share = 1 - keeps[first:second]
        if not share.any():  # both belong to the same lock
            continue
        way = points[second] - points[first]
        missing = way - steps[first:second].sum(axis=0)
        steps[first:second] += share[:, None] / share.sum() * missing
        if np.linalg.norm(way) > NOTICED:
            disagreements.append(Disagreement(name, first, second, 1000 * float(np.linalg.norm(way))))
    return disagreements


def _beside(locks: np.ndarray, n_frames: int) -> np.ndarray:
    """(F,) bool: locked frames and their neighbours."""
    beside = (locks[:, None] + np.array([-1, 0, 1])).ravel()
    held = np.zeros(n_frames, bool)
    held[beside[(beside >= 0) & (beside < n_frames)]] = True
    return held


def _plant_heights(
    points: np.ndarray, contacts: np.ndarray, fps: float, floor_height: float, rules: PlantRules
) -> tuple[np.ndarray, np.ndarray]:
    """(F, 4) metres, world: how high planted points are, NaN where that is free; and (F, 4) bool: elsewhere.

    That is where the point rests in the whole motion, or where the lowest quarter of its plants are: a heel that
    lingers in the air must not lift those that stand. Plants far above are on something else, such as a step, or on
    tiptoe, and stay about as high as they are; those with hardly a swing between them are treated alike.
    """
    heights, elsewhere = np.full(contacts.shape, np.nan), np.zeros(contacts.shape, bool)
    for column in range(len(POINTS)):
        flags, source = contacts[:, column], points[:, column, 1]
        if not flags.any():
            continue
        rest = rest_height(points[:, column], fps, floor_height)
        usual = min(float(np.percentile(source[flags], 25)), floor_height + (LOW if rest is None else rest))
        for start, stop in find_runs(_bridged(flags, rules.short_swing * fps)):
            inside = start + np.flatnonzero(flags[start:stop])
            own = float(np.median(source[inside]))
            above = own - max(usual, floor_height) > rules.other_support
            heights[inside, column] = max(own if above else usual, floor_height + rules.clearance)
            elsewhere[inside, column] = above
    return heights, elsewhere


def _bridged(flags: np.ndarray, longest: float) -> np.ndarray:
    """(F,) flags with their short breaks closed."""
    closed = flags.copy()
    for start, stop in find_runs(~flags):
        if start > 0 and stop < len(flags) and stop - start <= longest:
            closed[start:stop] = True
    return closed
