"""Body setting: the body and the takes of bodies that demands are read in."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.conform import conform_motion
from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, end_of_foot, has_points
from motionloom.formats import read
from motionloom.methods.dynamics.demands.refused import check_bodies_can
from motionloom.methods.dynamics.demands.setting import Setting, Usual, check_asked, check_editable, length_of
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors, find_places
from motionloom.methods.dynamics.request import ContactsLike, Frame, Request
from motionloom.methods.dynamics.retargeting.prior_retarget import PriorRetargeted
from motionloom.methods.dynamics.retargeting.retargeted_take import retarget_take
from motionloom.methods.dynamics.trajectory.led_on import led_on
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, Placement, cut, kinematics, place


@dataclass(frozen=True, eq=False)
class BodySetting(Setting):
    """A request to a body."""

    source: Motion | None = None  # that is edited, at the rate of the motion
    retargeted: PriorRetargeted | None = None  # how the motion that is edited came onto the skeleton

    @property
    def codec(self) -> PoseVectors:
        """How poses are written."""
        return self.model.prior.pose_vectors

    @property
    def usual(self) -> Usual:
        """How exactly positions and distances are usually met."""
        return Usual()

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
            lambda: np.asarray(self.model.bodies.layer(self.source_name, "contacts")[: self.n_frames], bool),
        )

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
            motion = self.model.bodies.motion(found)
            self._kept[found] = replace(
                motion,
                root_positions=np.asarray(motion.root_positions, float),
                local_rotations=np.asarray(motion.local_rotations, float),
            )
        return self._kept[found]

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

    def track(self, like: Frame, spot: Spot, frames: np.ndarray, what: str) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames, as it moves in a take from one of its frames on."""
        motion = self.take_from(like, int(frames[-1] - frames[0]) + 1, what)
        return _positions(kinematics.world(motion), spot, frames - frames[0])

    def source_track(self, spot: Spot, frames: np.ndarray) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames of the motion that is edited."""
        return _positions(self.source_world, spot, frames)


def _positions(world: tuple[np.ndarray, np.ndarray], spot: Spot, frames: np.ndarray) -> np.ndarray:
    joints, offsets = np.array([spot.joint]), np.array([spot.offset])
    return kinematics.attached_positions(world[0][frames], world[1][frames], joints, offsets)[:, 0]


def make_body_setting(model: Model, request: Request, earlier: Setting | None = None) -> BodySetting:
    """How long the motion is, and what is edited.

    Args:
        model: that is asked.
        request: to read.
        earlier: of another request; if it edits the same, that is not read again.
    """
    if isinstance(earlier, BodySetting) and earlier.edits(model, request):
        return replace(earlier, request=request)
    check_bodies_can(request)
    check_asked(request)
    source, name, retargeted = None, "", None
    if request.start_from is not None:
        empty = BodySetting(model, request, 1)
        name = empty.find_take(request.start_from)
        source = empty.take(request.start_from)
        check_editable(model, name, source.n_frames)
        if request.skeleton is not None and request.feet == "found":
            retargeted = retarget_take(model, name)
            source = source if retargeted is None else retargeted.motion
    n_frames = length_of(model, request, name, None if source is None else source.n_frames)
    own = None if source is None else cut(source, 0, n_frames)
    return BodySetting(model, request, n_frames, name, source=own, retargeted=retargeted)


def origin_placed(pose: Motion) -> Motion:
    """A motion moved so that its first frame is at the origin, looking along +z."""
    x, z, heading = find_places(pose)[0]
    back = Placement(-float(heading), np.zeros(2))
    moved = place(pose, Placement(0.0, np.array([-x, -z])))
    return place(moved, back)
