"""A solution: which frame of the model is played when, what that costs, and the plan that plays it."""

from dataclasses import dataclass

import numpy as np

from motionloom.assembly import Piece, Plan, Recorded, fit_joins
from motionloom.assembly.plans.join import Join
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import Costs, cost_of, place_pieces
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.request import Request

USUAL_JOIN = "inertialize"


@dataclass(frozen=True, eq=False)
class Solution:
    """One motion that a solver found."""

    frames: np.ndarray  # (F,) int: the frame of the model played in each frame
    costs: Costs
    kind: str  # how it was found: "first", "best", "other", "restart 12"
    differs: float | None = None  # of another solution: the share of frames from elsewhere than in any before it

    @property
    def cost(self) -> float:
        return self.costs.total


def make_solution(model: Model, problem: Problem, frames: np.ndarray, kind: str) -> Solution:
    """A solution with what it costs by the shared objective."""
    frames = np.asarray(frames, np.int64)
    return Solution(frames, cost_of(model, problem, frames), kind)


def make_plan(model: Model, problem: Problem, frames: np.ndarray, request: Request) -> Plan:
    """The plan that plays (F,) frames of the model: a piece for every run of frames without a cut."""
    pieces = []
    for start, stop, placement in place_pieces(model, problem, frames):
        motion = int(model.motion_of[frames[start]])
        first = int(frames[start] - model.starts[motion])
        pieces.append(Piece(Recorded(model.view.names[motion]), first, first + stop - start, placement))
    joins = fit_joins(tuple(pieces), (Join.usual(USUAL_JOIN),) * (len(pieces) - 1), model.fps)
    view = model.view
    return Plan(tuple(pieces), joins, view.fps, view.skeleton.digest, view.key, request.to_data())
