"""Refining: cuts moved to the frames where they cost least, together, without changing what is played around them.

Arikan et al. 2003, section 4 moves entry and exit of every cut by gradient descent on the feature distance alone; there
the length may change, and an entry may come to lie behind its exit. Here the piece before a cut is played on, or the
piece after it is begun earlier, by the same number of frames: the length stays. Labels count as well as continuity, all
places of a cut within reach are looked at, and the cuts are moved together by dynamic programming, so that they stay in
order.
"""

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import cost_of, find_cuts
from motionloom.methods.timeline.objective.problem import Problem

REACH = 30  # frames that a cut is moved at most
SHORTEST = 8  # frames that a piece keeps: joins on both sides of fewer have no room, and jolt


def refine(model: Model, problem: Problem, frames: np.ndarray) -> np.ndarray:
    """Move the cuts of an answer: never worse by `cost_of`; forced frames stay.

    Args:
        model: N frames.
        problem: F frames, with labels, forced clips, places.
        frames: (F,) int, the frame of the model played in each frame.

    Returns:
        (F,) int.
    """
    frames = np.asarray(frames, np.int64)
    cuts = find_cuts(model, frames)
    if not len(cuts):
        return frames
    if problem.places:
        return _refine_one_by_one(model, problem, frames, cuts)
    moved = _play(frames, cuts, _place_cuts(model, problem, frames, cuts))
    return moved if cost_of(model, problem, moved).total < cost_of(model, problem, frames).total else frames


def _refine_one_by_one(model: Model, problem: Problem, frames: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """With places every move moves all that comes after: each is kept only where the whole gets cheaper."""
    cost = cost_of(model, problem, frames).total
    wanted, places = _place_cuts(model, problem, frames, cuts), cuts
    for number in range(len(cuts)):
        moved = np.concatenate([places[:number], wanted[number : number + 1], places[number + 1 :]])
        if (np.diff(moved) < _least_apart(cuts)).any():
            continue
        moved_cost = cost_of(model, problem, _play(frames, cuts, moved)).total
        if moved_cost < cost:
            places, cost = moved, moved_cost
    return _play(frames, cuts, places)


def _place_cuts(model: Model, problem: Problem, frames: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """(C,) where the cuts cost least together, in order; of equals the least moved."""
    ways = [_cost_of_places(model, problem, frames, int(cut)) for cut in cuts]
    apart = _least_apart(cuts)
    totals: list[np.ndarray] = []  # least cost of all cuts up to one, by its place
    for number, (first, costs) in enumerate(ways):
        if not number:
            totals.append(costs)
            continue
        first_before = ways[number - 1][0]
        least = np.minimum.accumulate(totals[-1])  # of the cut before, by the last place allowed for it
        last_allowed = first + np.arange(len(costs)) - apart[number - 1] - first_before
        before = np.where(last_allowed >= 0, least[np.clip(last_allowed, 0, len(least) - 1)], np.inf)
        totals.append(costs + before)
    places = np.empty(len(cuts), np.int64)
    last = len(frames)  # the last place allowed; the last cut may be at any of its own
    for number in range(len(cuts) - 1, -1, -1):
        first, total = ways[number][0], totals[number][: last + 1 - ways[number][0]]
        cheapest = np.flatnonzero(total <= total.min() + 1e-9)
        places[number] = first + cheapest[np.abs(first + cheapest - cuts[number]).argmin()]
        last = places[number] - apart[number - 1] if number else 0
    return places


def _least_apart(cuts: np.ndarray) -> np.ndarray:
    """(C - 1,) frames that cuts stay apart; those that are nearer may stay so."""
    return np.minimum(np.diff(cuts), SHORTEST)


def _cost_of_places(model: Model, problem: Problem, frames: np.ndarray, cut: int) -> tuple[int, np.ndarray]:
    """The first place where a cut may be moved to, and what the cut costs there and at the places after it.

    The cost counts wrong labels beside those of the piece before, played on for as long as any place allows.
    """
    first, last = _range_of(model, problem, frames, cut)
    before = frames[cut - 1] + np.arange(first - 1, last + 1) - (cut - 1)  # in output frames [first - 1, last]
    after = frames[cut] + np.arange(first, last + 1) - cut  # in output frames [first, last]
    would_come = model.coordinates[model.following[before[:-1]]]
    jumps = np.linalg.norm(would_come - model.coordinates[after], axis=1)
    is_cut = model.following[before[:-1]] != after
    costs = np.where(is_cut, problem.cut_weight * (problem.fee + jumps), 0.0)
    paint = problem.paint[first:last]
    gain = (_wrong(problem, paint, before[1:-1]) - _wrong(problem, paint, after[:-1])).sum(axis=1)
    besides = [problem.company.of_frames(each, slice(first, last)) for each in (before[1:-1], after[:-1])]
    return first, costs + np.concatenate([[0.0], np.cumsum(gain + besides[0] - besides[1])])


def _range_of(model: Model, problem: Problem, frames: np.ndarray, cut: int) -> tuple[int, int]:
    """First and last place that a cut may be moved to: both motions have frames there, and no forced frame changes."""
    exit_, entry = int(frames[cut - 1]), int(frames[cut])
    first = max(min(SHORTEST, cut), cut - REACH, cut - (entry - int(model.starts[model.motion_of[entry]])))
    last = min(max(len(frames) - SHORTEST, cut), cut + REACH, cut + int(model.stops[exit_]) - 1 - exit_)
    for run in problem.runs:
        if run.at < cut:
            first = max(first, min(run.stop, cut))
        if run.stop > cut:
            last = min(last, max(run.at, cut))
    # before the cut the piece must have its own frames, after it the next one: neither ends within reach of the other
    first = max(first, cut - (exit_ - int(model.starts[model.motion_of[exit_]])))
    last = min(last, cut + int(model.stops[entry]) - 1 - entry)
    return first, last


def _wrong(problem: Problem, paint: np.ndarray, frames: np.ndarray) -> np.ndarray:
    return np.where(paint != 0, (1 - paint * problem.tracks[frames]) / 2, 0.0)


def _play(frames: np.ndarray, cuts: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The answer with its cuts at other places."""
    borders, moved_to = [0, *cuts.tolist()], [0, *places.tolist(), len(frames)]
    pieces = zip(borders, moved_to, moved_to[1:])
    return np.concatenate([frames[border] + np.arange(start, stop) - border for border, start, stop in pieces])
