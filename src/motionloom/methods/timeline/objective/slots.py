"""Slots: the intervals of the answer that one block each must fill, and what every block costs in every slot."""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.motion.runs import find_equal_runs

FREE = -1


@dataclass(frozen=True, eq=False)
class Slots:
    """Intervals of the answer, one after another.

    A block is named by its first frame in the model; it fills a slot with the frames that follow it in its recording.
    Forced clips begin and end slots, so slots may be shorter than a block usually is.
    """

    borders: np.ndarray  # (S + 1,) int: slot s is [borders[s], borders[s + 1])
    forced: np.ndarray  # (S,) int: the only block that may fill it; -1 where any may

    @property
    def n_slots(self) -> int:
        return len(self.forced)

    @property
    def lengths(self) -> np.ndarray:
        """(S,) frames of each slot."""
        return np.diff(self.borders)

    def between(self, first: int, last: int) -> "Slots":
        """The slots [first, last)."""
        return Slots(self.borders[first : last + 1], self.forced[first:last])


def make_slots(problem: Problem, block: int) -> Slots:
    """Divide an answer into slots of at most `block` frames; forced clips have their own."""
    borders, forced = [0], list[int]()
    for run in (*problem.runs, None):
        until = run.at if run is not None else problem.n_frames
        _fill(borders, forced, until, block, None)
        if run is not None:
            _fill(borders, forced, run.stop, block, run.first - run.at)
    return Slots(np.array(borders), np.array(forced))


def chain_frames(slots: Slots, chain: np.ndarray) -> np.ndarray:
    """(F,) frames of the model that a chain of (S,) blocks plays."""
    within = np.arange(slots.borders[-1]) - np.repeat(slots.borders[:-1], slots.lengths)
    return np.repeat(np.asarray(chain), slots.lengths) + within


def slot_costs(model: Model, problem: Problem, slots: Slots, slot: int) -> np.ndarray:
    """(N,) float32 wrong labels of every block in one slot; infinite where a block does not fit or another is forced.

    Paint changes rarely within a slot: runs of frames that are painted alike are counted by running sums.
    """
    start, stop = slots.borders[slot : slot + 2]
    costs = np.full(model.n_frames, np.inf, np.float32)
    if slots.forced[slot] != FREE:
        block = int(slots.forced[slot])
        more = problem.company.of_frames(np.arange(block, block + stop - start), slice(start, stop)).sum()
        costs[block] = _wrong_of_run(problem, start, stop, block) + more
        return costs
    n_fitting = model.n_frames - (stop - start) + 1
    fits = np.flatnonzero(np.arange(max(n_fitting, 0)) + (stop - start) <= model.stops[: max(n_fitting, 0)])
    wrong = np.zeros(len(fits), np.float32)
    for label in range(len(problem.labels)):
        sums = running_wrong(problem, label)
        for first, last, value in find_equal_runs(problem.paint[start:stop, label]):
            if value:
                wrong += sums[value][fits + last] - sums[value][fits + first]
    besides = problem.company.running()
    for first, last, way in find_equal_runs(problem.company.way_of[start:stop]):
        wrong += (besides[way][fits + last] - besides[way][fits + first]).astype(np.float32)
    costs[fits] = wrong
    return costs


def all_slot_costs(model: Model, problem: Problem, slots: Slots) -> list[np.ndarray]:
    """S times (N,) float32 as `slot_costs` gives them; slots that are painted alike share one array.

    One running sum for every way that a frame is painted, over all labels together, with what is done besides.
    """
    ways, way_of = problem.company.ways, problem.company.way_of
    besides = problem.company.running()
    sums = [0.5 * _running_halves(problem, way) + more for way, more in zip(ways, besides)]
    made: dict[tuple, np.ndarray] = {}
    costs = []
    for start, stop, forced in zip(slots.borders, slots.borders[1:], slots.forced):
        key = (int(forced), *(find_equal_runs(way_of[start:stop])))
        if key not in made:
            made[key] = _costs_of_runs(model, sums, key[1:], int(stop - start), int(forced))
        costs.append(made[key])
    return costs


def running_wrong(problem: Problem, label: int) -> dict[int, np.ndarray]:
    """By paint: (N + 1,) float32 running sums of how wrong the frames of the model are for a label."""
    track = problem.tracks[:, label].astype(np.float64)
    return {value: np.concatenate([[0.0], np.cumsum((1 - value * track) / 2)]) for value in (1, -1)}


def _running_halves(problem: Problem, way: np.ndarray) -> np.ndarray:
    """(N + 1,) int64 running sums of how wrong the frames of the model are if painted in one way, in half frames."""
    halves = np.full(len(problem.tracks), np.count_nonzero(way))
    for label in np.flatnonzero(way):
        halves -= way[label] * problem.tracks[:, label]
    return np.concatenate([[0], np.cumsum(halves)])


def _costs_of_runs(model: Model, sums: list[np.ndarray], runs: tuple, length: int, forced: int) -> np.ndarray:
    n_whole = max(model.n_frames - length + 1, 0)  # blocks that end before the last motion does
    wrong = np.zeros(n_whole)
    for first, last, way in runs:
        wrong += sums[way][last : last + n_whole] - sums[way][first : first + n_whole]
    costs = np.full(model.n_frames, np.inf, np.float32)
    if forced != FREE:
        costs[forced] = wrong[forced]
        return costs
    costs[:n_whole] = wrong
    costs[np.arange(model.n_frames) + length > model.stops] = np.inf
    return costs


def _fill(borders: list[int], forced: list[int], until: int, block: int, offset: int | None) -> None:
    """Add slots up to a frame of the answer; `offset` is the block minus the frame of the answer where it is forced."""
    while borders[-1] < until:
        forced.append(FREE if offset is None else borders[-1] + offset)
        borders.append(min(borders[-1] + block, until))


def _wrong_of_run(problem: Problem, start: int, stop: int, block: int) -> float:
    paint, track = problem.paint[start:stop], problem.tracks[block : block + stop - start]
    return float(np.where(paint != 0, (1 - paint * track) / 2, 0.0).sum())
