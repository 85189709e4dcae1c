"""Searching: a stream of better and better answers to a request."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

import numpy as np

from motionloom.assembly import Answer
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem, pose_problem
from motionloom.methods.timeline.objective.solution import Solution, make_plan, make_solution
from motionloom.methods.timeline.passes.forward_backward import Recall
from motionloom.methods.timeline.request import Request
from motionloom.methods.timeline.solvers.solver import solve_differently, solve_problem
from motionloom.tasks import Progress, Stop


@dataclass(frozen=True, eq=False)
class State:
    """What performing, judging and the next search need of an answer."""

    problem: Problem
    solution: Solution
    recall: Recall  # of the search that found it


def search(
    model: Model,
    request: Request,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    previous: Answer[State] | None = None,
    others: int = 0,
    progress: Progress | None = None,
) -> Iterator[Answer[State]]:
    """Answers as they are found; none costs more than the one before, but those of kind "other".

    The first answer always comes, however soon the search is stopped. Closing the iterator stops the search as well.

    Args:
        model: of the takes that the request chooses from.
        request: what is asked.
        seed: random seed.
        stop: asked often; the search ends as soon as it answers True.
        previous: an answer to a request that is a little different, of the same model: the backward pass starts from
            its own, and while a place is dragged its frames are often the best first answer.
        others: motions as good in another way that `global` finds after the best.
        progress: called as progress(done, total) while `blocks` clusters blocks for the first time.
    """
    problem, began = pose_problem(model, request), time.perf_counter()
    recall = Recall(None if previous is None else previous.state.recall.back)

    def answer(solution: Solution, *, is_settled: bool = False) -> Answer[State]:
        found = make_answer(model, request, State(problem, solution, recall))
        return replace(found, seconds=time.perf_counter() - began, is_settled=is_settled)

    best: Solution | None = None
    least = np.inf
    for solution in solve_problem(model, problem, seed=seed, stop=stop, progress=progress, recall=recall):
        known = _earlier(model, problem, previous) if best is None else []
        found = min([solution, *known], key=lambda candidate: candidate.cost)
        best = solution
        if found.cost <= least:
            least = found.cost
            yield answer(found)
    assert best is not None  # the first always comes
    if stop is None or not stop():
        yield answer(best, is_settled=True)  # the same whatever the search started from
    for solution in solve_differently(model, problem, best, others, stop=stop):
        yield answer(solution)


def make_answer(model: Model, request: Request, state: State) -> Answer[State]:
    """The answer that a solution is."""
    solution = state.solution
    plan = make_plan(model, state.problem, solution.frames, request)
    costs = asdict(solution.costs)
    return Answer((plan,), solution.cost, state, solution.kind, costs=costs, differs=solution.differs)


def _earlier(model: Model, problem: Problem, previous: Answer[State] | None) -> list[Solution]:
    """The frames of an earlier answer, if they are an answer here."""
    if previous is None or previous.state.problem.n_frames != problem.n_frames:
        return []
    frames = previous.state.solution.frames
    for run in problem.runs:
        if not np.array_equal(frames[run.at : run.stop], run.first + np.arange(run.n_frames)):
            return []
    return [make_solution(model, problem, frames, "first")]
