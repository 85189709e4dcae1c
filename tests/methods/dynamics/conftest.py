"""A few performed takes and a prior learnt from them; small random systems and problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from motionloom.assembly import Answer, Part, prepare_for, solve
from motionloom.corpus import Corpus
from motionloom.methods import dynamics, load
from motionloom.methods.dynamics import Model, Request
from motionloom.methods.dynamics.demands.demand import Finished
from motionloom.methods.dynamics.optimization import Optimization, set_up
from motionloom.methods.dynamics.prior.learning import LearningSettings, Learnt, learn
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors
from motionloom.motion import Motion, rotations

TAKES = ("walk/normal_1", "walk/stop_and_go", "wave/walk_and_wave_1", "stand/weight_shifts_1")
WALKS = {"takes": ["walk/*"]}
ENDS = (  # two key poses of a walk, a second apart
    {"at": "0s", "pose": {"take": "walk/normal_1", "frame": 200}, "as_recorded": True},
    {"at": "1s", "pose": {"take": "walk/normal_1", "frame": 260}, "as_recorded": True},
)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory, make) -> Corpus:
    """Four performed takes with their labels."""
    return make.demo_corpus(tmp_path_factory.mktemp("dynamics") / "corpus", TAKES)


@dataclass(frozen=True, eq=False)
class Done:
    """An answer with the motion that was made of it."""

    answer: Answer[Any]
    motion: Motion
    parts: Mapping[str, Part]
    notes: tuple[str, ...]

    @property
    def finished(self) -> Finished:
        return Finished.of(self.motion)

    @property
    def missed(self) -> list[str]:
        return [f"{part.name} {part.value} {part.unit}: {part.why_not}" for part in self.parts.values() if not part.met]

    def at(self, joint: str) -> np.ndarray:
        """(F, 3) metres."""
        return self.finished.positions[:, self.motion.skeleton.index(joint)]

    def turned(self, joint: str) -> np.ndarray:
        """(F, 4) joint to world."""
        return self.finished.turned[:, self.motion.skeleton.index(joint)]


@dataclass(frozen=True, eq=False)
class Desk:
    """Finds and makes motions of a corpus, as commands do."""

    corpus: Corpus
    ends = ENDS

    def request(self, data: Mapping[str, Any]) -> Request:
        return Request.from_data({"prior": WALKS, **data})

    def model(self, data: Mapping[str, Any]) -> Model:
        return prepare_for(load("dynamics"), self.corpus, self.request(data))

    def set_up(self, data: Mapping[str, Any]) -> Optimization:
        return set_up(self.model(data), self.request(data))

    def solve(self, data: Mapping[str, Any], **how: Any) -> Answer[Any]:
        return solve(load("dynamics"), self.model(data), self.request(data), **how)[0]

    def make(self, data: Mapping[str, Any], **how: Any) -> Done:
        """The finished motion of a request."""
        return self.finish(self.solve(data, **how), self.model(data))

    def finish(self, answer: Answer[Any], model: Model) -> Done:
        """The finished motion of an answer."""
        performed = dynamics.perform(answer, model)
        (played,) = performed.played
        return Done(answer, played.motion, {part.name: part for part in played.parts}, tuple(played.notes))


@pytest.fixture(scope="session")
def desk(corpus) -> Desk:
    return Desk(corpus)


@pytest.fixture(scope="session")
def model(desk) -> Model:
    """The prior of two walks, at 60 frames per second."""
    return desk.model({"length": "1s", "poses": ENDS})


@dataclass(frozen=True)
class RandomMaker:
    """Random systems, priors and problems; the same seed gives the same."""

    def takes(self, lengths: Sequence[int] = (60, 40), size: int = 5, seed: int = 0) -> list[np.ndarray]:
        """(F, d) coordinates that sway, with noise."""
        rng = np.random.default_rng(seed)
        found = []
        for length in lengths:
            phases, rates = rng.uniform(0, 6, size), rng.uniform(0.1, 0.5, size)
            waves = np.sin(phases + rates * np.arange(length)[:, None])
            found.append(waves @ rng.normal(size=(size, size)) + 0.1 * rng.normal(size=(length, size)))
        return found

    def codec(self, motion: Motion, seed: int = 0, wildness: float = 0.4) -> PoseVectors:
        """How poses are written, about any mean rotations; every joint moves."""
        rng = np.random.default_rng(seed)
        n = motion.skeleton.n_joints
        means = rotations.exp(rng.normal(scale=wildness, size=(n, 3)))
        return PoseVectors(motion.skeleton, motion.fps, np.arange(1, n), means)

    def learnt(self, make: Any, settings: LearningSettings | None = None, seed: int = 0) -> Learnt:
        """A prior of two random motions."""
        motions = [make.motion(70, seed=seed, fps=30.0), make.motion(50, seed=seed + 1, fps=30.0)]
        return learn(motions, settings or LearningSettings(dimensions=8, order=2))


@pytest.fixture(scope="session")
def randomly() -> RandomMaker:
    return RandomMaker()
