"""Play a take as two characters: a body, and the points of its joints beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
import pydantic

from motionloom.assembly import (
    Answer,
    Generated,
    Material,
    Part,
    Performed,
    Piece,
    Plan,
    Recorded,
    Result,
    Yardsticks,
    learn_yardsticks,
    measure_performed,
    play,
)
from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Finite, Time
from motionloom.conform import View, ViewSettings, make_view
from motionloom.corpus import Corpus
from motionloom.motion import Placement, PointMotion, kinematics
from motionloom.tasks import Progress, Stop, check_stop


@pydantic.dataclasses.dataclass(frozen=True, config=STRICT)
class Mark:
    """A moment that has a name."""

    name: Annotated[str, pydantic.Field(min_length=1, description="What it is called")]
    at: Annotated[Time, pydantic.Field(description="When")] = "start"
    weight: Annotated[float, pydantic.Field(gt=0, le=10, description="How much it counts")] = 1.0


@pydantic.dataclasses.dataclass(frozen=True, config=STRICT)
class Beside:
    """Where the points stand."""

    position: Annotated[tuple[Finite, Finite], pydantic.Field(description="Metres along x and z")] = (1.0, 0.0)
    heading: Annotated[Finite | None, pydantic.Field(description="Degrees; as the body looks if left out")] = None


@pydantic.dataclasses.dataclass(frozen=True, config=STRICT)
class Request(RequestFile):
    """What two dancers do."""

    example: ClassVar[str] = "take: walk/normal_1"
    take: Annotated[str, pydantic.Field(min_length=1, description="The take that both dance")]
    lead: Annotated[Literal["body", "points"], pydantic.Field(description="Who comes first")] = "body"
    loud: Annotated[bool, pydantic.Field(description="Whether the report says more")] = False
    rounds: Annotated[int, pydantic.Field(ge=1, le=3, description="How often the take is played")] = 1
    marks: Annotated[tuple[Mark, ...], pydantic.Field(description="Moments to report")] = ()
    beside: Beside = pydantic.Field(default_factory=Beside)
    note: Annotated[str | None, pydantic.Field(description="Any words")] = None


@dataclass(frozen=True)
class Settings:
    """Nothing can be set."""


@dataclass(frozen=True, eq=False)
class Model:
    """The take."""

    view: View

    @cached_property
    def yardsticks(self) -> Yardsticks:
        return learn_yardsticks(self.view)

    def is_same(self, other: "Model") -> bool:
        return (self.view.key, self.view.names) == (other.view.key, other.view.names)

    def save(self, path: str | Path) -> None:
        np.savez(path)

    @staticmethod
    def load(path: str | Path, view: View) -> "Model":
        return Model(view)


def material_of(corpus: Corpus, request: Request) -> Material:
    return Material((request.take,))


def prepare(
    corpus: Corpus,
    material: Material | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
) -> Model:
    material = material or Material()
    return Model(make_view(corpus, material.takes, ViewSettings(fps=material.fps)))


def search(
    model: Model,
    request: Request,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    previous: Answer[Request] | None = None,
    others: int = 0,
    progress: Progress | None = None,
) -> Iterator[Answer[Request]]:
    (name,) = model.view.names
    motion, here, data = model.view.motion(name), Placement.none(), request.to_data()
    body = Plan(
        (Piece(Recorded(name), 0, motion.n_frames, here),), (), motion.fps, motion.skeleton.digest, model.view.key, data
    )
    points = PointMotion(motion.skeleton.names, kinematics.world_positions(motion), motion.fps)
    aside = Placement(np.radians(request.beside.heading or 0.0), np.array(request.beside.position))
    piece = Piece(Generated(points, "joints of a take", {}), 0, points.n_frames, aside)
    yield Answer((body, Plan((piece,), (), motion.fps, "", "", data)), 0.0, request, is_settled=True)


def perform(
    answer: Answer[Request], model: Model, *, quick: bool = False, stop: Stop | None = None
) -> Performed[Request]:
    from dataclasses import replace

    check_stop(stop)
    body, points = (play(plan, model.view) for plan in answer.plans)
    pair = (replace(body, name="body"), replace(points, name="points"))
    return Performed(answer, pair if answer.state.lead == "body" else pair[::-1])


def judge(
    performed: Performed[Request], model: Model, *, quick: bool = False, others: tuple = (), stop: Stop | None = None
) -> Result:
    from dataclasses import replace

    check_stop(stop)
    result = measure_performed(performed, model.yardsticks, quick=quick)
    marks = tuple(Part(f"mark {mark.name}", mark.weight, "", None, True) for mark in performed.answer.state.marks)
    return replace(result, report=replace(result.report, parts=(*marks, *result.report.parts)))
