"""Smoothing: how each cut of a plan is joined, so that it jolts no more than recordings do."""

from dataclasses import replace

from motionloom.assembly import Join, Plan, fit_joins
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.problem import Problem
from motionloom.quality import MotionBars


def smooth_plan(plan: Plan, model: Model, problem: Problem, bars: MotionBars) -> Plan:
    """Choose how each cut of a plan is joined."""
    forced = {frame for clip in problem.forced for frame in range(clip.at, clip.stop)}
    joins = []
    for begin in plan.begins[1:]:
        if begin in forced and begin - 1 not in forced:
            joins.append(Join.usual("arrive"))
        elif begin - 1 in forced and begin not in forced:
            joins.append(Join.usual("inertialize"))
        else:
            joins.append(Join.usual("displacement"))
    return replace(plan, joins=fit_joins(plan.pieces, tuple(joins), plan.fps))
