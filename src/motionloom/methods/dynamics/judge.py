"""Judging: how well each demand is met, and how good the motion is."""

from collections.abc import Sequence
from dataclasses import replace

from motionloom.assembly import Answer, Performed, Result, measure_performed
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.search import State
from motionloom.tasks import Stop, check_stop


def judge(
    performed: Performed[State],
    model: Model,
    *,
    quick: bool = False,
    others: Sequence[Answer[State]] = (),
    stop: Stop | None = None,
) -> Result:
    """The result of a performed answer, with its report.

    Args:
        performed: from `perform`.
        model: that the answer was found with.
        quick: leave out what takes long: quality.
        others: not used: random starts that end elsewhere are in the state of the answer.
        stop: asked once; if it answers True, `Stopped` is raised.
    """
    check_stop(stop)
    yardsticks = None if model.is_of_points else model.yardsticks
    result = measure_performed(performed, yardsticks, view=model.view, quick=quick)
    state = performed.answer.state
    details = {
        "objective": list(state.course),
        "iterations": state.descent.iterations,
        "settled": state.descent.is_settled,
        "starts": [list(course) for course in state.starts],
        "costs": dict(performed.answer.costs),
    }
    return replace(result, report=replace(result.report, details={**result.report.details, **details}))
