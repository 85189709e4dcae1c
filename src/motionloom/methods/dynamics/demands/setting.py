"""Setting: the clock, the takes and the points that demands are read in; of bodies, and of points on a head."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.conform.base_view import take_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.demand import HARD_METRES, PATH_WITHIN, POINT_WITHIN, SOFT_METRES
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.request import ContactsLike, Frame, Request, When
from motionloom.methods.dynamics.trajectory.posed import Spot

LONGEST = 600.0  # seconds

Value = TypeVar("Value")


@dataclass(frozen=True)
class Usual:
    """Metres of deviation that are usual, and within which demands count as met."""

    point: float = POINT_WITHIN  # of a point in some frames
    path: float = PATH_WITHIN  # of a point over a range of frames
    soft: float = SOFT_METRES  # within which demands count as met
    hard: float = HARD_METRES  # the same of hard ones


@dataclass(frozen=True, eq=False)
class Setting(ABC):
    """A request in frames: F of the motion, T of the model, of which each shows every `step`-th."""

    model: Model
    request: Request
    n_frames: int  # F
    source_name: str = ""  # of the motion that is edited
    _kept: dict = field(default_factory=dict)
    _of_source: dict = field(default_factory=dict)

    @property
    def fps(self) -> float:
        return self.model.fps

    @property
    def step(self) -> int:
        return self.model.step

    @property
    def n_model_frames(self) -> int:
        """T: the last one is at the last frame, or after it."""
        return -(-(self.n_frames - 1) // self.step) + 1

    def edits(self, model: Model, request: Request) -> bool:
        """Whether another request is about the same motion, which is edited."""
        return bool(self.source_name) and self.model is model and _edited(self.request) == _edited(request)

    def once(self, what: Hashable, make: Callable[[], Value]) -> Value:
        """Something of the motion that is edited, which further requests about it share."""
        if what not in self._of_source:
            self._of_source[what] = make()
        found: Value = self._of_source[what]
        return found

    def frames(self, when: When, what: str) -> tuple[np.ndarray, bool]:
        """The frames that a demand is about, and whether they are a range."""
        if when.at is not None:
            times = (when.at,) if isinstance(when.at, str) else when.at
            return np.unique([self.frame(time, what) for time in times]), False
        assert when.start is not None and when.stop is not None
        first, last = self.frame(when.start, what), self.frame(when.stop, what)
        if last < first:
            raise BadInput(f"{what}: from {when.start} to {when.stop} is no time; `from` must come before `to`")
        return np.arange(first, last + 1), True

    def frame(self, time: str, what: str) -> int:
        """A time as a frame of the motion; the end is its last."""
        frame = self.n_frames - 1 if time == "end" else frames_of(time, self.fps)
        if frame == self.n_frames and time.endswith("s"):  # "2s" of a motion of 2 s
            frame -= 1
        if frame >= self.n_frames:
            raise BadInput(
                f"{what}: {time} is after the end; the motion lasts {self.n_frames / self.fps:.2f} s, "
                f"{self.n_frames} frames: make it longer, or ask sooner"
            )
        return frame

    def stop(self, time: str, what: str) -> int:
        """A time as one past the last frame of something; the end is one past the last of the motion."""
        return self.n_frames if time == "end" or frames_of(time, self.fps) == self.n_frames else self.frame(time, what)

    def find_take(self, name: str) -> str:
        """The full name of a take of the view."""
        if name in self.model.view.names:
            return name
        return TakeFinder(list(self.model.view.names)).find(name)

    def take_frame(self, given: Frame | ContactsLike, what: str) -> int:
        """The frame of `take` that shows a frame as recorded."""
        name = self.find_take(given.take)
        view = self.model.view
        recorded = view.corpus.info(take_of(name)).n_frames
        if given.frame >= recorded:
            raise BadInput(
                f"{what}: frame {given.frame} of {name} is after its end; it has {recorded} frames, the last is "
                f"{recorded - 1}"
            )
        start, stop = view.range_of(name)
        return int(np.abs(view.source_frames[start:stop] - given.frame).argmin())

    def pulled(self, frames: np.ndarray) -> np.ndarray:
        """The frames that a term is about: those of a range that the model has; all of a few."""
        if len(frames) < 2 or (np.diff(frames) > 1).any():
            return frames
        kept = frames[frames % self.step == 0]
        return kept if len(kept) else frames[:1]

    # ---- what points of a body and points on a head have in common

    @property
    @abstractmethod
    def usual(self) -> Usual:
        """How exactly positions and distances are usually met."""

    @abstractmethod
    def spot(self, name: str, what: str, offset: tuple[float, float, float] | None = None) -> Spot:
        """A point by its name."""

    @abstractmethod
    def track(self, like: Frame, spot: Spot, frames: np.ndarray, what: str) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames, as it moves in a take from one of its frames on."""

    @abstractmethod
    def source_track(self, spot: Spot, frames: np.ndarray) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames of the motion that is edited."""


def length_of(model: Model, request: Request, name: str, own: int | None) -> int:
    """F: how many frames a request asks for.

    Args:
        model: that is asked.
        request: to read.
        name: of the motion that is edited.
        own: frames that it has; None where nothing is edited.
    """
    if request.length is not None:
        n_frames = frames_of(request.length, model.fps)
    elif own is not None:
        n_frames = own
    else:
        n_frames = 1 + max((frames_of(time, model.fps) for time in _times(request)), default=0)
    if own is not None and n_frames > own:
        raise BadInput(
            f"{name} lasts {own / model.fps:.2f} s, but {n_frames / model.fps:.2f} s are asked for; "
            "leave out `length`, or ask for less"
        )
    if not 2 * model.step < n_frames <= LONGEST * model.fps:
        raise BadInput(
            f"a motion of {n_frames / model.fps:.2f} s; give a `length` between {2 * model.step / model.fps:.2f} and "
            f"{LONGEST:g} s, or ask for something at a later time"
        )
    return n_frames


def check_editable(model: Model, name: str, n_frames: int) -> None:
    """Raise if a motion is too short to edit."""
    if n_frames <= 2 * model.step:
        raise BadInput(
            f"{name} is too short to edit: {n_frames / model.fps:.2f} s at {model.fps:g} frames per second; "
            f"start from a take of at least {2 * model.step + 1} frames"
        )


def _edited(request: Request) -> tuple:
    """What says which motion is edited."""
    return request.start_from, request.length, request.skeleton, request.feet == "found"


def check_asked(request: Request) -> None:
    """Raise if a request says nothing that could be made or changed."""
    lists = (request.poses, request.points, request.orientations, request.angles, request.distances)
    is_asked = any(lists) or bool(request.projections or request.root or request.contacts)
    if not (is_asked or request.contacts_like is not None or request.start_from is not None):
        raise asks_nothing(request)


def asks_nothing(request: Request) -> BadInput:
    """What a request needs."""
    return BadInput(
        "the request asks nothing: give poses, points, a root path or contacts that must hold, or a take to edit with "
        f"`start_from`; such as `{request.example}`"
    )


def _times(request: Request) -> list[str]:
    """All times that a request names but for 'end'."""
    times: list[str] = []
    lists = (request.poses, request.points, request.orientations, request.angles, request.distances)
    for when in [each for group in (*lists, request.projections, request.root) for each in group]:
        at = (when.at,) if isinstance(when.at, str) else when.at or ()
        times += [time for time in (*at, when.start, when.stop) if time is not None]
    times += [time for contact in request.contacts for time in (contact.start, contact.stop)]
    if "end" in times and request.start_from is None and request.length is None:
        raise BadInput("a request that names the end needs a `length`, such as 3s")
    return [time for time in times if time != "end"]
