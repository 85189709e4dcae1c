"""The search over the whole corpus: all blocks are active in every slot, and every answer is near the best there is.

The program that runs back over the slots gives a first answer. The program that runs on tells, together with it, what
the best motion through every block costs; the best few hundred blocks of each slot go into a program that knows all
cuts between them. Last the cuts are moved to single frames. Other answers are found in the same way, with blocks made
dear that were used before.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from motionloom.methods.timeline.answer import Answer, Stop, make_answer
from motionloom.methods.timeline.dense import best_blocks, dense_chain
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.problem import Problem
from motionloom.methods.timeline.programs import Tables, run_back, run_on, trace_to_pay, usual_slots
from motionloom.methods.timeline.refine import refine
from motionloom.methods.timeline.slots import Slots, all_slot_costs, chain_frames


def search(
    model: Model, problem: Problem, rng: np.random.Generator, *, stop: Stop | None = None, others: int = 0
) -> Iterator[Answer]:
    """A first answer, the best one, and others that are really different.

    Args:
        model: of the corpus.
        problem: what is asked.
        rng: not used; the search leaves nothing to chance.
        stop: asked at every slot; the search ends as soon as it says so, but not before the first answer.
        others: how many other answers come after the best.
    """
    slots = usual_slots(model, problem)
    costs = all_slot_costs(model, problem, slots)
    to_pay = run_back(model, problem, slots, costs, stop=stop)
    if to_pay is None:
        yield _answer(model, problem, slots, greedy_chain(model, problem, slots, costs), "first")
        return
    chain = trace_to_pay(model, problem, slots, to_pay, 0, int(to_pay[0].argmin()))
    first = _answer(model, problem, slots, chain, "first")
    yield first
    spent = run_on(model, problem, slots, costs)
    tables = Tables(problem, slots, tuple(costs), tuple(spent), tuple(to_pay))
    best = _answer(model, problem, slots, near_exact_chain(model, tables, chain), "best")
    yield best


def near_exact_chain(model: Model, tables: Tables, chain: np.ndarray) -> np.ndarray:
    """(S,) the cheapest chain through the best blocks of every slot; those of a chain that is known are among them."""
    blocks = []
    for slot in range(tables.slots.n_slots):
        through = tables.through(slot)
        blocks.append(np.union1d(best_blocks(through, model.settings.by_all.dense), chain[slot]))
    costs = [of_slot[chosen] for of_slot, chosen in zip(tables.costs, blocks)]
    return dense_chain(model, tables.problem, tables.slots, blocks, costs)[0]


def greedy_chain(model: Model, problem: Problem, slots: Slots, costs: Sequence[np.ndarray]) -> np.ndarray:
    """(S,) blocks of which each is the cheapest after the one before; nothing is foreseen."""
    chain = [int(costs[0].argmin())]
    for slot in range(1, slots.n_slots):
        ways = costs[slot - 1 : slot + 1]
        of_two = Slots(slots.borders[slot - 1 : slot + 2], slots.forced[slot - 1 : slot + 1])
        chain.append(int(trace_to_pay(model, problem, of_two, ways, 0, chain[-1])[1]))
    return np.array(chain)


def _answer(model: Model, problem: Problem, slots: Slots, chain: np.ndarray, kind: str) -> Answer:
    return make_answer(model, problem, refine(model, problem, chain_frames(slots, chain)), kind)
