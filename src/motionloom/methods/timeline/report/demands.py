"""Demands: what is painted at a time, in words, and what lies beside it."""

from dataclasses import dataclass

import numpy as np

from motionloom.assembly.results.spelling import times_apart
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import MUST, Problem
from motionloom.methods.timeline.report.coverage import FAIR
from motionloom.methods.timeline.report.reachability import holds, soonest_way, ways_to

KINDS = ("unknown", "absent", "combination", "forced", "place", "short", "reach", "continuity", "search")

Demand = dict[str, int]  # by label: +1 must, -1 must not


@dataclass(frozen=True)
class Reason:
    """Why something painted is missed over frames [start, stop) of the answer, or met there by a very hard cut."""

    labels: tuple[str, ...]  # the one that is missed, then those it has to do with
    start: int
    stop: int
    kind: str  # one of KINDS
    sentence: str
    advice: str  # what recording, or what change of the request, would help
    at_cut: bool = False  # about a very hard cut between the two frames, and not about a miss


def describe(demand: Demand) -> str:
    """'walk and not wave'."""
    return " and ".join(label if value == MUST else f"not {label}" for label, value in demand.items())


def describe_distance(distance: float) -> str:
    if not np.isfinite(distance):
        return "has no cut at all"
    return f"takes a cut of {distance:.1f} usual distances (1 is usual)"


def describe_lack(needs: float | None, room: float) -> str:
    """That the time left for a change is too short."""
    takes, left = times_apart(needs or 0.0, room)
    soonest = "no way with fair cuts was found" if needs is None else f"the soonest fair way takes {takes} s"
    return f"{soonest}, and " + (f"{left} s are left for it" if room else "no time is left for it")


def painted_beside(problem: Problem, start: int, stop: int, is_before: bool) -> tuple[Demand, int] | None:
    """What is painted next before or after a stretch, and the unpainted frames between."""
    rows = problem.paint[:start][::-1] if is_before else problem.paint[stop:]
    painted = np.flatnonzero(rows.any(axis=1))
    if not len(painted):
        return None
    row = rows[painted[0]]
    return {problem.labels[i]: int(row[i]) for i in np.flatnonzero(row)}, int(painted[0])


def soonest_seconds(model: Model, before: Demand, after: Demand) -> float | None:
    """Seconds between two kinds of frames on the soonest way with fair cuts; None where there is none."""
    way = soonest_way(model, ways_to(model, holds(model, after), FAIR), holds(model, before))
    return max(len(way) - 2, 0) / model.fps if len(way) else None
