"""Stretches of takes of faces: the most mobile ones and seeded ones of the livelier half, and what is known of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.faces.material import FPS, model_without, view_of
from motionloom.assembly import solve
from motionloom.conform.point_view import PointView
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Model, Request
from motionloom.motion import PointMotion

MOBILE, SEEDED = 3, 3  # stretches of each take
EVERY = 0.1  # seconds between the stretches that are chosen from
SEED = 0


@dataclass(frozen=True)
class Stretch:
    """Frames of a take, at 60 per second."""

    corpus: Corpus
    take: str
    start: int
    n_frames: int

    @property
    def view(self) -> PointView:
        return view_of(self.corpus)

    @property
    def frame(self) -> int:
        """The first frame, as recorded."""
        return self.source_frame(0)

    def source_frame(self, frame: int) -> int:
        """A frame as recorded."""
        begins = self.view.range_of(self.take)[0]
        return round(float(self.view.source_frames[begins + self.start + frame]))

    @cached_property
    def world(self) -> np.ndarray:
        """(F, M, 3) metres that were recorded."""
        return self.view.with_head(self.take).positions[self.start : self.start + self.n_frames]

    @cached_property
    def still(self) -> np.ndarray:
        """(F, M, 3) metres in the frame of the head."""
        return self.view.motion(self.take).positions[self.start : self.start + self.n_frames]

    @property
    def most_mobile(self) -> str:
        """The marker that moves most on the head."""
        return self.view.markers[int(self.still.std(axis=0).sum(axis=-1).argmax())]

    def model(self, prior: dynamics.request.Prior, takes: tuple[str, ...] | None = None) -> Model:
        """Learnt from all takes, or some, but for this stretch and a second around it."""
        return model_without(self.corpus, self.take, self.start, self.start + self.n_frames, prior, takes)


def stretches_of(corpus: Corpus, seconds: float, takes: Sequence[str] | None = None, seed: int = SEED) -> list[Stretch]:
    """Per take the three most mobile stretches that do not overlap, and three seeded ones of the livelier half."""
    view, found = view_of(corpus), []
    n_frames = round(seconds * FPS) + 1  # their first and last frames are frames of a model at half the rate
    for number, take in enumerate(takes or view.names):
        positions = view.motion(take).positions
        starts = np.arange(0, len(positions) - n_frames + 1, round(EVERY * FPS))
        moved = np.array([mobility(positions[start : start + n_frames]) for start in starts])
        chosen: list[int] = []
        for start in starts[np.argsort(-moved)].tolist():
            if len(chosen) < MOBILE and all(abs(start - other) >= n_frames for other in chosen):
                chosen.append(start)
        rng = np.random.default_rng([seed, number])
        chosen += rng.choice(starts[moved > np.median(moved)], SEEDED, replace=False).tolist()
        found += [Stretch(corpus, take, start, n_frames) for start in chosen]
    return found


def mobility(positions: np.ndarray) -> float:
    """Metres that markers (F, M, 3) differ from their means, the axes summed, on average over markers."""
    return float(positions.std(axis=0).sum(axis=-1).mean())


def made_of(model: Model, request: Request) -> PointMotion:
    """The finished points of a request, in the world."""
    (played,) = dynamics.perform(solve(dynamics, model, request)[0], model).played
    assert isinstance(played.motion, PointMotion)
    return played.motion


def missed_by(made: PointMotion, stretch: Stretch) -> float:
    """Metres between markers and where they were, on average over frames and markers."""
    return float(np.linalg.norm(made.positions - stretch.world, axis=-1).mean())
