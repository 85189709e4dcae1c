"""The search over the whole corpus: all blocks are active in every slot, and the answer is near the best there is.

The program that runs back over the slots gives a first answer. The program that runs on tells, together with it, what
the best motion through every block costs; the best few hundred blocks of each slot go into a program that knows all
cuts between them. Last the cuts are moved to single frames. Other answers are found in the same way, with blocks made
dear that were used before.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots, all_slot_costs, chain_frames
from motionloom.methods.timeline.objective.solution import Solution, make_solution
from motionloom.methods.timeline.passes.cut_refinement import refine
from motionloom.methods.timeline.passes.dense import best_blocks, dense_chain
from motionloom.methods.timeline.passes.forward_backward import (
    MOST_KEPT,
    BackProgram,
    Recall,
    Tables,
    follow,
    run_back_in_parts,
    step_on,
    trace_on,
    usual_slots,
)
from motionloom.methods.timeline.places.place_search import search_places
from motionloom.tasks import Stop, Stopped, check_stop

NEAR = 30  # frames: what comes from so near in the same recording, at the same time, is much the same
DEARER, FARTHER = 0.1, 3.0  # share, usual distances: chains that cost so much more than the first are given up
DEAR = 0.5  # wrong frames that every frame is worth which was used before


def search(
    model: Model,
    problem: Problem,
    rng: np.random.Generator,
    *,
    stop: Stop | None = None,
    recall: Recall | None = None,
) -> Iterator[Solution]:
    """A first answer, the best one, and better ones where there are places.

    Args:
        model: of the corpus.
        problem: what is asked.
        rng: handed on to the search for places; nothing else is left to chance.
        stop: asked at every slot; the search ends as soon as it says so, but not before the first answer.
        recall: of the search before; the first answer comes sooner, and is the same.
    """
    slots = usual_slots(model, problem)
    costs = all_slot_costs(model, problem, slots)
    n_found = 0
    try:
        for answer in _answers(model, problem, slots, costs, stop, recall):
            n_found += 1
            yield answer
    except Stopped:
        if not n_found:
            yield _answer(model, problem, slots, greedy_chain(model, problem, slots, costs), "first")


def search_others(
    model: Model, problem: Problem, best: Solution, count: int, *, stop: Stop | None = None
) -> Iterator[Solution]:
    """Other answers than the best, each really different from all before it.

    There are none where a request is too long for keeping a backward pass.
    """
    slots = usual_slots(model, problem)
    with contextlib.suppress(Stopped):
        yield from _others(model, problem, slots, all_slot_costs(model, problem, slots), best, count, stop)


def search_tables(model: Model, tables: Tables) -> Solution:
    """The best answer where both programs have been run, as after a change: fast."""
    chain = trace_on(model, tables, 0, int(tables.to_pay[0].argmin()))
    throughs = (tables.through(slot) for slot in range(tables.slots.n_slots))
    chosen = [_promising(model, through, block) for through, block in zip(throughs, chain)]
    return _answer(model, tables.problem, tables.slots, _dense(model, tables, chosen), "best")


def find_chains(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: Sequence[np.ndarray],
    stop: Stop | None = None,
    recall: Recall | None = None,
) -> Iterator[np.ndarray]:
    """(S,) blocks: the best chain of the program that runs back, then the best of the dense program.

    Args:
        model: N frames.
        problem: weights of cuts.
        slots: S.
        costs: S times (N,) of having a block in a slot.
        stop: asked at every slot; if it says so, `Stopped` is raised.
        recall: of a search before.
    """
    back = run_back_in_parts(model, problem, slots, costs, stop, recall)
    chain = back.trace(stop)
    yield chain
    blocks = promising_blocks(model, back, chain, stop)
    yield dense_chain(model, problem, slots, blocks, [c[b] for c, b in zip(costs, blocks)], stop)[0]


def promising_blocks(model: Model, back: BackProgram, chain: np.ndarray, stop: Stop | None = None) -> list[np.ndarray]:
    """S times (C,): the best blocks of each slot by the cheapest chain through them, and those of a given chain."""
    problem, slots, costs = back.problem, back.slots, back.costs
    limit = (1 + DEARER) * float(back.firsts[0].min()) + FARTHER * problem.cut_weight
    spent = np.zeros(model.n_frames, np.float32)
    blocks: list[np.ndarray] = []
    for first, arrays in back.parts(stop):
        for slot, to_pay in enumerate(arrays, first):
            check_stop(stop)
            if slot:
                paid, length = spent + costs[slot - 1], int(slots.lengths[slot - 1])
                spent = step_on(model, problem, length, paid, to_pay, limit)[0]
            blocks.append(_promising(model, spent + to_pay, chain[slot]))
    return blocks


def greedy_chain(model: Model, problem: Problem, slots: Slots, costs: Sequence[np.ndarray]) -> np.ndarray:
    """(S,) blocks of which each is the cheapest after the one before; nothing is foreseen."""
    chain = [int(costs[0].argmin())]
    for length, of_slot in zip(slots.lengths, costs[1:]):
        chain += follow(model, problem, np.array([length]), [of_slot], chain[-1])
    return np.array(chain)


def differing_share(model: Model, frames: np.ndarray, others: np.ndarray) -> float:
    """How much of an answer comes from elsewhere than in another one, at the same time: 0 to 1."""
    elsewhere = model.motion_of[frames] != model.motion_of[others]
    return float(np.mean(elsewhere | (np.abs(frames - others) > NEAR)))


def _answers(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: list[np.ndarray],
    stop: Stop | None,
    recall: Recall | None,
) -> Iterator[Solution]:
    best: Solution | None = None
    for chain, kind in zip(find_chains(model, problem, slots, costs, stop, recall), ("first", "best")):
        answer = _answer(model, problem, slots, chain, kind)
        if best is not None and best.cost <= answer.cost:  # cuts of the dearer chain were moved to better places
            answer = replace(best, kind=kind)
        best = answer
        yield answer
    assert best is not None
    yield from _with_places(model, problem, slots, costs, best, stop)


def _others(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: list[np.ndarray],
    best: Solution,
    count: int,
    stop: Stop | None,
) -> Iterator[Solution]:
    found = [best]
    for _ in range(count if slots.n_slots * model.n_frames <= MOST_KEPT else 0):
        costs = _make_dear(model, slots, costs, found[-1].frames)
        *_, chain = find_chains(model, problem, slots, costs, stop)
        answer = _answer(model, problem, slots, chain, "other")
        *_, answer = answer, *_with_places(model, problem, slots, costs, answer, stop)
        shares = [differing_share(model, answer.frames, before.frames) for before in found]
        found.append(replace(answer, kind="other", differs=min(shares)))
        yield found[-1]


def _with_places(
    model: Model, problem: Problem, slots: Slots, costs: Sequence[np.ndarray], known: Solution, stop: Stop | None
) -> Iterator[Solution]:
    """Better answers, where there are places, each better than the one before."""
    if problem.places:
        yield from search_places(model, problem, slots, costs, known, stop=stop)


def _make_dear(model: Model, slots: Slots, costs: Sequence[np.ndarray], frames: np.ndarray) -> list[np.ndarray]:
    """Costs of blocks with all that is near an answer made dearer."""
    dearer = []
    for of_slot, border, length in zip(costs, slots.borders, slots.lengths):
        used = int(frames[border])
        motion = model.motion_of[used]
        first, stop = max(model.starts[motion], used - NEAR), min(model.starts[motion + 1], used + NEAR + 1)
        of_slot = of_slot.copy()
        of_slot[first:stop] += np.float32(DEAR * length)
        dearer.append(of_slot)
    return dearer


def _promising(model: Model, through: np.ndarray, block: int) -> np.ndarray:
    """The best blocks of a slot, among them one that is known to be good."""
    return np.union1d(best_blocks(through, model.settings.by_all.dense), block)


def _dense(model: Model, tables: Tables, blocks: Sequence[np.ndarray]) -> np.ndarray:
    costs = [of_slot[chosen] for of_slot, chosen in zip(tables.costs, blocks)]
    return dense_chain(model, tables.problem, tables.slots, blocks, costs)[0]


def _answer(model: Model, problem: Problem, slots: Slots, chain: np.ndarray, kind: str) -> Solution:
    return make_solution(model, problem, refine(model, problem, chain_frames(slots, chain)), kind)
