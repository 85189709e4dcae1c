"""Pools: the best motions of a level so far, and what comes of cutting from a new one to one of them (3.4).

A cut changes where everything after it is. To know where in O(1), every motion in a pool keeps, for every border
between slots, where it arrives there: the facing that would have come after the block before, which is the facing that
the block after begins with. If motion b takes over from motion a at border k, everything of b from there on moves over
the ground by one placement: arrival k of a after the inverse of arrival k of b. So all places after the border move by
that placement, all places before are those of a, and the labels and cuts on both sides are running sums that are kept
too. A pair of motions and a border costs O(places), however long the motions are; only the distance at the new cut is
computed anew.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.levels import Labelling, Level
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective import misses_at, price_misses
from motionloom.methods.timeline.problem import Problem
from motionloom.motion.placement import turn_ground


@dataclass(frozen=True, eq=False)
class Candidate:
    """A motion of one level, with all that is needed to know what its parts cost in other motions."""

    chain: np.ndarray  # (S,) blocks
    spent: np.ndarray  # (S,) labels of the blocks before each, and cuts before it; not the cut into it
    to_pay: np.ndarray  # (S,) labels of each block and those after it, and cuts after it; not the cut into it
    arrivals: np.ndarray  # (S + 1, 3) metres along x and z, radians: where each block begins, and what comes after all
    at_places: np.ndarray  # (G, 3) metres along x and z, radians at the frames of the places
    cost: float  # by the shared objective, places included


@dataclass
class Pool:
    """The best motions of one level, the cheapest first."""

    n_kept: int
    motions: list[Candidate]

    def add(self, motion: Candidate) -> None:
        """Keep a motion if it is among the best and not known yet."""
        if any(np.array_equal(motion.chain, other.chain) for other in self.motions):
            return
        self.motions = sorted([*self.motions, motion], key=lambda one: one.cost)[: self.n_kept]


def describe(model: Model, problem: Problem, level: Level, labelling: Labelling, chain: np.ndarray) -> Candidate:
    """A motion of a level with its running sums and arrivals."""
    slots = level.slots
    labels = np.array([labelling.price(runs, chain[s : s + 1])[0] for s, runs in enumerate(level.runs)])
    after = model.following[chain + slots.lengths - 1]
    into = np.concatenate([[0.0], _cut_costs(model, problem, after[:-1], chain[1:])])  # (S,)
    through = np.cumsum(labels + into)
    arrivals = _arrive(model, problem, chain, after)
    at_places = _at_places(model, problem, level, chain, arrivals)
    return Candidate(
        chain=chain,
        spent=through - labels - into,
        to_pay=through[-1] - through + labels,
        arrivals=arrivals,
        at_places=at_places,
        cost=float(through[-1] + price_misses(model, problem, misses_at(problem, at_places))),
    )


def cut_costs(model: Model, problem: Problem, level: Level, first: Candidate, second: Candidate) -> np.ndarray:
    """(S - 1,) what it costs if the second motion takes over from the first at each border."""
    slots = level.slots
    after = model.following[first.chain[:-1] + slots.lengths[:-1] - 1]
    cuts = _cut_costs(model, problem, after, second.chain[1:])
    moved = _places_after_cut(problem, level, first, second)  # (S - 1, G, 3)
    misses = price_misses(model, problem, misses_at(problem, moved))
    return first.spent[1:] + cuts + second.to_pay[1:] + misses


def best_combination(
    model: Model, problem: Problem, level: Level, new: Candidate, pool: Pool
) -> tuple[float, np.ndarray] | None:
    """The cheapest motion that has one cut between a new motion and one of a pool, either way; its cost and blocks."""
    best: tuple[float, np.ndarray] | None = None
    for other in pool.motions:
        for first, second in ((new, other), (other, new)):
            costs = cut_costs(model, problem, level, first, second)
            if len(costs) and (best is None or costs.min() < best[0]):
                border = int(np.argmin(costs)) + 1
                best = (float(costs.min()), np.concatenate([first.chain[:border], second.chain[border:]]))
    return best


def _cut_costs(model: Model, problem: Problem, after: np.ndarray, entries: np.ndarray) -> np.ndarray:
    """(C,) what it costs to come to the entries where the frames `after` would have come."""
    distances = np.linalg.norm(model.coordinates[after] - model.coordinates[entries], axis=1)
    return np.where(after == entries, 0.0, problem.cut_weight * (problem.fee + distances))


def _arrive(model: Model, problem: Problem, chain: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(S + 1, 3) the facing at every border: steps of the blocks in their own facing, one after another."""
    begins, ends = model.facings[chain], model.facings[after]
    headings = problem.start.heading + np.concatenate([[0.0], np.cumsum(ends[:, 2] - begins[:, 2])])
    steps = turn_ground(ends[:, :2] - begins[:, :2], headings[:-1] - begins[:, 2])
    ground = problem.start.slide + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return np.column_stack([ground, headings])


def _at_places(model: Model, problem: Problem, level: Level, chain: np.ndarray, arrivals: np.ndarray) -> np.ndarray:
    """(G, 3) where a motion is in the frames of the places."""
    frames = np.array([place.frame for place in problem.places], int)
    slots = np.searchsorted(level.slots.borders, frames, side="right") - 1
    begins = model.facings[chain[slots]]
    there = model.facings[chain[slots] + frames - level.slots.borders[slots]]
    turns = arrivals[slots, 2] - begins[:, 2]
    ground = arrivals[slots, :2] + turn_ground(there[:, :2] - begins[:, :2], turns)
    return np.column_stack([ground, there[:, 2] + turns])


def _places_after_cut(problem: Problem, level: Level, first: Candidate, second: Candidate) -> np.ndarray:
    """(S - 1, G, 3) where the motion is in the frames of the places if the second takes over at each border."""
    borders = level.slots.borders[1:-1]
    frames = np.array([place.frame for place in problem.places], int)
    arrives, replaced = first.arrivals[1:-1], second.arrivals[1:-1]
    turns = (arrives[:, 2] - replaced[:, 2])[:, None]  # (S - 1, 1)
    moved = turn_ground(second.at_places[:, :2] - replaced[:, None, :2], turns) + arrives[:, None, :2]
    headings = second.at_places[:, 2] + turns
    taken_over = np.concatenate([moved, headings[..., None]], axis=-1)
    return np.where((frames >= borders[:, None])[..., None], taken_over, first.at_places)
