"""An answer of a search: which frame of the model is played when, what it costs, and the plan that plays it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly import Piece, Plan, Recorded, fit_joins
from motionloom.assembly.join import Join
from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.corpus import Label
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.costs import Costs, cost_of, place_pieces
from motionloom.methods.timeline.objective.problem import Problem
from motionloom.methods.timeline.request import Request
from motionloom.motion import find_runs

Stop = Callable[[], bool]  # whether to stop searching now
USUAL_JOIN = "inertialize"


@dataclass(frozen=True, eq=False)
class Answer:
    """One motion that a search found."""

    frames: np.ndarray  # (F,) int: the frame of the model played in each frame
    costs: Costs
    kind: str  # how it was found: "first", "best", "other", "restart 12"
    seconds: float = 0.0  # since the search began
    differs: float | None = None  # of another answer: the share of frames from elsewhere than in any answer before it

    @property
    def cost(self) -> float:
        return self.costs.total

    def describe(self) -> str:
        """'cost 12.5: labels 3.0, cuts 9.5'."""
        parts = {"labels": self.costs.labels, "cuts": self.costs.cuts, "places": self.costs.places}
        return f"cost {self.cost:.1f}: " + ", ".join(f"{name} {cost:.1f}" for name, cost in parts.items() if cost)


def make_answer(model: Model, problem: Problem, frames: np.ndarray, kind: str, seconds: float = 0.0) -> Answer:
    """An answer with what it costs by the shared objective."""
    frames = np.asarray(frames, np.int64)
    return Answer(frames, cost_of(model, problem, frames), kind, seconds)


def make_plan(model: Model, problem: Problem, answer: Answer, request: Request) -> Plan:
    """The plan that plays an answer: a piece for every run of frames without a cut."""
    pieces = []
    for start, stop, placement in place_pieces(model, problem, answer.frames):
        motion = int(model.motion_of[answer.frames[start]])
        first = int(answer.frames[start] - model.starts[motion])
        pieces.append(Piece(Recorded(model.view.names[motion]), first, first + stop - start, placement))
    joins = fit_joins(tuple(pieces), (Join.usual(USUAL_JOIN),) * (len(pieces) - 1), model.fps)
    view = model.view
    return Plan(tuple(pieces), joins, view.fps, view.skeleton.digest, view.key, request.to_data())


def frames_of_plan(model: Model, plan: Plan) -> np.ndarray:
    """(F,) frames of the model that a plan plays."""
    starts = [model.view.range_of(piece.name)[0] for piece in plan.pieces]
    return np.concatenate([start + np.arange(piece.start, piece.stop) for start, piece in zip(starts, plan.pieces)])


def labels_of(model: Model, frames: np.ndarray, take: str) -> list[Label]:
    """The labels that hold in an answer, for keeping it as a take; those of layers come with every take."""
    labels = []
    for column, label in enumerate(model.labels):
        if label not in LAYER_WORDS:
            runs = find_runs(model.tracks[frames, column] == 1)
            labels += [Label(take, label, start, stop, "timeline") for start, stop in runs]
    return labels


def at(answer: Answer, seconds: float) -> Answer:
    """The answer with the time when it was found."""
    return replace(answer, seconds=seconds)
