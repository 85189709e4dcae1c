"""Realizing: the plan of a search becomes a motion, smooth at its joins, at its places, with its feet planted."""

import time
from collections.abc import Sequence
from dataclasses import replace

from motionloom.assembly import Plan, Result, Timing, Yardsticks, assemble, learn_yardsticks
from motionloom.constraints import GroundTarget
from motionloom.methods.timeline.answer import Answer
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.problem import Problem, pose_problem
from motionloom.methods.timeline.report import make_report
from motionloom.methods.timeline.request import Request
from motionloom.methods.timeline.smoothing import smooth_plan


def realize(
    plan: Plan,
    model: Model,
    *,
    yardsticks: Yardsticks | None = None,
    others: Sequence[Answer] = (),
) -> Result:
    """Make the motion of a plan, and say how well it is what was asked for.

    It has exactly as many frames as were asked for. Joins are made as smooth as the corpus itself is, the path is bent
    so that every place is met, and feet are planted.

    Args:
        plan: from `solve`, or from an answer by `make_plan`.
        model: that it was found with.
        yardsticks: of the model's view; None to learn them, or to find them kept in the corpus.
        others: answers that are as good in another way, for the report.
    """
    problem = pose_problem(model, Request.from_data(plan.request))
    yardsticks = yardsticks or learn_yardsticks(model.view)
    began = time.perf_counter()
    smooth = smooth_plan(plan, model, problem, yardsticks.bars)
    took = Timing("choosing joins", time.perf_counter() - began)
    result = assemble(
        smooth, model.view, targets=ground_targets(problem), locked=locked_frames(problem), yardsticks=yardsticks
    )
    report = make_report(model, problem, smooth, result, yardsticks, others)
    return replace(result, report=replace(report, timings=(took, *report.timings)))


def ground_targets(problem: Problem) -> list[GroundTarget]:
    """The places of a problem as path editing wants them; the start stays where the plan has it."""
    return [GroundTarget(place.frame, place.position, place.heading) for place in problem.places]


def locked_frames(problem: Problem) -> list[int]:
    """Forced frames: what was asked for exactly stays as it was recorded, feet that creep there included.

    Planting them too would move knees and toes by 3 to 8 cm, on takes that nobody cleaned.
    """
    return [frame for clip in problem.forced for frame in range(clip.at, clip.stop)]
