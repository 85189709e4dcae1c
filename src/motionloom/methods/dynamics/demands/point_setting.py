"""Point setting: the points, the head and the takes of points that demands are read in."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from motionloom.conform.base_view import take_of
from motionloom.errors import BadInput
from motionloom.formats import read
from motionloom.methods.dynamics.demands.filled_points import fill_points
from motionloom.methods.dynamics.demands.refused import check_points_can
from motionloom.methods.dynamics.demands.setting import Setting, Usual, check_asked, check_editable, length_of
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.prior.point_vectors import N_HEAD, PointVectors, put_on
from motionloom.methods.dynamics.request import Frame, Head, Request
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import PointMotion, rotations
from motionloom.motion.head_motion import take_off_head

POINT, PATH, SOFT, HARD = 1 / 2000, 1 / 1000, 1 / 200, 1 / 20000  # of the extent of the points


@dataclass(frozen=True, eq=False)
class PointSetting(Setting):
    """A request to points on a head."""

    heads: np.ndarray = field(default_factory=lambda: np.zeros((0, N_HEAD)))  # (F, 7) positions and rotations
    source: PointMotion | None = None  # that is edited, at the rate of the motion, on these heads; nan where missing
    shown: str = ""  # a take of the person whose face it is; empty for who is seen most

    @cached_property
    def codec(self) -> PointVectors:
        """How points are written: as the model has it, on the face of this person."""
        codec = self.model.prior.point_vectors
        return replace(codec, means=codec.means + self.model.points.shape(self.shown)) if self.shown else codec

    def own(self, name: str, positions: np.ndarray) -> np.ndarray:
        """(..., M, 3) metres on the head, of a take: the same expressions on the face of this person."""
        own = self.codec.means - self.model.prior.point_vectors.means
        return np.asarray(positions, float) + (own - self.model.points.shape(name))

    @property
    def usual(self) -> Usual:
        """How exactly positions and distances are usually met: a tenth of a millimetre on a face of 20 cm."""
        return Usual(*(share * self.codec.extent for share in (POINT, PATH, SOFT, HARD)))

    @property
    def source_vectors(self) -> np.ndarray:
        """(F, D) scaled vectors of the motion that is edited; where points are missing, what is likely there."""
        return self.once("vectors", lambda: self.vectors_of(self.source_name)[: self.n_frames])

    def vectors_of(self, name: str) -> np.ndarray:
        """(n, D) scaled vectors of a take, with its gaps filled."""
        name = self.find_take(name)
        if name not in self._kept:
            positions = self.own(name, self.model.points.motion(name).positions)
            self._kept[name] = fill_points(self.codec.written(positions), self.model.prior.subspace)
        found: np.ndarray = self._kept[name]
        return found

    def spot(self, name: str, what: str, offset: tuple[float, float, float] | None = None) -> Spot:
        """A point by its name."""
        if offset is not None:
            raise BadInput(f"{what}: an `offset` is in the frame of a joint, and points have none; leave it out")
        if name not in self.codec.names:
            raise BadInput(f"{what}: no point '{name}'; there are {', '.join(self.codec.names)}")
        return Spot(self.codec.names.index(name))

    def track(self, like: Frame, spot: Spot, frames: np.ndarray, what: str) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames, as it moves on its head in a take, on the head of this one."""
        first, n_frames = self.take_frame(like, what), int(frames[-1] - frames[0]) + 1
        motion = self.model.points.motion(self.find_take(like.take))
        if first + n_frames > motion.n_frames:
            raise BadInput(
                f"{what}: {n_frames} frames of {like.take} from frame {like.frame} on, but there are "
                f"{motion.n_frames - first}; ask for a shorter time, or begin earlier in the take"
            )
        points = self.own(self.find_take(like.take), motion.positions[first + frames - frames[0]])[:, spot.joint]
        if np.isnan(points).any():
            gone = int(np.isnan(points).any(axis=1).sum())
            raise BadInput(
                f"{what}: '{motion.names[spot.joint]}' is missing in {gone} of these frames of {like.take}; ask for "
                "another stretch, or fill its gaps when the take is imported"
            )
        return put_on(points[:, None], self.heads[frames])[:, 0]

    def source_track(self, spot: Spot, frames: np.ndarray) -> np.ndarray:
        """(n, 3) metres, world: a point in (n,) frames of the motion that is edited."""
        columns = 3 * spot.joint + np.arange(3)
        points = self.codec.means[spot.joint] + self.source_vectors[frames][:, columns] / self.codec.scale
        return put_on(points[:, None], self.heads[frames])[:, 0]

    def face_of(self, given: Frame, what: str) -> np.ndarray:
        """(D,) scaled vector of a frame of a take; nan where a point is missing."""
        frame = self.take_frame(given, what)
        name = self.find_take(given.take)
        positions = self.own(name, self.model.points.motion(name).positions[frame])
        return self._seen(self.codec.written(positions[None])[0], what, given.take)

    def face_of_file(self, path: str, what: str) -> np.ndarray:
        """(D,) scaled vector of the first frame of a file of points; nan where a point is missing."""
        motion, view = read(path).motion, self.model.points
        if not isinstance(motion, PointMotion):
            raise BadInput(f"{what}: {path} holds a body, not points; give a file of points")
        missing = [name for name in view.markers if name not in motion.names]
        if missing:
            raise BadInput(
                f"{what}: {path} has no point '{missing[0]}'"
                + (f" and {len(missing) - 1} others of the model" if len(missing) > 1 else "")
                + f"; it has {', '.join(motion.names[:5])}{', ...' if len(motion.names) > 5 else ''}"
            )
        chosen = [motion.names.index(name) for name in view.markers]
        first = PointMotion(view.markers, motion.positions[:1, chosen], self.fps)
        free, _ = take_off_head(first, view.rest, view.steady)
        return self._seen(self.codec.written(np.asarray(free.positions, float))[0], what, path)

    def _seen(self, vector: np.ndarray, what: str, where: str) -> np.ndarray:
        if np.isnan(vector).all():
            raise BadInput(f"{what}: no point is seen in this frame of {where}; choose another frame")
        return vector


