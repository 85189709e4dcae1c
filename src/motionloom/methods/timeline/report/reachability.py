"""Reachability: how motion gets from one kind of frame to another: as recorded, by a cut, or by way of other motion."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from motionloom.methods.timeline.model import Model

FAR = np.iinfo(np.int64).max // 4  # frames: no way
OWN_FRAMES = 20  # of the same motion before and after, which are no cut but going on; as among the listed neighbours
CELLS = 4_000_000  # distances computed at a time


@dataclass(frozen=True, eq=False)
class Cuts:
    """The nearest frame to go on with, for frames to leave after."""

    exits: np.ndarray  # (R,) frames of the model
    entries: np.ndarray  # (R,) frames of the model; -1 where there is none
    distances: np.ndarray  # (R,) usual distances; infinite where there is none


@dataclass(frozen=True, eq=False)
class Ways:
    """How soon a kind of frame can be reached from every frame, by recorded motion and at most c cuts."""

    goal: np.ndarray  # (N,) bool
    frames: tuple[np.ndarray, ...]  # for c = 0, 1, ...: (N,) frames until the goal; 0 in it, FAR where there is no way
    by_cut: tuple[np.ndarray, ...]  # for c = 1, ...: (N,) frames until the goal if the cut comes after this frame
    entries: tuple[np.ndarray, ...]  # for c = 1, ...: (N,) where that cut goes


def recorded_changes(model: Model, before: np.ndarray, after: np.ndarray, within: float) -> np.ndarray:
    """(changes,) frames between the last frame of one kind and the first of another, where takes change so.

    Args:
        model: N frames.
        before, after: (N,) bool: the kinds; frames of both count as `after`.
        within: seconds that a change may take.
    """
    begins = after.copy()
    begins[1:] &= ~after[:-1] | (model.motion_of[1:] != model.motion_of[:-1])
    first = np.flatnonzero(begins)
    is_before = before & ~after
    last = np.maximum.accumulate(np.where(is_before, np.arange(model.n_frames), -1))
    left = np.where(first > 0, last[first - 1], -1)
    gaps = first - 1 - left
    is_change = (left >= model.starts[:-1][model.motion_of[first]]) & (gaps <= within * model.fps)
    return gaps[is_change]


def nearest_cuts(model: Model, exits: np.ndarray, goal: np.ndarray) -> Cuts:
    """The nearest frame of a kind for each of (R,) frames to leave after; going on in the same motion is no cut.

    Args:
        model: N frames.
        exits: (R,) int, any frames.
        goal: (N,) bool, the frames to go on with.
    """
    exits, columns = np.asarray(exits), np.flatnonzero(goal)
    entries, distances = np.full(len(exits), -1), np.full(len(exits), np.inf)
    if not len(columns):
        return Cuts(exits, entries, distances)
    points = model.coordinates[model.following[exits]]
    centre = model.coordinates[: model.n_frames].mean(axis=0)
    targets = model.coordinates[columns] - centre
    factors = np.column_stack([-2 * targets, (targets**2).sum(axis=1)]).astype(np.float32).T.copy()
    first, last = _own_columns(model, exits, columns)
    chunk = max(1, CELLS // len(columns))
    for start in range(0, len(exits), chunk):
        rows = slice(start, min(start + chunk, len(exits)))
        n_rows = rows.stop - rows.start
        away = np.column_stack([points[rows] - centre, np.ones(n_rows)]).astype(np.float32) @ factors  # (rows, C)
        for row in np.flatnonzero(first[rows] < last[rows]):
            away[row, first[start + row] : last[start + row]] = np.inf
        nearest = away.argmin(axis=1)
        entries[rows] = np.where(np.isfinite(away[np.arange(n_rows), nearest]), columns[nearest], -1)
    found = entries >= 0
    distances[found] = np.linalg.norm(points[found] - model.coordinates[entries[found]], axis=1)
    return Cuts(exits, entries, distances)


def ways_to(model: Model, goal: np.ndarray, limit: float, cuts: int = 2) -> Ways:
    """How soon a kind of frame can be reached from every frame, by cuts that are listed and no farther than a limit.

    Args:
        model: N frames.
        goal: (N,) bool.
        limit: usual distances of a cut at most.
        cuts: at most.
    """
    numbers = np.arange(model.n_frames)
    frames, by_cut, entries = [_until_next(model, goal)], [], []
    near, allowed = model.neighbours[model.following], model.distances[model.following] <= limit
    allowed &= near >= 0
    exits = np.flatnonzero(allowed.any(axis=1))
    near, allowed = near[exits], allowed[exits]
    for _ in range(cuts):
        ahead = np.where(allowed, frames[-1][near], FAR)
        best = ahead.argmin(axis=1)
        cut, entry = np.full(model.n_frames, FAR), np.full(model.n_frames, -1)
        soonest = ahead[np.arange(len(exits)), best]
        cut[exits] = np.where(soonest < FAR, soonest + 1, FAR)
        entry[exits] = near[np.arange(len(exits)), best]
        by_cut.append(cut)
        entries.append(entry)
        ends = np.where(cut < FAR, cut + numbers, FAR)
        onwards = _in_motions(model, ends, lambda part: np.minimum.accumulate(part[::-1])[::-1])
        frames.append(np.minimum(frames[-1], np.where(onwards < FAR, onwards - numbers, FAR)))
    return Ways(goal, tuple(frames), tuple(by_cut), tuple(entries))


def follow(model: Model, ways: Ways, frame: int) -> np.ndarray:
    """(frames,) the soonest way from a frame to the goal, both ends with it, with as few cuts as that needs."""
    if ways.frames[-1][frame] >= FAR:
        return np.zeros(0, int)
    way = [int(frame)]
    while not ways.goal[way[-1]]:
        now = way[-1]
        level = next(c for c, left in enumerate(ways.frames) if left[now] == ways.frames[-1][now])
        if level and ways.by_cut[level - 1][now] == ways.frames[level][now]:
            way.append(int(ways.entries[level - 1][now]))
            ways = Ways(ways.goal, ways.frames[:level], ways.by_cut[: level - 1], ways.entries[: level - 1])
        else:
            way.append(now + 1)
    return np.array(way)


def soonest_way(model: Model, ways: Ways, leaving: np.ndarray) -> np.ndarray:
    """(frames,) the soonest way from any of (N,) frames to the goal, both ends with it; empty where there is none."""
    exits = np.flatnonzero(leaving)
    if not len(exits) or ways.frames[-1][exits].min() >= FAR:
        return np.zeros(0, int)
    soonest = ways.frames[-1][exits].min()
    level = next(c for c, frames in enumerate(ways.frames) if frames[exits].min() == soonest)
    fewest = Ways(ways.goal, ways.frames[: level + 1], ways.by_cut[:level], ways.entries[:level])
    return follow(model, fewest, int(exits[fewest.frames[-1][exits].argmin()]))


def holds(model: Model, demand: dict[str, int]) -> np.ndarray:
    """(N,) bool: where every label of a demand is as demanded, +1 or -1."""
    return reduce(
        np.logical_and,
        [model.tracks[:, model.labels.index(label)] == value for label, value in demand.items()],
        np.ones(model.n_frames, bool),
    )


def _own_columns(model: Model, exits: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R,) first and one past the last column that is too near in time to a frame, in its own motion."""
    low = np.maximum(exits - OWN_FRAMES, model.starts[:-1][model.motion_of[exits]])
    high = np.minimum(exits + OWN_FRAMES + 1, model.stops[exits])
    return np.searchsorted(columns, low), np.searchsorted(columns, high)


def _until_next(model: Model, goal: np.ndarray) -> np.ndarray:
    """(N,) frames until the goal without a cut; FAR where it does not come."""
    numbers = np.arange(model.n_frames)
    coming = np.minimum.accumulate(np.where(goal, numbers, FAR)[::-1])[::-1]
    return np.where(coming < model.stops, coming - numbers, FAR)


def _in_motions(model: Model, values: np.ndarray, change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Do something to the values of each motion apart."""
    return np.concatenate([change(values[a:b]) for a, b in zip(model.starts[:-1], model.starts[1:])])
