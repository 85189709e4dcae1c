"""Realizing: the plan of a search becomes a motion, smooth at its joins, at its places, with its feet planted."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from motionloom.assembly import Plan, Played, Report, Result, Timing, Yardsticks, learn_yardsticks, measure_played, play
from motionloom.constraints import GroundTarget
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.answer import Answer, Stop
from motionloom.methods.timeline.objective.problem import Problem, pose_problem
from motionloom.methods.timeline.passes.forward_backward import check_stop
from motionloom.methods.timeline.report.report import make_report
from motionloom.methods.timeline.request import Request
from motionloom.methods.timeline.smoothing import Known, roughen_plan, smooth_plan


@dataclass(frozen=True, eq=False)
class Performed:
    """The motion of a plan, finished but not measured: it can be shown while `judge` finds out how good it is."""

    problem: Problem
    played: Played
    yardsticks: Yardsticks
    took: Timing  # choosing joins


def realize(
    plan: Plan,
    model: Model,
    *,
    yardsticks: Yardsticks | None = None,
    others: Sequence[Answer] = (),
    stop: Stop | None = None,
) -> Result:
    """Make the motion of a plan, and say how well it is what was asked for.

    It has exactly as many frames as were asked for. Joins are made as smooth as the corpus itself is, the path is bent
    so that every place is met, and feet are planted.

    Args:
        plan: from `solve`, or from an answer by `make_plan`.
        model: that it was found with.
        yardsticks: of the model's view; None to learn them, or to find them kept in the corpus.
        others: answers that are as good in another way, for the report.
        stop: asked now and then; if it says so, `Stopped` is raised.
    """
    return judge(perform(plan, model, yardsticks=yardsticks, stop=stop), model, others=others, stop=stop)


def perform(
    plan: Plan,
    model: Model,
    *,
    yardsticks: Yardsticks | None = None,
    known: Known | None = None,
    stop: Stop | None = None,
) -> Performed:
    """Make the motion of a plan and nothing else: half of what `realize` takes, and the same motion.

    Args:
        plan: from `solve`, or from an answer by `make_plan`.
        model: that it was found with.
        yardsticks: of the model's view; None to learn them, or to find them kept in the corpus.
        known: how cuts were joined before, for performing many plans of one model; it is added to.
        stop: asked at every cut; if it says so, `Stopped` is raised.
    """
    problem = pose_problem(model, Request.from_data(plan.request))
    yardsticks = yardsticks or learn_yardsticks(model.view)
    began = time.perf_counter()
    smooth = smooth_plan(plan, model, problem, yardsticks.bars, known, stop)
    took = Timing("choosing joins", time.perf_counter() - began)
    check_stop(stop)
    played = play(smooth, model.view, targets=ground_targets(problem), locked=locked_frames(problem))
    return Performed(problem, played, yardsticks, took)


def sketch(plan: Plan, model: Model, *, yardsticks: Yardsticks | None = None) -> Performed:
    """As `perform`, with every cut joined in the usual way instead of the calmest: sooner where there are many."""
    problem = pose_problem(model, Request.from_data(plan.request))
    rough = roughen_plan(plan, problem)
    played = play(rough, model.view, targets=ground_targets(problem), locked=locked_frames(problem))
    return Performed(problem, played, yardsticks or learn_yardsticks(model.view), Timing("choosing joins", 0.0))


def glance(performed: Performed, model: Model) -> Result:
    """A performed motion with a report of what can be told at once: without its quality, without reasons."""
    result, plan = performed.played.unmeasured, performed.played.plan
    report = make_report(model, performed.problem, plan, result, performed.yardsticks, with_reasons=False)
    return _timed(performed, result, report)


def judge(performed: Performed, model: Model, *, others: Sequence[Answer] = (), stop: Stop | None = None) -> Result:
    """A performed motion with the whole report: how good it is, and why something is missed."""
    check_stop(stop)
    result, plan = measure_played(performed.played, performed.yardsticks), performed.played.plan
    report = make_report(model, performed.problem, plan, result, performed.yardsticks, others, stop=stop)
    return _timed(performed, result, report)


def ground_targets(problem: Problem) -> list[GroundTarget]:
    """The places of a problem as path editing wants them; the start stays where the plan has it."""
    return [GroundTarget(place.frame, place.position, place.heading) for place in problem.places]


def locked_frames(problem: Problem) -> list[int]:
    """Forced frames: what was asked for exactly stays as it was recorded, feet that creep there included.

    Planting them too would move knees and toes by 3 to 8 cm, on takes that nobody cleaned.
    """
    return [frame for clip in problem.forced for frame in range(clip.at, clip.stop)]


def _timed(performed: Performed, result: Result, report: Report) -> Result:
    return replace(result, report=replace(report, timings=(performed.took, *report.timings)))
