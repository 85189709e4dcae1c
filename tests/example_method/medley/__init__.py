"""Play takes one after another, in the order in which their ends and beginnings fit best."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
import pydantic

from motionloom.assembly import (
    Answer,
    Join,
    Material,
    Part,
    Performed,
    Piece,
    Plan,
    Recorded,
    Result,
    Yardsticks,
    choose_joins,
    choose_material,
    fit_joins,
    learn_yardsticks,
    measure_performed,
    play,
    usual_joins,
)  # fmt: skip
from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Time, frames_of
from motionloom.conform import View, ViewSettings, make_view
from motionloom.corpus import Corpus
from motionloom.errors import BadInput
from motionloom.graphs.view_measures import measure_view_features
from motionloom.motion import Placement, compose, invert
from motionloom.tasks import Progress, Stop, check_stop

WARM_UP = ({},)  # requests that compile what a search needs


@pydantic.dataclasses.dataclass(frozen=True, config=STRICT)
class Request(RequestFile):
    """Which takes to play, and how much of each."""

    example: ClassVar[str] = "takes: ['walk/*']"
    takes: Annotated[tuple[str, ...] | None, pydantic.Field(description="Patterns of takes; all if left out")] = None
    each: Annotated[Time, pydantic.Field(description="How much of every take is played")] = "1.5s"


@dataclass(frozen=True)
class Settings:
    """How the best order is searched."""

    tries: int = 200  # random orders


@dataclass(frozen=True, eq=False)
class Model:
    """The takes, and where each frame is in the feature space."""

    view: View
    settings: Settings
    coordinates: np.ndarray  # (N, P)

    @cached_property
    def yardsticks(self) -> Yardsticks:
        return learn_yardsticks(self.view)

    def is_same(self, other: "Model") -> bool:
        return (self.view.key, self.view.names, self.settings) == (other.view.key, other.view.names, other.settings)

    def save(self, path: str | Path) -> None:
        np.savez(path, coordinates=self.coordinates)

    @staticmethod
    def load(path: str | Path, view: View) -> "Model":
        with np.load(path) as archive:
            return Model(view, Settings(), archive["coordinates"])


@dataclass(frozen=True)
class State:
    order: tuple[int, ...]  # of the motions of the view
    n_frames: int  # of each


def material_of(corpus: Corpus, request: Request) -> Material:
    return Material(request.takes)


def prepare(
    corpus: Corpus, material: Material | None = None, settings: Settings | None = None, *,
    progress: Progress | None = None,
) -> Model:  # fmt: skip
    material = material or Material()
    view = make_view(corpus, choose_material(corpus, material.takes), ViewSettings(fps=material.fps))
    return Model(view, settings or Settings(), measure_view_features(view).coordinates)


def search(
    model: Model, request: Request, *, seed: int = 0, stop: Stop | None = None,
    previous: Answer[State] | None = None, others: int = 0, progress: Progress | None = None,
) -> Iterator[Answer[State]]:  # fmt: skip
    began, view, n_frames = time.perf_counter(), model.view, frames_of(request.each, model.view.fps)
    if not 2 <= n_frames <= min(np.diff(view.starts)):
        raise BadInput(f"each is {request.each}: {n_frames} frames; the shortest take has {min(np.diff(view.starts))}")
    firsts, rng, answer = view.starts[:-1], np.random.default_rng(seed), None
    gaps = np.linalg.norm(model.coordinates[firsts + n_frames - 1][:, None] - model.coordinates[firsts], axis=-1)
    for attempt in range(model.settings.tries):
        if answer is not None and stop is not None and stop():
            return
        order = rng.permutation(len(firsts)) if attempt else np.arange(len(firsts))
        cost = float(gaps[order[:-1], order[1:]].sum())
        if answer is None or cost < answer.cost:
            state = State(tuple(order.tolist()), n_frames)
            answer = Answer((_plan(model, request, state),), cost, state, "best" if attempt else "first",
                            seconds=time.perf_counter() - began, costs={"gaps": cost})  # fmt: skip
            yield answer
    assert answer is not None
    yield replace(answer, is_settled=True, seconds=time.perf_counter() - began)


def _plan(model: Model, request: Request, state: State) -> Plan:
    view, here, pieces = model.view, Placement.none(), []
    for motion in state.order:
        begin, end = (_facing(view, int(view.starts[motion]) + frame) for frame in (0, state.n_frames - 1))
        placement = compose(here, invert(begin))
        pieces.append(Piece(Recorded(view.names[motion]), 0, state.n_frames, placement))
        here = compose(placement, end)
    joins = fit_joins(tuple(pieces), (Join.usual("inertialize"),) * (len(pieces) - 1), view.fps)
    return Plan(tuple(pieces), joins, view.fps, view.skeleton.digest, view.key, request.to_data())


def _facing(view: View, frame: int) -> Placement:
    x, z, heading = np.asarray(view.whole_layer("facing")[frame], float)
    return Placement(float(heading), np.array([x, z]))


def perform(
    answer: Answer[State], model: Model, *, quick: bool = False, stop: Stop | None = None
) -> Performed[State]:  # fmt: skip
    check_stop(stop)
    plan = (
        usual_joins(answer.plan) if quick else choose_joins(answer.plan, model.view, model.yardsticks.bars, stop=stop)
    )
    return Performed(answer, (play(plan, model.view),), is_quick=quick)


def judge(
    performed: Performed[State], model: Model, *, quick: bool = False, others: tuple = (), stop: Stop | None = None
) -> Result:
    check_stop(stop)
    result = measure_performed(performed, model.yardsticks, quick=quick)
    worst = max((join.seconds for join in performed.plans[0].joins), default=0.0)
    part = Part("longest join", worst, "s", 0.6, worst <= 0.6, "" if worst <= 0.6 else "a gap needs a longer join")
    return replace(result, report=replace(result.report, parts=(part, *result.report.parts)))
