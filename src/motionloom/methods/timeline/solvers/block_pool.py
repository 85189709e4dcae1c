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

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import misses_at, price_misses
from motionloom.methods.timeline.objective.problem import Problem, wrong_cells
from motionloom.methods.timeline.objective.slots import Slots, chain_frames
from motionloom.motion.placement import turn_ground


@dataclass(frozen=True, eq=False)
class Candidate:
    """A motion of one level, with all that is needed to know what its parts cost in other motions; or (...) of them."""

    chain: np.ndarray  # (..., S) blocks
    cost_so_far: np.ndarray  # (..., S) labels of the blocks before each, and cuts before it; not the cut into it
    cost_to_go: np.ndarray  # (..., S) labels of each block and those after it, and cuts after it; not the cut into it
    arrivals: np.ndarray  # (..., S, 3) metres along x and z, radians: where each block begins
    at_places: np.ndarray  # (..., G, 3) metres along x and z, radians at the frames of the places
    cost: float  # by the shared objective, places included; of the first of several


@dataclass
class Pool:
    """The best motions of one level, the cheapest first."""

    n_kept: int
    motions: list[Candidate]

    def add(self, motion: Candidate) -> None:
        """Keep a motion if it is among the best and not known yet."""
        if any(np.array_equal(motion.chain, other.chain) for other in self.motions):
            return
        self.motions = sorted([*self.motions, motion], key=lambda pooled: pooled.cost)[: self.n_kept]

    def stacked(self) -> Candidate:
        """All its motions at once."""
        arrays = {name: np.stack([getattr(motion, name) for motion in self.motions]) for name in ARRAYS}
        return Candidate(**arrays, cost=self.motions[0].cost)


ARRAYS = ("chain", "cost_so_far", "cost_to_go", "arrivals", "at_places")


def describe(model: Model, problem: Problem, slots: Slots, chain: np.ndarray) -> Candidate:
    """A motion of (S,) blocks with its running sums and arrivals."""
    frames = chain_frames(slots, chain)
    wrong = wrong_cells(problem, frames).sum(axis=1) + problem.company.of_frames(frames)
    labels = np.add.reduceat(wrong, slots.borders[:-1])
    after = model.following[chain + slots.lengths - 1]
    into = np.concatenate([[0.0], _price_cuts(model, problem, after[:-1], chain[1:])])  # (S,)
    through = np.cumsum(labels + into)
    arrivals = _arrive(model, problem, chain, after)
    at_places = _at_places(model, problem, slots, chain, arrivals)
    return Candidate(
        chain=chain,
        cost_so_far=through - labels - into,
        cost_to_go=through[-1] - through + labels,
        arrivals=arrivals,
        at_places=at_places,
        cost=float(through[-1] + price_misses(model, problem, misses_at(problem, at_places))),
    )


def cut_costs(model: Model, problem: Problem, slots: Slots, first: Candidate, second: Candidate) -> np.ndarray:
    """(..., S - 1) what it costs if the second motion takes over from the first at each border."""
    after = model.following[first.chain[..., :-1] + slots.lengths[:-1] - 1]
    cuts = _price_cuts(model, problem, after, second.chain[..., 1:])
    at_places = _places_after_cut(problem, slots, first, second)  # (..., S - 1, G, 3)
    misses = price_misses(model, problem, misses_at(problem, at_places))
    return first.cost_so_far[..., 1:] + cuts + second.cost_to_go[..., 1:] + misses


def best_combination(
    model: Model, problem: Problem, slots: Slots, new: Candidate, pool: Pool
) -> tuple[float, np.ndarray] | None:
    """The cheapest motion that has one cut between a new motion and one of a pool, either way: its cost and blocks."""
    if not pool.motions or slots.n_slots < 2:
        return None
    others = pool.stacked()
    costs = np.stack([cut_costs(model, problem, slots, *pair) for pair in ((new, others), (others, new))])
    way, number, border = np.unravel_index(np.argmin(costs), costs.shape)  # (2, pool, S - 1)
    pair = (new.chain, others.chain[number]) if way == 0 else (others.chain[number], new.chain)
    return float(costs.min()), np.concatenate([pair[0][: border + 1], pair[1][border + 1 :]])


def _price_cuts(model: Model, problem: Problem, after: np.ndarray, entries: np.ndarray) -> np.ndarray:
    """(...) what it costs to come to the entries where the frames `after` would have come."""
    distances = np.linalg.norm(model.coordinates[after] - model.coordinates[entries], axis=-1)
    return np.where(after == entries, 0.0, problem.cut_weight * (problem.fee + distances))


def _arrive(model: Model, problem: Problem, chain: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(S, 3) the facing where each block begins: the steps of the blocks in their own facing, one after another."""
    begins, ends = model.facings[chain[:-1]], model.facings[after[:-1]]
    headings = problem.start.heading + np.concatenate([[0.0], np.cumsum(ends[:, 2] - begins[:, 2])])
    steps = turn_ground(ends[:, :2] - begins[:, :2], headings[:-1] - begins[:, 2])
    ground = problem.start.slide + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return np.column_stack([ground, headings])


def _at_places(model: Model, problem: Problem, slots: Slots, chain: np.ndarray, arrivals: np.ndarray) -> np.ndarray:
    """(G, 3) where a motion is in the frames of the places."""
    frames = np.array([place.frame for place in problem.places], int)
    within = np.searchsorted(slots.borders, frames, side="right") - 1
    begins = model.facings[chain[within]]
    there = model.facings[chain[within] + frames - slots.borders[within]]
    turns = arrivals[within, 2] - begins[:, 2]
    ground = arrivals[within, :2] + turn_ground(there[:, :2] - begins[:, :2], turns)
    return np.column_stack([ground, there[:, 2] + turns])


def _places_after_cut(problem: Problem, slots: Slots, first: Candidate, second: Candidate) -> np.ndarray:
    """(..., S - 1, G, 3) where the motion is at its places if the second takes over from the first at each border."""
    frames = np.array([place.frame for place in problem.places], int)
    arrives, replaced = first.arrivals[..., 1:, None, :], second.arrivals[..., 1:, None, :]  # (..., S - 1, 1, 3)
    stays, moves = first.at_places[..., None, :, :], second.at_places[..., None, :, :]  # (..., 1, G, 3)
    turns = arrives[..., 2] - replaced[..., 2]
    ground = turn_ground(moves[..., :2] - replaced[..., :2], turns) + arrives[..., :2]
    moved = np.concatenate([ground, (moves[..., 2] + turns)[..., None]], axis=-1)
    is_after = frames >= slots.borders[1:-1, None]  # (S - 1, G)
    return np.where(is_after[..., None], moved, stays)
