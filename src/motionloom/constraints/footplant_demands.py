"""Footplant constraints from contacts: heights and steps of planted points, and locked frames."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import ENOUGH_FRAMES, LOW, POINTS, rest_height
from motionloom.motion import find_runs

NOTICED = 1e-3  # metres: tolerance within which locked frames agree
OVER_EDGE = 0.12  # metres below what is under the other point of the foot from which on a point hangs over an edge
FASTEST = 6.0  # metres per second at which a foot is brought from a plant to a locked frame beside it
EVEN = (0.002, 0.01)  # metres between what is under heel and ball on level ground; the first that is found counts


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
    """How contacts become plants; see `FootplantSettings`."""

    clearance: float  # metres: minimum height of foot points above the floor
    other_support: float  # metres above its rest height from which a planted point rests on another object
    short_swing: float  # seconds: plants of a point with shorter gaps have one height
    lock_fade: float  # seconds after a locked frame within which planted points come to rest
    spread: float  # seconds over which the change of a foot fades out around a plant


@dataclass(frozen=True)
class Disagreement:
    """Two locked frames of one plant in which the planted point has different positions; it slides between them."""

    point: str  # one of features.feet.POINTS
    first: int  # locked frame
    second: int  # the next locked frame
    millimetres: float  # distance of the two positions


@dataclass(frozen=True, eq=False)
class PlantDemands:
    """Constraints of plants on the four points, and of locked frames."""

    planted: np.ndarray  # (F, 4) bool
    steps: np.ndarray  # (F - 1, 4, 3) metres: displacement of a point planted in both frames; 0 except near locks
    heights: np.ndarray  # (F, 4) metres, world, of planted points; NaN if free
    elsewhere: np.ndarray  # (F, 4) bool: the height is the point's own, above the floor, and a soft constraint
    lowest: np.ndarray  # (F, 4) metres, world: lower bound of points; NaN for none
    held: np.ndarray  # (F,) bool: the correction is zero, in locked frames and, for its slope, in adjacent ones
    held_feet: np.ndarray  # (F, 2) bool: that of each foot, also where a plant ends too near to a locked frame
    disagreements: tuple[Disagreement, ...]


def demand_plants(
    points: np.ndarray,
    contacts: np.ndarray,
    locks: np.ndarray,
    fps: float,
    under: np.ndarray | float,
    rules: PlantRules,
    target: np.ndarray | None = None,
) -> PlantDemands:
    """Convert contacts to constraints on the points.

    A planted point stays in place at its rest height. A plant through a locked frame has its position from that frame;
    so that the correction starts there with slope 0, the point keeps its velocity there and loses it within
    `lock_fade`; where it is faster beside the locked frame, as joins leave it, it does not keep that. So has the end of
    a plant that is so near to the next locked frame that there is no time to bring the foot from one to the other; it
    slides then.

    Args:
        points: (F, 4, 3) metres, world, of the source.
        contacts: (F, 4) bool.
        locks: (N,) int, ascending: frames that do not change.
        fps: frames per second.
        under: metres, world: the height of the floor, or (F, 4) of what is under each point.
        rules: thresholds.
        target: (F, 4) metres, world, on uneven terrain: what is under each point where it is planted; None elsewhere.
    """
    keeps = _keep_velocity(len(points), locks, rules.lock_fade * fps)  # (F,)
    between = np.minimum(keeps[:-1], keeps[1:])[:, None, None]
    steps = np.where(between > 0, between * _no_faster_than_at_locks(np.diff(points, axis=0), between[:, 0, 0]), 0.0)
    if isinstance(under, np.ndarray) and target is not None:
        heights, elsewhere = _plant_heights_on_terrain(points, contacts, fps, under, target, rules)
        under = target
    elif isinstance(under, np.ndarray):
        heights, elsewhere = _plant_heights_above(points, contacts, fps, under, rules)
    else:
        heights, elsewhere = _plant_heights(points, contacts, fps, under, rules)
    depths = np.maximum(under + rules.clearance - points[..., 1], 0.0)  # (F, 4)
    lowest = np.where(np.isnan(heights), under + rules.clearance - keeps[:, None] * depths, np.nan)
    held = _beside(locks, len(points))
    rests = np.asarray(contacts.reshape(len(contacts), 2, 2).any(axis=2))  # (F, 2)
    fade, farthest = round(rules.spread * fps), FASTEST / fps
    heels = points[:, ::2]  # (F, 2, 3)
    held_feet = np.stack([_hold_beside(held, rests[:, i], heels[:, i], fade, farthest) for i in (0, 1)], axis=1)
    disagreements: list[Disagreement] = []
    for column, point in enumerate(POINTS):
        is_held = held_feet[:, column // 2] & contacts[:, column]
        for start, stop in find_runs(_bridged(contacts[:, column], rules.short_swing * fps)):
            inside = start + np.flatnonzero(is_held[start:stop])
            if len(inside):  # the height is that of the locked frame
                heights[start:stop, column] = lowest[start:stop, column] = np.nan
                _lower(lowest[:, column], points[inside, column, 1], start, stop, rules.spread * fps)
        for start, stop in find_runs(contacts[:, column]):
            inside = start + np.flatnonzero(is_held[start:stop])
            disagreements += _glide(steps[:, column], points[:, column], between[:, 0, 0], inside, point)
    lowest[held_feet.repeat(2, axis=1)] = np.nan
    return PlantDemands(contacts, steps, heights, elsewhere, lowest, held, held_feet, tuple(disagreements))


def _lower(lowest: np.ndarray, heights: np.ndarray, start: int, stop: int, fade: float) -> None:
    """Lower the bound of a point beside a plant [start, stop) that locked frames have below it, so that it is no step.

    Args:
        lowest: (F,) metres, world: changed.
        heights: (N,) metres, world: of the point in the locked frames of the plant.
        start: first frame of the plant.
        stop: first frame after it.
        fade: frames.
    """
    for height, frames in ((heights[0], range(start - 1, -1, -1)), (heights[-1], range(stop, len(lowest)))):
        for away, frame in enumerate(frames, start=1):
            if away > fade or not lowest[frame] > height:
                break
            u = 1 - away / (fade + 1)
            lowest[frame] -= u * u * (3 - 2 * u) * (lowest[frame] - height)


def _hold_beside(held: np.ndarray, rests: np.ndarray, heel: np.ndarray, fade: int, farthest: float) -> np.ndarray:
    """(F,) bool: held frames, and those between them and a rest beside them.

    A rest follows one held frame: one inside it, else the nearer one of those beside it. Others beside it are left to
    the free frames between, unless the foot would jump there.

    Args:
        held: (F,) bool.
        rests: (F,) bool: the foot rests.
        heel: (F, 3) metres, world.
        fade: frames; a held frame that is farther from a rest leaves time enough.
        farthest: metres that the foot may be brought in a frame.
    """
    result, frames = held.copy(), np.flatnonzero(held)
    for start, stop in find_runs(rests):
        followed = (start + np.flatnonzero(held[start:stop])).tolist()
        ends = [(stop - 1, frames[frames >= stop][:1]), (start, frames[frames < start][-1:])]
        near = [(abs(int(others[0]) - end), end, int(others[0])) for end, others in ends if len(others)]
        for gap, end, other in sorted(near):
            nearest = np.array(followed, int)[np.argsort(np.abs(np.array(followed, int) - end))[:1]]  # none or one
            is_far = (np.linalg.norm(heel[nearest] - heel[end], axis=-1) > farthest * gap).all()
            if gap <= fade and is_far and not rests[min(end, other) + 1 : max(end, other)].any():
                result[min(end, other) : max(end, other) + 1] = True
                followed.append(end)
    return result


def _keep_velocity(n_frames: int, locks: np.ndarray, fade: float) -> np.ndarray:
    """(F,) share of its own velocity that a planted point keeps: 1 in locked frames and adjacent ones."""
    if not len(locks):
        return np.zeros(n_frames)
    frames = np.arange(n_frames)
    after = np.searchsorted(locks, frames).clip(0, len(locks) - 1)  # the next lock of each frame
    away = np.minimum(np.abs(locks[after] - frames), np.abs(locks[np.maximum(after - 1, 0)] - frames))
    u = np.clip(1 - (away - 1) / max(fade, 1.0), 0, 1)
    return u * u * (3 - 2 * u)


def _no_faster_than_at_locks(steps: np.ndarray, keeps: np.ndarray) -> np.ndarray:
    """Steps whose length is at most that of the same point at the nearest locked frame.

    Args:
        steps: (F - 1, 4, 3) metres.
        keeps: (F - 1,) share of them that is kept: 1 at locked frames.
    """
    at_locks = np.flatnonzero(keeps == 1)
    if not len(at_locks):
        return steps
    frames = np.arange(len(steps))
    after = np.searchsorted(at_locks, frames).clip(0, len(at_locks) - 1)
    before = np.maximum(after - 1, 0)
    is_before = np.abs(at_locks[before] - frames) < np.abs(at_locks[after] - frames)
    lengths = np.linalg.norm(steps, axis=-1, keepdims=True)
    most = lengths[at_locks[np.where(is_before, before, after)]]
    return np.asarray(steps * np.minimum(1.0, most / np.maximum(lengths, 1e-12)))


def _glide(steps: np.ndarray, points: np.ndarray, keeps: np.ndarray, held: np.ndarray, name: str) -> list[Disagreement]:
    """Let a planted point slide from each held frame of its plant to the next: fills (F - 1, 3) steps."""
    disagreements = []
    for first, second in zip(held[:-1].tolist(), held[1:].tolist()):
        share = 1 - keeps[first:second]
        if not share.any():  # both are of the same lock
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
    """(F, 4) metres, world: heights of planted points, NaN if free; and (F, 4) bool: elsewhere.

    The height is the point's rest height in the whole motion, or the lower quartile of its plants: a heel that hovers
    must not lift those that stand. Plants far above rest on another object, such as a stair, or are tiptoes, and about
    keep their height; plants with a short gap between them are treated alike.
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


