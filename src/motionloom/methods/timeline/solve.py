"""Solving: a stream of better and better answers, or the best of them as a plan."""

import time
from collections.abc import Iterator

import numpy as np

from motionloom.assembly import Plan
from motionloom.errors import BadInput
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.answer import Answer, Stop, at, make_plan
from motionloom.methods.timeline.objective.problem import Problem, pose_problem
from motionloom.methods.timeline.passes.forward_backward import Recall
from motionloom.methods.timeline.request import Request
from motionloom.tasks import Progress

SOLVERS = ("global", "blocks")


def solve(
    model: Model,
    request: Request,
    *,
    seed: int = 0,
    seconds: float | None = None,
    iterations: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """The best motion that a search finds, as a plan; the same request, seed and iterations give the same plan.

    Args:
        model: of the corpus.
        request: what is asked.
        seed: of all chance there is.
        seconds: to search at most; None for as long as the iterations take.
        iterations: restarts of `blocks`; None for 50, or for as many as the seconds allow.
        progress: told how much is done of the clusters that `blocks` needs the first time.
    """
    problem = pose_problem(model, request)
    best: Answer | None = None
    deadline = None if seconds is None else time.perf_counter() + seconds
    stop = (lambda: time.perf_counter() >= deadline) if deadline is not None else None
    for answer in search(model, problem, seed=seed, iterations=iterations, stop=stop, progress=progress):
        if best is None or (answer.kind != "other" and answer.cost < best.cost):
            best = answer
    assert best is not None
    return make_plan(model, problem, best, request)


def search(
    model: Model,
    problem: Problem,
    *,
    seed: int = 0,
    iterations: int | None = None,
    others: int = 0,
    stop: Stop | None = None,
    progress: Progress | None = None,
    recall: Recall | None = None,
) -> Iterator[Answer]:
    """Answers as they are found; none costs more than the one before, unless its kind is "other".

    The first answer always comes, however soon the search is stopped. Closing the iterator stops the search as well.

    Args:
        model: of the corpus.
        problem: from `pose_problem`.
        seed: of all chance there is.
        iterations: restarts of `blocks`; None for 50, or until `stop` says so where it is given.
        others: motions as good in another way that `global` gives after the best.
        stop: asked often; the search ends as soon as it says so.
        progress: told how much is done of the clusters that `blocks` needs the first time.
        recall: of a search of the same model for something a little different; `global` finds the same sooner.
    """
    from motionloom.methods.timeline.solvers import block_search, global_search

    solver = model.settings.solver
    if solver not in SOLVERS:
        raise BadInput(f"no solver '{solver}'; there are {', '.join(SOLVERS)}")
    start = time.perf_counter()
    rng = np.random.default_rng(seed)
    if solver == "blocks":
        found = block_search.search(model, problem, rng, iterations=iterations, stop=stop, progress=progress)
    else:
        found = global_search.search(model, problem, rng, others=others, stop=stop, recall=recall)
    for answer in found:
        yield at(answer, time.perf_counter() - start)
