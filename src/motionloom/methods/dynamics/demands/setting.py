"""Setting: the clock, the body and the takes that demands are read in."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.conform import conform_motion
from motionloom.conform.base_view import take_of
from motionloom.corpus import TakeFinder
from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, end_of_foot, has_points
from motionloom.formats import read
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors, find_places
from motionloom.methods.dynamics.request import ContactsLike, Frame, Request, When
from motionloom.methods.dynamics.retargeting.prior_retarget import PriorRetargeted
from motionloom.methods.dynamics.retargeting.retargeted_take import retarget_take
from motionloom.methods.dynamics.trajectory.led_on import led_on
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, Placement, cut, kinematics, place

LONGEST = 600.0  # seconds

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Setting:
    """A request in frames: F of the motion, T of the model, of which each shows every `step`-th."""

    model: Model
    request: Request
    n_frames: int  # F
    source: Motion | None = None  # that is edited, at the rate of the motion
    source_name: str = ""
    retargeted: PriorRetargeted | None = None  # how the motion that is edited came onto the skeleton
    _kept: dict = field(default_factory=dict)
    _of_source: dict = field(default_factory=dict)

    @property
    def fps(self) -> float:
        return self.model.fps

    @property
    def step(self) -> int:
        return self.model.step

    @property
    def codec(self) -> PoseVectors:
        return self.model.prior.vectors

    @property
    def n_model_frames(self) -> int:
        """T: the last one is at the last frame, or after it."""
        return -(-(self.n_frames - 1) // self.step) + 1

    @property
    def source_world(self) -> tuple[np.ndarray, np.ndarray]:
        """(F, J, 3) and (F, J, 4) of the motion that is edited."""
        assert self.source is not None
        source = self.source
        return self.once("world", lambda: kinematics.world(source))

    @property
    def source_places(self) -> np.ndarray:
        """(F, 3) metres and radians: where the root of the motion that is edited is on the ground, and its heading."""
        assert self.source is not None
        source = self.source
        return self.once("places", lambda: find_places(source))

    def led_on(self, motion: Motion) -> Motion:
        """A motion of F frames, up to the last frame of the model."""
        return led_on(motion, (self.n_model_frames - 1) * self.step + 1)

    @property
    def source_contacts(self) -> np.ndarray:
        """(F, 4) bool of the motion that is edited."""
        return self.once(
            "contacts",
            lambda: np.asarray(self.model.view.layer(self.source_name, "contacts")[: self.n_frames], bool),
        )

    def edits(self, model: Model, request: Request) -> bool:
        """Whether another request is about the same motion, which is edited."""
        return self.source is not None and self.model is model and _edited(self.request) == _edited(request)

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

    def joint(self, name: str, what: str) -> int:
        """The index of a joint, by name or role; or of the joint that a heel or a ball is fixed to."""
        return self.spot(name, what).joint

    def spot(self, name: str, what: str, offset: tuple[float, float, float] | None = None) -> Spot:
        """A point of the body by the name or role of its joint; heels and balls of feet too."""
        skeleton = self.model.skeleton
        if skeleton.has(name) or name in skeleton.names:
            return Spot(skeleton.index(name), offset or (0.0, 0.0, 0.0))
        for number, side in enumerate(("left", "right")):
            if not skeleton.has(f"{side}_foot"):
                continue
            ankle = skeleton.index(f"{side}_foot")
            if name == f"{side}_heel" and np.isfinite(self.model.heels[number]).all():
                return Spot(ankle, tuple(self.model.heels[number].tolist()))
            if name == f"{side}_ball" and has_points(skeleton)[POINTS.index(name)]:
                return Spot(ankle, tuple(end_of_foot(skeleton, ankle).tolist()))
        raise BadInput(
            f"{what}: no joint '{name}' on the skeleton '{skeleton.name}'; it has {', '.join(skeleton.names)} and the "
            f"roles {', '.join(sorted(skeleton.roles))}"
        )

    def take(self, name: str) -> Motion:
        """A take on the skeleton of the model, at the rate of the motion."""
        found = self.find_take(name)
        if found not in self._kept:
            motion = self.model.view.motion(found)
            self._kept[found] = replace(
                motion,
                root_positions=np.asarray(motion.root_positions, float),
                local_rotations=np.asarray(motion.local_rotations, float),
            )
        return self._kept[found]

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

    def take_from(self, given: Frame | ContactsLike, n_frames: int, what: str) -> Motion:
        """So many frames of a take, from one on."""
        motion, first = self.take(given.take), self.take_frame(given, what)
        if first + n_frames > motion.n_frames:
            raise BadInput(
                f"{what}: {n_frames} frames of {given.take} from frame {given.frame} on, but there are "
                f"{motion.n_frames - first}; ask for a shorter time, or begin earlier in the take"
            )
        return cut(motion, first, first + n_frames)

    def pose_of(self, given: Frame, what: str) -> Motion:
        """One frame of a take."""
        return self.take_from(given, 1, what)

    def pose_of_file(self, path: str, what: str) -> Motion:
        """The first frame of a motion file, which must have the skeleton of the model."""
        take = read(path)
        if not isinstance(take.motion, Motion):
            raise BadInput(f"{what}: {path} holds points, not a body; give a file of a body")
        motion = cut(take.motion, 0, 1)
        if motion.skeleton != self.model.skeleton:
            motion = conform_motion(motion, 0.0, self.model.skeleton, motion.fps)
        return replace(motion, fps=self.fps)

    def pulled(self, frames: np.ndarray) -> np.ndarray:
        """The frames that a term is about: those of a range that the model has; all of a few."""
        if len(frames) < 2 or (np.diff(frames) > 1).any():
            return frames
        kept = frames[frames % self.step == 0]
        return kept if len(kept) else frames[:1]


def make_setting(model: Model, request: Request, earlier: Setting | None = None) -> Setting:
    """How long the motion is, and what is edited.

    Args:
        model: that is asked.
        request: to read.
        earlier: of another request; if it edits the same, that is not read again.
    """
    if earlier is not None and earlier.edits(model, request):
        return replace(earlier, request=request)
    _check_asked(request)
    source, name, retargeted = None, "", None
    if request.start_from is not None:
        empty = Setting(model, request, 1)
        name = empty.find_take(request.start_from)
        source = empty.take(request.start_from)
        if source.n_frames <= 2 * model.step:
            raise BadInput(
                f"{name} is too short to edit: {source.n_frames / model.fps:.2f} s at {model.fps:g} frames per second; "
                f"start from a take of at least {2 * model.step + 1} frames"
            )
        if request.skeleton is not None and request.feet == "found":
            retargeted = retarget_take(model, name)
            source = source if retargeted is None else retargeted.motion
    if request.length is not None:
        n_frames = frames_of(request.length, model.fps)
    elif source is not None:
        n_frames = source.n_frames
    else:
        n_frames = 1 + max((frames_of(time, model.fps) for time in _times(request)), default=0)
    if source is not None and n_frames > source.n_frames:
        raise BadInput(
            f"{name} lasts {source.n_frames / model.fps:.2f} s, but {n_frames / model.fps:.2f} s are asked for; "
            "leave out `length`, or ask for less"
        )
    if not 2 * model.step < n_frames <= LONGEST * model.fps:
        raise BadInput(
            f"a motion of {n_frames / model.fps:.2f} s; give a `length` between {2 * model.step / model.fps:.2f} and "
            f"{LONGEST:g} s, or ask for something at a later time"
        )
    return Setting(model, request, n_frames, None if source is None else cut(source, 0, n_frames), name, retargeted)


def _edited(request: Request) -> tuple:
    """What says which motion is edited."""
    return request.start_from, request.length, request.skeleton, request.feet == "found"


def _check_asked(request: Request) -> None:
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


def origin_placed(pose: Motion) -> Motion:
    """A motion moved so that its first frame is at the origin, looking along +z."""
    x, z, heading = find_places(pose)[0]
    back = Placement(-float(heading), np.zeros(2))
    moved = place(pose, Placement(0.0, np.array([-x, -z])))
    return place(moved, back)
