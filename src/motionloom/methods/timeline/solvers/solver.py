"""Solving a problem with the solver that the settings name."""

from collections.abc import Iterator

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.objective.solution import Solution
from motionloom.methods.timeline.passes.forward_backward import Recall
from motionloom.methods.timeline.solvers import block_search, global_search
from motionloom.tasks import Progress, Stop

SOLVERS = ("global", "blocks")


def solve_problem(
    model: Model,
    problem: Problem,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    progress: Progress | None = None,
    recall: Recall | None = None,
    ends: bool = False,
) -> Iterator[Solution]:
    """Solutions as they are found; none costs more than the one before.

    The first always comes, however soon the search is stopped. Closing the iterator stops the search as well.

    Args:
        model: of the corpus.
        problem: from `pose_problem`.
        seed: random seed of `blocks`; in `global` nothing is random.
        stop: asked often; the search ends as soon as it answers True.
        progress: called as progress(done, total) while `blocks` clusters blocks for the first time.
        recall: of a search of the same model for something a little different; `global` finds the same sooner.
        ends: make the usual number of restarts where the settings have no limit.
    """
    solver = model.settings.solver
    if solver == "global":
        yield from global_search.search(model, problem, stop=stop, recall=recall)
    elif solver == "blocks":
        rng = np.random.default_rng(seed)
        restarts = model.settings.by_blocks.restarts
        if restarts is None and ends:
            restarts = block_search.USUAL_RESTARTS
        yield from block_search.search(model, problem, rng, iterations=restarts, stop=stop, progress=progress)
    else:
        raise BadInput(f"no solver '{solver}'; there are {', '.join(SOLVERS)}")


def solve_differently(
    model: Model, problem: Problem, best: Solution, count: int, *, stop: Stop | None = None
) -> Iterator[Solution]:
    """Up to `count` solutions other than the best, each really different from all before; `global` alone has them."""
    if model.settings.solver == "global":
        yield from global_search.search_others(model, problem, best, count, stop=stop)
