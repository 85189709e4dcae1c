"""Global search: all blocks of the corpus are active in every slot, and the answer is near the best there is.

The backward pass over the slots gives a first answer. A forward pass gives, together with it, what the best motion
through every block costs; the best few hundred blocks of each slot go into a dense pass that knows all cuts between
them. Last the cuts are moved to single frames. Other answers are found in the same way, with a penalty on blocks that
were used before.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import chain_frames
from motionloom.methods.timeline.objective.solution import Solution, make_solution
from motionloom.methods.timeline.passes.cut_refinement import refine
from motionloom.methods.timeline.passes.dense import best_blocks, dense_chain
from motionloom.methods.timeline.passes.forward_backward import (
    MOST_KEPT,
    BackwardPass,
    Recall,
    follow,
    forward_step,
    run_backward,
)
from motionloom.methods.timeline.passes.trellis import Trellis, make_trellis
from motionloom.methods.timeline.places.place_search import search_places
from motionloom.tasks import Stop, Stopped

NEAR = 30  # frames: what comes from so near in the same recording, at the same time, is much the same
EXTRA, FARTHER = 0.1, 3.0  # share, usual distances: chains that cost so much more than the first are given up
PENALTY = 0.5  # wrong frames that every frame costs which was used before


def search(
    model: Model, problem: Problem, *, stop: Stop | None = None, recall: Recall | None = None
) -> Iterator[Solution]:
    """A first solution, the best one, and better ones where there are places. Nothing is random.

    Args:
        model: of the corpus.
        problem: what is asked.
        stop: asked at every slot; the search ends as soon as it answers True, but not before the first solution.
        recall: of the search before; the first solution comes sooner, and is the same.
    """
    trellis = make_trellis(model, problem, stop)
    n_found = 0
    try:
        for solution in _solutions(trellis, recall):
            n_found += 1
            yield solution
    except Stopped:
        if not n_found:
            yield _solution(trellis, greedy_chain(trellis), "first")


def search_others(
    model: Model, problem: Problem, best: Solution, count: int, *, stop: Stop | None = None
) -> Iterator[Solution]:
    """Other solutions than the best, each really different from all before it.

    There are none where a request is too long for keeping a backward pass.
    """
    trellis = make_trellis(model, problem, stop)
    found = [best]
    with contextlib.suppress(Stopped):
        for _ in range(count if trellis.n_blocks <= MOST_KEPT else 0):
            trellis = _penalize(trellis, found[-1].frames)
            *_, chain = find_chains(trellis)
            solution = _solution(trellis, chain, "other")
            *_, solution = solution, *_with_places(trellis, solution)
            shares = [differing_share(model, solution.frames, before.frames) for before in found]
            found.append(replace(solution, kind="other", differs=min(shares)))
            yield found[-1]


def find_chains(trellis: Trellis, recall: Recall | None = None) -> Iterator[np.ndarray]:
    """(S,) blocks: the best chain of the backward pass, then the best of the dense pass.

    Args:
        trellis: S slots.
        recall: of a search before.
    """
    back = run_backward(trellis, recall)
    chain = back.trace()
    yield chain
    yield dense_chain(trellis, promising_blocks(back, chain))[0]


def promising_blocks(back: BackwardPass, chain: np.ndarray) -> list[np.ndarray]:
    """S times (C,): the best blocks of each slot by the cheapest chain through them, and those of a given chain."""
    trellis = back.trellis
    limit = (1 + EXTRA) * float(back.firsts[0].min()) + FARTHER * trellis.problem.cut_weight
    cost_so_far = np.zeros(trellis.model.n_frames, np.float32)
    blocks: list[np.ndarray] = []
    for first, arrays in back.parts():
        for slot, cost_to_go in enumerate(arrays, first):
            trellis.check_stop()
            if slot:
                paid = cost_so_far + trellis.costs[slot - 1]
                cost_so_far = forward_step(trellis, slot - 1, paid, cost_to_go, limit)[0]
            best = best_blocks(cost_so_far + cost_to_go, trellis.model.settings.by_all.dense)
            blocks.append(np.union1d(best, chain[slot]))
    return blocks


def greedy_chain(trellis: Trellis) -> np.ndarray:
    """(S,) blocks of which each is the cheapest after the one before; nothing is foreseen."""
    chain = [int(trellis.costs[0].argmin())]
    for slot, of_slot in enumerate(trellis.costs[1:]):
        chain += follow(trellis, slot, [of_slot], chain[-1])
    return np.array(chain)


def differing_share(model: Model, frames: np.ndarray, others: np.ndarray) -> float:
    """How much of a solution comes from elsewhere than in another one, at the same time: 0 to 1."""
    elsewhere = model.motion_of[frames] != model.motion_of[others]
    return float(np.mean(elsewhere | (np.abs(frames - others) > NEAR)))


def _solutions(trellis: Trellis, recall: Recall | None) -> Iterator[Solution]:
    best: Solution | None = None
    for chain, kind in zip(find_chains(trellis, recall), ("first", "best")):
        solution = _solution(trellis, chain, kind)
        if best is not None and best.cost <= solution.cost:  # cuts of the costlier chain were moved to better places
            solution = replace(best, kind=kind)
        best = solution
        yield solution
    assert best is not None
    yield from _with_places(trellis, best)


def _with_places(trellis: Trellis, known: Solution) -> Iterator[Solution]:
    """Better solutions, where there are places, each better than the one before."""
    if trellis.problem.places:
        yield from search_places(trellis, known)


def _penalize(trellis: Trellis, frames: np.ndarray) -> Trellis:
    """The trellis with a penalty on all blocks that are near a solution."""
    model, costs = trellis.model, list[np.ndarray]()
    for slot, of_slot in enumerate(trellis.costs):
        used = int(frames[trellis.slots.borders[slot]])
        motion = model.motion_of[used]
        first, stop = max(model.starts[motion], used - NEAR), min(model.starts[motion + 1], used + NEAR + 1)
        of_slot = of_slot.copy()
        of_slot[first:stop] += np.float32(PENALTY * trellis.length(slot))
        costs.append(of_slot)
    return trellis.with_costs(costs)


def _solution(trellis: Trellis, chain: np.ndarray, kind: str) -> Solution:
    model, problem = trellis.model, trellis.problem
    return make_solution(model, problem, refine(model, problem, chain_frames(trellis.slots, chain)), kind)
