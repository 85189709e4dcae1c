"""Searching with places: motions that are where they are asked to be, at the end and at any time before.

The answers of the search over the whole corpus know nothing of places; here they are the first to beat. Beginnings are
joined with endings (places/joining.py), three times, looking ahead more and more. What is found is refined and tuned,
and told of whenever it is better. Bending the path makes good what is left (realize.py).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.slots import Slots, chain_frames
from motionloom.methods.timeline.objective.solution import Solution, make_solution
from motionloom.methods.timeline.passes.cut_refinement import refine
from motionloom.methods.timeline.passes.forward_backward import Tables, run_back
from motionloom.methods.timeline.places.ground import find_stages, find_steps
from motionloom.methods.timeline.places.local_search import tune
from motionloom.methods.timeline.places.place_joins import join
from motionloom.tasks import Stop

SHARES = (0.0, 0.3, 0.6)  # of a miss that is foreseen, by which beginnings are chosen


PER_BLOCK = 3  # numbers that are kept for every block of every slot, and every place
MOST_KEPT = 300_000_000  # numbers: 1.2 GB; a request that needs more is only tuned


def search_places(
    model: Model,
    problem: Problem,
    slots: Slots,
    costs: Sequence[np.ndarray],
    known: Solution,
    *,
    stop: Stop | None = None,
) -> Iterator[Solution]:
    """Answers that cost less and less, with their places; none if nothing better than what is known is found.

    Args:
        model: N frames.
        problem: with places.
        slots: S.
        costs: S times (N,) of having a block in a slot.
        known: the answer to beat.
        stop: asked at every slot; if it says so, `Stopped` is raised.
    """
    if PER_BLOCK * len(problem.places) * slots.n_slots * model.n_frames > MOST_KEPT:
        frames = tune(model, problem, known.frames, stop)
        yield from (make_solution(model, problem, one, "best") for one in [frames] if (one != known.frames).any())
        return
    to_pay = run_back(model, problem, slots, costs, stop=stop)
    tables = Tables(problem, slots, tuple(costs), (), tuple(to_pay))
    steps = find_steps(model, slots)
    stages = find_stages(model, tables, steps, stop)
    best, limit = known.cost, np.inf
    for share in SHARES:
        found = join(model, tables, stages, steps, share, limit, stop)
        if found is None:
            continue
        limit = min(limit, found[0])
        frames = refine(model, problem, chain_frames(slots, found[1]))
        answer = make_solution(model, problem, tune(model, problem, frames, stop), "best")
        if answer.cost < best:
            best = answer.cost
            yield answer
