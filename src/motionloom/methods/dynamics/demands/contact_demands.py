"""Contact demands: when feet, hands or other points rest, and where."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, SIDES, columns_of, has_points
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import (
    HARD_METRES,
    HARD_SHARE,
    METRES,
    PATH_WITHIN,
    SOFT_METRES,
    Demand,
    Finished,
    PoseKey,
    tolerance_of,
)
from motionloom.methods.dynamics.request import Contact
from motionloom.methods.dynamics.terms.contact_terms import RestTerm
from motionloom.methods.dynamics.terms.point_terms import PointTerm
from motionloom.methods.dynamics.trajectory.posed import UP, Spot
from motionloom.motion import Placement, find_runs, kinematics, place, rotations

REST = 0.004  # metres per frame of the model that resting points usually move
STILL = 1e-3  # metres per frame of the motion that a resting point may move in the end
ON_THE_WAY = 0.25  # seconds that a foot of an edit needs from where it rested to a place that is asked of it, and back
SAME_STEP = 0.05  # metres from where a foot rests within which a pose has it on the same step


@dataclass(frozen=True, eq=False)
class RestingPoint:
    """A point of the body that rests in frames [start, stop), and where, as far as it was asked."""

    name: str
    spot: Spot
    start: int
    stop: int
    column: int | None = None  # of the four foot points; None for others
    position: tuple[float, float, float] = (np.nan, np.nan, np.nan)  # metres, world; nan where it is free
    is_hard: bool = False  # at its position exactly
    within: float = PATH_WITHIN  # metres of usual deviation from its position
    is_kept: bool = False  # nothing is asked of it: it rests as it did in the motion that is edited


@dataclass(frozen=True, eq=False)
class Contacts:
    """What rests when."""

    n_frames: int
    points: tuple[RestingPoint, ...]
    is_given: bool  # some of them, by the request; all others are those of the motion that is edited

    @property
    def flags(self) -> np.ndarray:
        """(F, 4) bool of heels and balls."""
        return flags_of(self.points, self.n_frames)

    @property
    def given(self) -> tuple[RestingPoint, ...]:
        """Points that the request lets rest."""
        return tuple(point for point in self.points if not point.is_kept)

    @property
    def kept(self) -> "Contacts":
        """Those of the motion that is edited, of which nothing is asked."""
        return replace(self, points=tuple(point for point in self.points if point.is_kept), is_given=False)

    @property
    def others(self) -> tuple[RestingPoint, ...]:
        """Points that are not of feet."""
        return tuple(point for point in self.points if point.column is None)


def flags_of(points: Sequence[RestingPoint], n_frames: int) -> np.ndarray:
    """(F, 4) bool: frames in which points rest that are heels or balls of feet."""
    flags = np.zeros((n_frames, len(POINTS)), bool)
    for point in points:
        if point.column is not None:
            flags[point.start : point.stop, point.column] = True
    return flags


def read_contacts(setting: BodySetting, keys: Sequence[PoseKey] = ()) -> Contacts:
    """The contacts of a request; where it says nothing of a foot, those of the motion that is edited.

    Args:
        setting: of the request.
        keys: poses that are asked for: where a whole one has a foot elsewhere, that does not rest around it.
    """
    asked = setting.request
    points: list[RestingPoint] = []
    for number, contact in enumerate(asked.contacts):
        points += _given(setting, contact, f"contact {number + 1}, {contact.joint}")
    if asked.contacts_like is not None:
        like = asked.contacts_like
        what = f"contacts like {like.take}"
        name, first = setting.find_take(like.take), setting.take_frame(like, what)
        flags = setting.model.bodies.layer(name, "contacts")[first : first + setting.n_frames]
        world = Finished.of(setting.take_from(like, len(flags), what)) if like.places else None
        points += _of_flags(setting, flags, world)
    is_given = bool(points) or asked.feet == "given"
    if asked.feet == "found" and setting.source is not None and asked.contacts_like is None:
        own = _of_flags(setting, _not_asked(setting, points) & ~moved_by_poses(setting, keys), None)
        points += [replace(point, is_kept=True) for point in own]
    return Contacts(setting.n_frames, tuple(points), is_given)


def contact_demands(setting: BodySetting, contacts: Contacts) -> list[Demand]:
    """That resting points rest; and that they are where they were asked to be."""
    found = [_rest_demand(setting, point) for point in contacts.points]
    return found + [_place_demand(setting, point) for point in contacts.points if np.isfinite(point.position).any()]


def rest_term(setting: BodySetting, contacts: Contacts) -> RestTerm | None:
    """All resting points as one term; in an edit those that were not asked for move as they did."""
    spots = tuple(dict.fromkeys(point.spot for point in contacts.points))
    steps = setting.n_model_frames - 1
    resting, kept = np.zeros((2, steps, len(spots)), bool)
    frames = np.arange(steps) * setting.step
    for point in contacts.points:
        own = (frames >= point.start) & (frames + setting.step < point.stop)
        resting[:, spots.index(point.spot)] |= own
        kept[:, spots.index(point.spot)] |= own & point.is_kept
    used = np.flatnonzero(resting.any(axis=1))
    if not len(used):
        return None
    moved: np.ndarray | float = 0.0
    if setting.source is not None and kept.any():
        made = partial(_moves_of_source, setting, spots, frames[used])
        moves = made() if contacts.is_given else setting.once((spots, used.tobytes()), made)
        moved = np.where(kept[used][..., None], moves, 0.0)
    return RestTerm(used, spots, resting[used], REST, moved)


def _moves_of_source(setting: BodySetting, spots: Sequence[Spot], frames: np.ndarray) -> np.ndarray:
    """(n, S, 3) metres that points move from some frames to the next of the model."""
    assert setting.source is not None
    source, last = Finished(setting.source, *setting.source_world), setting.n_frames - 1
    here, there = (
        np.stack([source.at(spot, np.minimum(at, last)) for spot in spots], axis=1)
        for at in (frames, frames + setting.step)
    )
    return np.asarray(there - here)


def _given(setting: BodySetting, contact: Contact, what: str) -> list[RestingPoint]:
    start, stop = setting.frame(contact.start, what), setting.stop(contact.stop, what)
    if stop <= start:
        raise BadInput(f"{what}: from {contact.start} to {contact.stop} is no time; `from` must come before `to`")
    x, z = (np.nan, np.nan) if contact.place is None else contact.place
    height = np.nan if contact.height is None else contact.height
    points = []
    how = (contact.hard, contact.within or PATH_WITHIN)
    for name, column in _points_of(contact.joint):
        if name.endswith("ball") and name != contact.joint and not has_points(setting.model.skeleton)[column]:
            continue  # a foot without toes rests on its heel
        spot = setting.spot(name, what)
        lift = 0.0 if column is None or name.endswith("heel") else setting.model.ball_height
        shown = what if name == contact.joint else what.replace(contact.joint, name)
        points.append(RestingPoint(shown, spot, start, stop, column, (np.nan, height + lift, np.nan), *how))
    if contact.place is not None:  # of the joint that was named
        spot = setting.spot(contact.joint, what)
        columns = [column for name, column in _points_of(contact.joint)]
        at = (x, height if columns == [None] else np.nan, z)
        if len(points) == 1:
            points[0] = replace(points[0], name=what, position=(x, points[0].position[1], z))
        else:
            points.append(RestingPoint(what, spot, start, stop, None, at, *how))
    return points


def _points_of(joint: str) -> list[tuple[str, int | None]]:
    """The points that rest when a joint does, with their columns among the foot points."""
    for side in ("left", "right"):
        if joint == f"{side}_foot":
            return [(f"{side}_heel", POINTS.index(f"{side}_heel")), (f"{side}_ball", POINTS.index(f"{side}_ball"))]
        for end in ("heel", "ball"):
            if joint == f"{side}_{end}":
                return [(joint, POINTS.index(joint))]
    return [(joint, None)]


def _of_flags(setting: BodySetting, flags: np.ndarray, world: Finished | None) -> list[RestingPoint]:
    """(F, 4) bool as resting points; where they are in a motion, if one is given."""
    points = []
    for column, name in enumerate(POINTS):
        if not flags[:, column].any() or not has_points(setting.model.skeleton)[column]:
            continue
        spot = setting.spot(name, "contacts")
        for start, stop in find_runs(flags[:, column]):
            position = np.full(3, np.nan)
            if world is not None:
                position = np.median(world.at(spot, np.arange(start, stop)), axis=0)
            points.append(RestingPoint(name, spot, start, stop, column, tuple(position.tolist())))
    return points


def _not_asked(setting: BodySetting, points: Sequence[RestingPoint]) -> np.ndarray:
    """(F, 4) bool: when feet rest in the motion that is edited, but for feet that are asked to rest around then."""
    flags, skeleton = setting.source_contacts.copy(), setting.model.skeleton
    for point in points:
        around = round(ON_THE_WAY * setting.fps) if np.isfinite(point.position).any() else 0
        frames = slice(max(point.start - around, 0), point.stop + around)
        for side in SIDES:
            if skeleton.has(f"{side}_foot") and skeleton.index(f"{side}_foot") in skeleton.chain(point.spot.joint):
                flags[frames, columns_of(side)] = False
    return flags


def moved_by_poses(setting: BodySetting, keys: Sequence[PoseKey]) -> np.ndarray:
    """(F, 4) bool: frames around whole poses that have a foot elsewhere than the motion that is edited."""
    found, skeleton = np.zeros((setting.n_frames, len(POINTS)), bool), setting.model.skeleton
    around, positions = round(ON_THE_WAY * setting.fps), setting.source_world[0]
    sides = [side for side in SIDES if skeleton.has(f"{side}_foot")]
    for key in keys:
        if key.joints is not None:
            continue
        x, z, heading = np.where(np.isfinite(key.place), key.place, setting.source_places[key.frame])
        posed = kinematics.world_positions(place(key.pose, Placement(float(heading), np.array([x, z]))))[0]
        for side in sides:
            ankle = skeleton.index(f"{side}_foot")
            if np.linalg.norm(posed[ankle] - positions[key.frame, ankle]) > SAME_STEP:
                found[max(key.frame - around, 0) : key.frame + around + 1, columns_of(side)] = True
    return found


def _rest_demand(setting: BodySetting, point: RestingPoint) -> Demand:
    frames = np.arange(point.start, point.stop)
    source = None
    if point.is_kept and setting.source is not None:
        source = Finished(setting.source, *setting.source_world)

    def measure(finished: Finished) -> np.ndarray:
        moved = np.diff(finished.at(point.spot, frames), axis=0, prepend=np.nan)
        if source is not None:
            joint = point.spot.joint
            apart = rotations.multiply(finished.turned[frames, joint], rotations.inverse(source.turned[frames, joint]))
            turned = rotations.split_swing_twist(apart, UP)[1]  # steps of a body that was turned turn along
            steps = np.diff(source.at(point.spot, frames), axis=0, prepend=np.nan)
            moved = moved - rotations.rotate(turned, steps)
        return np.nan_to_num(np.linalg.norm(moved, axis=1))

    return Demand(
        f"{point.name} rests from {point.start / setting.fps:.2f} to {point.stop / setting.fps:.2f} s: moves per frame",
        frames,
        frames[:0],
        _no_term,
        measure,
        METRES,
        STILL,
        joints=frozenset({point.spot.joint}),
        is_rest=True,
        spots=(point.spot,),
    )


def name_of_place(point: RestingPoint, fps: float) -> str:
    """What a report calls the place of a point that rests."""
    return f"{point.name} rests from {point.start / fps:.2f} s: place"


def _place_demand(setting: BodySetting, point: RestingPoint) -> Demand:
    frames = np.arange(point.start, point.stop)
    wanted = np.array(point.position)
    deviations = np.where(np.isfinite(wanted), point.within * (HARD_SHARE if point.is_hard else 1.0), np.inf)
    pulled = setting.pulled(frames)

    def measure(finished: Finished) -> np.ndarray:
        return np.linalg.norm(np.nan_to_num(finished.at(point.spot, frames) - wanted), axis=1)

    return Demand(
        name_of_place(point, setting.fps),
        frames,
        pulled,
        lambda rows: PointTerm(rows, point.spot, np.tile(np.nan_to_num(wanted), (len(rows), 1)), deviations),
        measure,
        METRES,
        tolerance_of(point.is_hard, point.within, HARD_METRES, SOFT_METRES),
        point.is_hard,
        joints=frozenset({point.spot.joint}),
        about=point.spot,
        fixed=np.tile(wanted, (len(frames), 1)),
        spots=(point.spot,),
    )


def _no_term(rows: Sequence[int] | np.ndarray) -> PointTerm:
    return PointTerm(np.zeros(0, int), Spot(0), np.zeros((0, 3)), np.ones(3))
