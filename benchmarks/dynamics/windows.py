"""Windows of recordings that are made again from a part of what they show, and how far the made ones are from them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.dynamics.material import euler_difference, geodesic
from motionloom.assembly import solve
from motionloom.features.feet import foot_points
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Model, Request
from motionloom.methods.dynamics.prepare import thinned
from motionloom.motion import Motion, cut

SECONDS, EVERY = 2.0, 0.5


@dataclass(frozen=True)
class Window:
    """Frames of a take, as a view shows it."""

    model: Model
    take: str
    start: int
    n_frames: int

    @property
    def frame(self) -> int:
        """The first frame, as recorded."""
        return self.source_frame(0)

    def source_frame(self, frame: int) -> int:
        """A frame as recorded."""
        begins = self.model.view.range_of(self.take)[0]
        return round(float(self.model.view.source_frames[begins + self.start + frame]))

    @property
    def motion(self) -> Motion:
        """What was recorded."""
        return cut(self.model.view.motion(self.take), self.start, self.start + self.n_frames)

    @property
    def contacts(self) -> np.ndarray:
        """(F, 4) bool of what was recorded."""
        return self.model.view.layer(self.take, "contacts")[self.start : self.start + self.n_frames]


@dataclass(frozen=True)
class Missed:
    """How far a motion is from a recording, in the frames of the model."""

    geodesic: float  # degrees
    euler: float  # degrees
    root: float  # metres
    skate: float  # metres per second of resting feet, by the contacts of the recording


def windows_of(model: Model, take: str, seconds: float = SECONDS, most: int | None = None) -> list[Window]:
    """Windows of a take, every half second; their first and last frames are frames of the model."""
    length = window_frames(model, seconds)
    starts = range(0, model.view.motion(take).n_frames - length + 1, round(EVERY * model.fps))
    return [Window(model, take, start, length) for start in list(starts)[:most]]


def window_frames(model: Model, seconds: float = SECONDS) -> int:
    """Frames of a window."""
    return (round(seconds * model.prior.fps) - 1) * model.step + 1


def made_of(model: Model, request: Request) -> Motion:
    """The finished motion of a request."""
    (played,) = dynamics.perform(solve(dynamics, model, request)[0], model).played
    assert isinstance(played.motion, Motion)
    return played.motion


def missed_by(made: Motion, window: Window) -> Missed:
    """How far a finished motion is from what was recorded."""
    step, joints = window.model.step, window.model.prior.vectors.joints
    mine, true = thinned(made, step), thinned(window.motion, step)
    away = np.linalg.norm(mine.root_positions - true.root_positions, axis=1).mean()
    angle, euler = geodesic(mine, true, joints), euler_difference(mine, true, joints)
    return Missed(angle, euler, float(away), skate_of(made, window.contacts))


def skate_of(motion: Motion, contacts: np.ndarray) -> float:
    """Mean speed of heels and balls while they rest, metres per second."""
    moved = np.linalg.norm(np.diff(foot_points(motion, 0.0), axis=0), axis=-1)[:, : contacts.shape[1]]
    resting = contacts[1 : len(moved) + 1] & contacts[: len(moved)]
    return float(moved[resting].mean() * motion.fps) if resting.any() else 0.0


def mean_of(found: Sequence[Missed], name: str) -> float:
    """The mean of one of the numbers."""
    return float(np.mean([getattr(each, name) for each in found]))
