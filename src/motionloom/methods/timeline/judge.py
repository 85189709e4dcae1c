"""Judging: how well a performed answer is what was asked for, and why something is missed."""

from collections.abc import Sequence
from dataclasses import replace

from motionloom.assembly import Answer, Performed, Result, measure_performed
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.report.report import make_report
from motionloom.methods.timeline.search import State
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
        quick: leave out what takes long: quality, and reasons for what is missed.
        others: answers that are as good in another way, for the report.
        stop: asked now and then; if it answers True, `Stopped` is raised.
    """
    check_stop(stop)
    state = performed.answer.state
    result = measure_performed(performed, model.yardsticks, quick=quick)
    report = make_report(
        model,
        state.problem,
        state.solution.frames,
        result,
        [other.state.solution for other in others],
        with_reasons=not quick,
        stop=stop,
    )
    return replace(result, report=report)
