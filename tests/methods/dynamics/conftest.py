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
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.optimized_motion import Optimization
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.learning import LearningSettings, Learnt, learn
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors
from motionloom.methods.dynamics.terms.contact_terms import RestTerm
from motionloom.methods.dynamics.terms.linear_terms import PlaceTerm, PoseTerm
from motionloom.methods.dynamics.terms.point_terms import (
    DistanceTerm,
    OrientationTerm,
    PointTerm,
    ProjectionTerm,
    View2D,
)
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.methods.dynamics.trajectory.problem import Problem, Reference, usual_times
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


KINDS = (
    "pose", "place", "heading", "point", "points", "orientation", "distance", "distance from a point", "projection",
    "rest", "rest of an edit",
)  # fmt: skip


@dataclass(frozen=True)
class RandomMaker:
    """Random systems, priors and problems; the same seed gives the same."""

    kinds = KINDS  # of terms

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

    def problem(
        self,
        make: Any,
        *,
        spacing: float = 0.0,
        n_frames: int = 14,
        settings: LearningSettings | None = None,
        is_source: bool = False,
        seed: int = 0,
        kinds: Sequence[str] = KINDS,
    ) -> Problem:
        """A motion from random places on, with terms of every kind in frames of the model and between them."""
        rng = np.random.default_rng(seed)
        prior = self.learnt(make, settings, seed).prior
        times = usual_times(n_frames, [1.5, n_frames - 1.75])
        n = len(times)
        vectors = prior.subspace.middle + 0.05 * rng.normal(size=(n, prior.vectors.size))
        places = np.cumsum(0.05 * rng.normal(size=(n, 3)), axis=0)
        terms = {kind: term for kind, term in self.terms(prior, n, n_frames, seed).items() if kind in kinds}
        reference = Reference(vectors, places, None, is_source)
        return Problem(prior, Basis(n_frames, spacing), times, reference, tuple(terms.values()), prior_weight=1.7)

    def knots(self, problem: Problem, scale: float = 0.3, seed: int = 0) -> np.ndarray:
        """Any motion of a problem."""
        rng = np.random.default_rng([seed, 5])
        return scale * rng.normal(size=(problem.basis.n_knots, problem.n_unknowns))

    def terms(self, prior: DynamicPrior, n_samples: int, n_frames: int, seed: int = 0) -> dict[str, Term]:
        """A term of every kind, about random spots."""
        rng = np.random.default_rng([seed, 1])
        n_joints = prior.vectors.skeleton.n_joints
        rows = np.sort(rng.choice(n_samples, 6, replace=False))

        def spot(is_position: bool = True) -> Spot:
            offset = tuple(rng.normal(scale=0.1, size=3).tolist())
            return Spot(int(rng.integers(n_joints)), offset, is_position)

        camera = View2D(
            np.array([0.3, 1.0, 6.0]), np.array([[-1.0, 0, 0], [0, 1, 0], [0, 0, -1]]), *np.full((2, 2), 50)
        )
        columns = np.sort(rng.choice(prior.vectors.size, 9, replace=False))
        frames = np.sort(rng.choice(n_frames - 1, 5, replace=False))
        spots = (spot(), spot(), spot())
        return {
            "pose": PoseTerm(rows, columns, rng.normal(size=(6, 9)), rng.uniform(0.1, 1, 9)),
            "place": PlaceTerm(rows, rng.normal(size=(6, 3)), np.array([0.2, 0.3, 0.1])),
            "heading": PlaceTerm(rows, rng.normal(scale=3, size=(6, 3)), np.array([np.inf, np.inf, 0.1])),
            "point": PointTerm(rows, spot(), rng.normal(size=(6, 3)), np.array([0.1, np.inf, 0.2])),
            "points": PointTerm(rows, spot(), rng.normal(size=(6, 3)), rng.uniform(0.1, 1, (6, 3))),
            "orientation": OrientationTerm(rows, spot(False), rotations.exp(rng.normal(size=(6, 3))), 0.2),
            "distance": DistanceTerm(rows, spot(), spot(), rng.uniform(0.1, 1, 6), 0.1),
            "distance from a point": DistanceTerm(rows, spot(), rng.normal(size=3), rng.uniform(0.1, 1, 6), 0.1),
            "projection": ProjectionTerm(rows, spot(), camera, rng.normal(scale=9, size=(6, 2)), 2.0),
            "rest": RestTerm(frames, spots, rng.random((5, 3)) < 0.7, 0.05),
            "rest of an edit": RestTerm(frames, spots, rng.random((5, 3)) < 0.7, 0.05, rng.normal(size=(5, 3, 3))),
        }


@pytest.fixture(scope="session")
def randomly() -> RandomMaker:
    return RandomMaker()