def make_point_setting(model: Model, request: Request, earlier: Setting | None = None) -> PointSetting:
    """How long the motion is, what is edited, and where the head is.

    Args:
        model: of points.
        request: to read.
        earlier: of another request; if it edits the same, that is not read again.
    """
    if isinstance(earlier, PointSetting) and earlier.edits(model, request) and earlier.request.head == request.head:
        return replace(earlier, request=request)
    check_points_can(request)
    check_asked(request)
    empty, name, own = PointSetting(model, request, 1), "", None
    if request.start_from is not None:
        name = empty.find_take(request.start_from)
        start, stop = model.view.range_of(name)
        own = stop - start
        check_editable(model, name, own)
    n_frames = length_of(model, request, name, own)
    heads = _heads(empty, request.head, n_frames, name)
    source = None
    if name:
        free = np.asarray(model.points.motion(name).positions[:n_frames], float)
        whole = request.head is None
        positions = model.points.with_head(name).positions[:n_frames] if whole else put_on(free, heads)
        source = PointMotion(model.prior.point_vectors.names, np.asarray(positions, float), model.fps)
    return PointSetting(model, request, n_frames, name, heads=heads, source=source, shown=name or _person(empty))


def _person(setting: PointSetting) -> str:
    """A take of whom a new motion is of: whose head it is, or whose poses or ways are named first; empty for nobody."""
    request = setting.request
    head = () if request.head is None else (request.head.like, request.head.still)
    poses, points = (each.pose for each in request.poses), (each.like for each in request.points)
    named = next(
        (
            frame.take
            for frame in (*head, *poses, *points, *(each.like for each in request.distances))
            if frame is not None
        ),
        None,
    )
    return "" if named is None else setting.find_take(named)


def _heads(setting: PointSetting, asked: Head | None, n_frames: int, edited: str) -> np.ndarray:
    """(F, 7) positions and rotations of the head: as asked, of the take that is edited, or still as takes have it."""
    if asked is None:
        return _heads_of(setting, edited)[:n_frames] if edited else np.tile(usual_head(setting.model), (n_frames, 1))
    if asked.like is not None:
        first, heads = setting.take_frame(asked.like, "head"), _heads_of(setting, asked.like.take)
        if first + n_frames > len(heads):
            raise BadInput(
                f"head: {n_frames} frames of {asked.like.take} from frame {asked.like.frame} on, but there are "
                f"{len(heads) - first}; ask for a shorter motion, or begin earlier in the take"
            )
        return heads[first : first + n_frames]
    if asked.still is not None:
        return np.tile(_heads_of(setting, asked.still.take)[setting.take_frame(asked.still, "head")], (n_frames, 1))
    head = usual_head(setting.model).copy()
    if asked.position is not None:
        head[:3] = asked.position
    if asked.turns is not None:
        head[3:] = rotations.from_euler(np.radians(np.array(asked.turns)), "ZYX")
    return np.tile(head, (n_frames, 1))


def _heads_of(setting: PointSetting, name: str) -> np.ndarray:
    """(n, 7) of a take."""
    head = setting.model.points.head(setting.find_take(name))
    return np.concatenate([head.positions, head.rotations], axis=1).astype(float)


def usual_head(model: Model) -> np.ndarray:
    """(7,) where a head is that nothing is said of: as it is on average in the takes that were learnt from."""
    view = model.points
    of_takes = [view.range_of(name) for name in dict.fromkeys(take_of(name) for name in model.learnt_from)]
    chosen = np.concatenate([np.arange(start, stop) for start, stop in of_takes])
    turned = rotations.mean(np.asarray(view.head_rotations[chosen], float))
    return np.concatenate([np.asarray(view.head_positions[chosen], float).mean(axis=0), turned])
