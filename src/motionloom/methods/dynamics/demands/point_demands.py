"""Point demands: positions and turns of joints, distances, bends of knees and elbows, and points on pictures."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom.constraints import OrientationTarget, PositionTarget
from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.demand import (
    DEGREES,
    HARD_DEGREES,
    HARD_METRES,
    HARD_SHARE,
    METRES,
    PATH_WITHIN,
    PIXELS,
    POINT_WITHIN,
    POSE_WITHIN,
    SOFT_DEGREES,
    SOFT_METRES,
    SOFT_PIXELS,
    TURN_WITHIN,
    BendTarget,
    Demand,
    Finished,
    Target,
    tolerance_of,
)
from motionloom.methods.dynamics.demands.paths import path_through
from motionloom.methods.dynamics.demands.reach import highest, is_fixed_to_root, rigid_distance, too_high
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.methods.dynamics.request import Angle, Camera, Distance, Orientation, PointTarget, Projection
from motionloom.methods.dynamics.terms.point_terms import (
    DistanceTerm,
    OrientationTerm,
    PointTerm,
    ProjectionTerm,
    View2D,
)
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import hinges, kinematics, rotations

NamedPoint = tuple[PointTarget, str]
Between = tuple[Spot, Spot | np.ndarray]  # a point of the body, and another or (3,) metres, world


def read_positions(setting: Setting, known: Mapping[NamedPoint, Demand]) -> list[tuple[NamedPoint, Demand]]:
    """Positions of points of a request, some of which are known from an earlier one about the same motion."""
    named = [(each, each.name or f"point {n + 1}, {each.joint}") for n, each in enumerate(setting.request.points)]
    return [(point, known.get(point) or _point(setting, *point)) for point in named]


def read_points(setting: Setting) -> list[Demand]:
    """Orientations, distances, bends and projections of a request."""
    asked = setting.request
    demands = [
        _orientation(setting, each, f"orientation {n + 1}, {each.joint}") for n, each in enumerate(asked.orientations)
    ]
    demands += [_distance(setting, each, f"distance {n + 1}, {each.joint}") for n, each in enumerate(asked.distances)]
    demands += [
        _bend(setting, each, f"bend {n + 1}, {each.joint}")
        for n, each in enumerate(asked.angles)
        if each.bend is not None
    ]
    demands += [
        _projection(setting, each, f"projection {n + 1}, {each.joint}") for n, each in enumerate(asked.projections)
    ]
    return demands


def positions_of(finished: Finished, spot: Spot, frames: np.ndarray) -> np.ndarray:
    """(n, 3) metres: a point of the body in some frames."""
    joints, offsets = np.array([spot.joint]), np.array([spot.offset])
    return kinematics.attached_positions(finished.positions[frames], finished.turned[frames], joints, offsets)[:, 0]


def camera_of(camera: Camera) -> View2D:
    """A pinhole camera that looks at a point, upright unless it looks straight up or down."""
    position, look_at = np.array(camera.position), np.array(camera.look_at)
    forward = (look_at - position) / np.linalg.norm(look_at - position)
    up = np.array([0.0, 1.0, 0.0]) if abs(forward[1]) < 0.999 else np.array([0.0, 0.0, 1.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    width, height = camera.size
    focal = 0.5 * height / np.tan(np.radians(camera.field_of_view) / 2)
    axes = np.stack([right, np.cross(right, forward), forward])
    return View2D(position, axes, np.array([focal, focal]), np.array([width / 2, height / 2]))


def _point(setting: Setting, asked: PointTarget, what: str) -> Demand:
    frames, is_range = setting.frames(asked, what)
    spot = setting.spot(asked.joint, what, asked.offset)
    wanted = _positions(setting, asked, spot, frames, what)
    given = np.isfinite(wanted[0])
    within = asked.within or (PATH_WITHIN if is_range else POINT_WITHIN)
    deviations = np.where(given, within * (HARD_SHARE if asked.hard else 1.0), np.inf)
    pulled = setting.pulled(frames)
    most = highest(setting, spot) if asked.like is None else np.inf  # recordings are as high as they are
    too_high_at = wanted[:, 1] > most + HARD_METRES
    reachable = np.column_stack([wanted[:, 0], np.minimum(wanted[:, 1], most), wanted[:, 2]])
    targets = np.nan_to_num(reachable[np.isin(frames, pulled)])
    goal = reachable if is_fixed_to_root(setting.codec.skeleton, spot) else wanted  # limbs stretch towards it

    def measure(finished: Finished) -> np.ndarray:
        return np.linalg.norm(np.nan_to_num(positions_of(finished, spot, frames) - wanted), axis=1)

    return Demand(
        what,
        frames,
        pulled,
        lambda rows: PointTerm(rows, spot, targets, deviations),
        measure,
        METRES,
        tolerance_of(asked.hard, within, HARD_METRES, SOFT_METRES),
        asked.hard,
        lambda finished: (_position_target(setting, spot, frames, goal),),
        frozenset({spot.joint}),
        spot,
        wanted,
        spots=(spot,),
        out_of_reach=too_high(most) if too_high_at.any() else "",
    )


def _positions(setting: Setting, asked: PointTarget, spot: Spot, frames: np.ndarray, what: str) -> np.ndarray:
    """(n, 3) metres; nan along axes that are free."""
    if asked.position is not None:
        return np.tile(np.array([np.nan if value is None else value for value in asked.position]), (len(frames), 1))
    if asked.path is not None:
        return path_through(np.array(asked.path), frames)
    if asked.like is not None:
        motion = setting.take_from(asked.like, int(frames[-1] - frames[0]) + 1, what)
        return positions_of(Finished.of(motion), spot, frames - frames[0])
    if setting.source is None:
        raise BadInput(f"{what}: `moved_by` needs a motion that is edited; give `start_from`, or a position")
    assert asked.moved_by is not None
    source = Finished(setting.source, *setting.source_world)
    return positions_of(source, spot, frames) + np.array(asked.moved_by)


def _orientation(setting: Setting, asked: Orientation, usual_name: str) -> Demand:
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    joint = setting.joint(asked.joint, what)
    if asked.like is not None:
        turned = kinematics.world(setting.pose_of(asked.like, what))[1][0, joint]
    else:
        turned = rotations.from_euler(np.radians(np.array(asked.turns)), "ZYX")
    wanted = np.tile(turned, (len(frames), 1))
    within = asked.within or TURN_WITHIN
    deviation = np.radians(within) * (HARD_SHARE if asked.hard else 1.0)
    pulled, spot = setting.pulled(frames), Spot(joint, is_position=False)
    name = setting.model.skeleton.names[joint]
    return Demand(
        what,
        frames,
        pulled,
        lambda rows: OrientationTerm(rows, spot, wanted[: len(rows)], float(deviation)),
        lambda finished: np.degrees(rotations.angle_between(finished.turned[frames, joint], wanted)),
        DEGREES,
        tolerance_of(asked.hard, within, HARD_DEGREES, SOFT_DEGREES),
        asked.hard,
        lambda finished: (OrientationTarget(name, frames, wanted),),
        frozenset({joint}),
        spot,
        wanted,
    )


def _distance(setting: Setting, asked: Distance, usual_name: str) -> Demand:
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    spot = setting.spot(asked.joint, what)
    other = np.array(asked.point) if asked.other is None else setting.spot(asked.other, what)
    within = asked.within or POINT_WITHIN
    wanted = _distances(setting, asked, (spot, other), frames, what)
    fixed = rigid_distance(setting.model.skeleton, spot, other) if isinstance(other, Spot) else None
    tolerance = tolerance_of(asked.hard, within, HARD_METRES, SOFT_METRES)
    if fixed is not None and np.abs(fixed - wanted).max() > tolerance:
        raise BadInput(
            f"{what}: '{asked.joint}' and '{asked.other}' are on one bone, always {fixed:.3f} m apart; give joints "
            "that have another one between them"
        )
    return _apart(setting, what, frames, (spot, other), wanted, within, asked.hard)


def _distances(setting: Setting, asked: Distance, between: Between, frames: np.ndarray, what: str) -> np.ndarray:
    """(n,) metres."""
    if asked.metres is not None:
        return np.full(len(frames), asked.metres)
    if asked.path is not None:
        return np.maximum(path_through(np.array(asked.path)[:, None], frames)[:, 0], 0.0)
    assert asked.like is not None
    motion = setting.take_from(asked.like, int(frames[-1] - frames[0]) + 1, what)
    return np.asarray(np.linalg.norm(away_from(Finished.of(motion), between, frames - frames[0]), axis=1))


def away_from(finished: Finished, between: Between, frames: np.ndarray) -> np.ndarray:
    """(n, 3) metres from the second of two points to the first."""
    spot, other = between
    beside = positions_of(finished, other, frames) if isinstance(other, Spot) else other
    return np.asarray(positions_of(finished, spot, frames) - beside)


def _apart(
    setting: Setting,
    what: str,
    frames: np.ndarray,
    between: Between,
    wanted: np.ndarray,
    within: float,
    is_hard: bool,
) -> Demand:
    spot, other = between
    pulled = setting.pulled(frames)
    targets = wanted[np.isin(frames, pulled)]
    deviation = within * (HARD_SHARE if is_hard else 1.0)

    def apart(finished: Finished) -> np.ndarray:
        return away_from(finished, between, frames)

    def aim(finished: Finished) -> tuple[Target, ...]:
        away = apart(finished)
        length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        change = away / length * (wanted[:, None] - length)
        moved = spot
        if isinstance(other, Spot) and is_fixed_to_root(setting.codec.skeleton, spot):  # the limb comes to the root
            moved, change = other, -change
        return (_position_target(setting, moved, frames, positions_of(finished, moved, frames) + change),)

    joints = {spot.joint} | ({other.joint} if isinstance(other, Spot) else set())
    return Demand(
        what,
        frames,
        pulled,
        lambda rows: DistanceTerm(rows, spot, other, targets, deviation),
        lambda finished: np.abs(np.linalg.norm(apart(finished), axis=1) - wanted),
        METRES,
        tolerance_of(is_hard, within, HARD_METRES, SOFT_METRES),
        is_hard,
        aim,
        frozenset(joints),
        (spot, other) if isinstance(other, Spot) else (spot, *other.tolist()),
        wanted[:, None],
        spots=(spot, other) if isinstance(other, Spot) else (spot,),
    )


def _bend(setting: Setting, asked: Angle, usual_name: str) -> Demand:
    """A knee or an elbow bent so far: its hip or shoulder and its ankle or wrist are so far apart."""
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    joint, skeleton = setting.joint(asked.joint, what), setting.model.skeleton
    limbs = [limb for limb in hinges.hinged_limbs(skeleton) if hinges.limb_joints(skeleton, limb)[1] == joint]
    if not limbs:
        raise BadInput(f"{what}: '{asked.joint}' is neither a knee nor an elbow; give `turns` against its parent")
    upper, _, end = hinges.limb_joints(skeleton, limbs[0])
    a, b = hinges.rest_lengths(skeleton, limbs[0])
    bend, within = np.radians(asked.bend or 0.0), np.radians(asked.within or POSE_WITHIN)
    apart = np.full(len(frames), np.sqrt(a * a + b * b + 2 * a * b * np.cos(bend)))
    near = np.clip(bend, *np.radians([5.0, 175.0]))  # straight or folded, distances hardly change with the bend
    slope = a * b * np.sin(near) / np.sqrt(a * a + b * b + 2 * a * b * np.cos(near))  # metres per radian
    demand = _apart(setting, what, frames, (Spot(end), Spot(upper)), apart, float(within * slope), asked.hard)

    def measure(finished: Finished) -> np.ndarray:
        upper_bone = finished.positions[frames, joint] - finished.positions[frames, upper]
        lower_bone = finished.positions[frames, end] - finished.positions[frames, joint]
        cosine = (upper_bone * lower_bone).sum(1) / (
            np.linalg.norm(upper_bone, axis=1) * np.linalg.norm(lower_bone, axis=1)
        )
        return np.degrees(np.abs(np.arccos(np.clip(cosine, -1, 1)) - bend))

    tolerance = tolerance_of(asked.hard, float(np.degrees(within)), HARD_DEGREES, SOFT_DEGREES)
    return replace(
        demand,
        measure=measure,
        unit=DEGREES,
        tolerance=tolerance,
        aim=lambda finished: (BendTarget(limbs[0], frames, float(bend)),),
        about=("bend", joint),
        fixed=np.full((len(frames), 1), np.degrees(bend)),
        spots=(),
    )


def _projection(setting: Setting, asked: Projection, usual_name: str) -> Demand:
    """A point of the body where a camera sees it; if it must hold, within a millimetre of the line of sight."""
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    spot = setting.spot(asked.joint, what)
    camera = camera_of(setting.request.cameras[asked.camera])
    pixel, within = np.array(asked.pixel), asked.within or 1.0
    targets = np.tile(pixel, (len(frames), 1))
    deviation = within * (HARD_SHARE if asked.hard else 1.0)

    def measure(finished: Finished) -> np.ndarray:
        points = positions_of(finished, spot, frames)
        seen, depth = camera.see(points)
        away = points - camera.nearest(points, targets) if asked.hard else seen - targets
        return np.linalg.norm(away, axis=1) + np.where(depth > 0, 0.0, BEHIND)

    def aim(finished: Finished) -> tuple[Target, ...]:
        return (_position_target(setting, spot, frames, camera.nearest(positions_of(finished, spot, frames), targets)),)

    return Demand(
        what,
        frames,
        setting.pulled(frames),
        lambda rows: ProjectionTerm(rows, spot, camera, targets[: len(rows)], deviation),
        measure,
        METRES if asked.hard else PIXELS,
        HARD_METRES if asked.hard else tolerance_of(False, within, 0.0, SOFT_PIXELS),
        asked.hard,
        aim,
        frozenset({spot.joint}),
        ("seen", spot, asked.camera),
        targets,
        spots=(spot,),
        fixed_unit=PIXELS,
    )


BEHIND = 1e9  # pixels or metres that are added where a point is behind its camera


def _position_target(setting: Setting, spot: Spot, frames: np.ndarray, goal: np.ndarray) -> PositionTarget:
    return PositionTarget(setting.model.skeleton.names[spot.joint], frames, goal, spot.offset)
