"""A few performed faces, and what finds and makes motions of them, as commands do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from motionloom.assembly import Answer, Part, Result, prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Model, Request
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.optimized_motion import Optimization
from motionloom.motion import PointMotion

TAKES = ("face/happiness", "face/disgust", "face/anger", "face/speaking")
FACES = {"takes": ["face/*"]}


@pytest.fixture(scope="session")
def face_corpus(tmp_path_factory, make) -> Corpus:
    """Four performed faces of one actor or another, with their labels."""
    return make.face_corpus(tmp_path_factory.mktemp("faces") / "corpus", TAKES)


@dataclass(frozen=True, eq=False)
class Done:
    """A result of points."""

    result: Result

    @property
    def motion(self) -> PointMotion:
        motion = self.result.character.motion
        assert isinstance(motion, PointMotion)
        return motion

    @property
    def parts(self) -> dict[str, Part]:
        return {part.name: part for part in self.result.report.parts}

    @property
    def missed(self) -> list[str]:
        return [f"{part.name} {part.value} {part.unit}: {part.why_not}" for part in self.parts.values() if not part.met]

    def at(self, point: str) -> np.ndarray:
        """(F, 3) metres, world."""
        return self.motion.positions[:, self.motion.names.index(point)]


@dataclass(frozen=True, eq=False)
class FaceDesk:
    """Finds and makes motions of faces of a corpus."""

    corpus: Corpus

    def request(self, data: Mapping[str, Any]) -> Request:
        return Request.from_data({"prior": FACES, **data})

    def model(self, data: Mapping[str, Any]) -> Model:
        return prepare_for(dynamics, self.corpus, self.request(data))

    def set_up(self, data: Mapping[str, Any]) -> Optimization:
        return set_up(self.model(data), self.request(data))

    def solve(self, data: Mapping[str, Any], **how: Any) -> Answer[Any]:
        return solve(dynamics, self.model(data), self.request(data), **how)[0]

    def make(self, data: Mapping[str, Any], **how: Any) -> Done:
        """The finished motion of a request."""
        return Done(realize(dynamics, self.solve(data, **how), self.model(data)))

    def recorded(self, name: str, start: float, seconds: float) -> np.ndarray:
        """(F, M, 3) metres, world: a stretch of a take at 60 frames per second."""
        view = self.model({"start_from": name}).points
        first = round(60 * start)
        return view.with_head(name).positions[first : first + round(60 * seconds) + 1]


@pytest.fixture(scope="session")
def faces(face_corpus) -> FaceDesk:
    return FaceDesk(face_corpus)