def _plant_heights_above(
    points: np.ndarray, contacts: np.ndarray, fps: float, under: np.ndarray, rules: PlantRules
) -> tuple[np.ndarray, np.ndarray]:
    """As `_plant_heights`, above (F, 4) heights of what is under the points: each plant has one height."""
    level = np.full(contacts.shape, np.nan)  # of what is under each plant
    for column in range(len(POINTS)):
        for start, stop in find_runs(contacts[:, column]):
            level[start:stop, column] = np.median(under[start:stop, column])
    above = points.copy()
    above[..., 1] -= np.where(np.isnan(level), under, level)
    heights, elsewhere = _plant_heights(above, contacts, fps, 0.0, rules)
    return heights + level, elsewhere


def _plant_heights_on_terrain(
    points: np.ndarray, contacts: np.ndarray, fps: float, under: np.ndarray, target: np.ndarray, rules: PlantRules
) -> tuple[np.ndarray, np.ndarray]:
    """As `_plant_heights`, above (F, 4) heights of terrain: `under` the points of the source and after planting.

    A foot that is level on a slope has its heel above it and its ball inside, or the other way round; both are put on
    the slope. How high a point is when it rests is measured where the ground is level, if there is such a place.
    """
    heights, elsewhere = np.full(contacts.shape, np.nan), np.zeros(contacts.shape, bool)
    higher = np.fmax(under[:, ::2], under[:, 1::2]).repeat(2, axis=1)  # of what is under heel and ball
    top = np.fmax(target[:, ::2], target[:, 1::2]).repeat(2, axis=1)
    slope = np.nan_to_num(higher - np.fmin(under[:, ::2], under[:, 1::2]).repeat(2, axis=1))
    for column in range(len(POINTS)):
        flags, own = contacts[:, column], points[:, column, 1] - under[:, column]
        if not flags.any():
            continue
        usual = _rest_on_level(own[flags], slope[flags, column])
        for start, stop in find_runs(_bridged(flags, rules.short_swing * fps)):
            inside = start + np.flatnonzero(flags[start:stop])
            above = float(np.median(points[inside, column, 1] - higher[inside, column])) - max(usual, 0.0)
            elsewhere[inside, column] = above > rules.other_support
            rest = float(np.median(own[inside])) if above > rules.other_support else usual
            heights[inside, column] = max(rest, rules.clearance)
        for start, stop in find_runs(flags):
            level, other = (np.median(surface[start:stop, column]) for surface in (target, top))
            heights[start:stop, column] += level
            if other - level > OVER_EDGE:  # the foot stands on its other point, on an edge
                heights[start:stop, column] = np.median(points[start:stop, column, 1])
                elsewhere[start:stop, column] = True
    return heights, elsewhere


def _rest_on_level(heights: np.ndarray, slope: np.ndarray) -> float:
    """Metres: how high a planted point is above the ground when it rests: where that is level, else on the whole.

    Args:
        heights: (N,) metres above what is under the point.
        slope: (N,) metres between what is under the heel and what is under the ball.
    """
    for even in EVEN:
        if (slope < even).sum() >= ENOUGH_FRAMES:
            return min(float(np.percentile(heights[slope < even], 25)), LOW)
    return min(float(np.median(heights)), LOW)


def _bridged(flags: np.ndarray, longest: float) -> np.ndarray:
    """(F,) flags with short gaps closed."""
    closed = flags.copy()
    for start, stop in find_runs(~flags):
        if start > 0 and stop < len(flags) and stop - start <= longest:
            closed[start:stop] = True
    return closed
