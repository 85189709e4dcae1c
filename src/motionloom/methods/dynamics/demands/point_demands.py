"""Point demands: positions of points of a body or on a head, distances between them, and points on pictures."""

from collections.abc import Mapping

import numpy as np

from motionloom.constraints import PositionTarget
from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.demand import (
    HARD_SHARE,
    METRES,
    PIXELS,
    SOFT_PIXELS,
    Demand,
    Finished,
    Target,
    tolerance_of,
)
from motionloom.methods.dynamics.demands.paths import path_through
from motionloom.methods.dynamics.demands.reach import held_distance, highest, is_fixed, too_high
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.methods.dynamics.request import Camera, Distance, PointTarget, Projection
from motionloom.methods.dynamics.terms.point_terms import DistanceTerm, PointTerm, ProjectionTerm, View2D
from motionloom.methods.dynamics.trajectory.posed import Spot

NamedPoint = tuple[PointTarget, str]
Between = tuple[Spot, Spot | np.ndarray]  # a point of the body, and another or (3,) metres, world
EXACTLY = 0.01  # of what is still met: deviations of demands that are met exactly, as far as one step brings them


def read_positions(setting: Setting, known: Mapping[NamedPoint, Demand]) -> list[tuple[NamedPoint, Demand]]:
    """Positions of points of a request, some of which are known from an earlier one about the same motion."""
    named = [(each, each.name or f"point {n + 1}, {each.joint}") for n, each in enumerate(setting.request.points)]
    return [(point, known.get(point) or _point(setting, *point)) for point in named]


def read_distances(setting: Setting) -> list[Demand]:
    """Distances between points of a request, and of points from places in space."""
    asked = setting.request.distances
    return [_distance(setting, each, f"distance {n + 1}, {each.joint}") for n, each in enumerate(asked)]


def read_projections(setting: Setting) -> list[Demand]:
    """Where cameras of a request see points."""
    asked = setting.request.projections
    return [_projection(setting, each, f"projection {n + 1}, {each.joint}") for n, each in enumerate(asked)]


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
    given, usual = np.isfinite(wanted[0]), setting.usual
    within = asked.within or (usual.path if is_range else usual.point)
    deviations = np.where(given, within * (HARD_SHARE if asked.hard else 1.0), np.inf)
    pulled = setting.pulled(frames)
    most = highest(setting, spot) if asked.like is None else np.inf  # recordings are as high as they are
    too_high_at = wanted[:, 1] > most + usual.hard
    reachable = np.column_stack([wanted[:, 0], np.minimum(wanted[:, 1], most), wanted[:, 2]])
    targets = np.nan_to_num(reachable[np.isin(frames, pulled)])
    goal = reachable if is_fixed(setting, spot) else wanted  # limbs stretch towards it

    def measure(finished: Finished) -> np.ndarray:
        return np.linalg.norm(np.nan_to_num(finished.at(spot, frames) - wanted), axis=1)

    return Demand(
        what,
        frames,
        pulled,
        lambda rows: PointTerm(rows, spot, targets, deviations),
        measure,
        METRES,
        tolerance_of(asked.hard, within, usual.hard, usual.soft),
        asked.hard,
        lambda finished: (_position_target(setting, spot, frames, goal),),
        frozenset({spot.joint}),
        spot,
        wanted,
        spots=(spot,),
        make_exact=lambda rows: PointTerm(
            rows, spot, np.nan_to_num(wanted), np.where(given, EXACTLY * usual.hard, np.inf)
        ),
        out_of_reach=too_high(most) if too_high_at.any() else "",
    )


def _positions(setting: Setting, asked: PointTarget, spot: Spot, frames: np.ndarray, what: str) -> np.ndarray:
    """(n, 3) metres; nan along axes that are free."""
    if asked.position is not None:
        return np.tile(np.array([np.nan if value is None else value for value in asked.position]), (len(frames), 1))
    if asked.path is not None:
        return path_through(np.array(asked.path), frames)
    if asked.like is not None:
        return setting.track(asked.like, spot, frames, what)
    if not setting.source_name:
        raise BadInput(f"{what}: `moved_by` needs a motion that is edited; give `start_from`, or a position")
    assert asked.moved_by is not None
    return setting.source_track(spot, frames) + np.array(asked.moved_by)


def _distance(setting: Setting, asked: Distance, usual_name: str) -> Demand:
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    spot = setting.spot(asked.joint, what)
    other = np.array(asked.point) if asked.other is None else setting.spot(asked.other, what)
    usual = setting.usual
    within = asked.within or usual.point
    wanted = _distances(setting, asked, (spot, other), frames, what)
    fixed = held_distance(setting, spot, other) if isinstance(other, Spot) else None
    tolerance = tolerance_of(asked.hard, within, usual.hard, usual.soft)
    if fixed is not None and np.abs(fixed - wanted).max() > tolerance:
        raise BadInput(
            f"{what}: '{asked.joint}' and '{asked.other}' are on one bone, always {fixed:.3f} m apart; give joints "
            "that have another one between them"
        )
    return apart_demand(setting, what, frames, (spot, other), wanted, within, asked.hard)


def _distances(setting: Setting, asked: Distance, between: Between, frames: np.ndarray, what: str) -> np.ndarray:
    """(n,) metres."""
    if asked.metres is not None:
        return np.full(len(frames), asked.metres)
    if asked.path is not None:
        return np.maximum(path_through(np.array(asked.path)[:, None], frames)[:, 0], 0.0)
    assert asked.like is not None
    tracks = [setting.track(asked.like, each, frames, what) if isinstance(each, Spot) else each for each in between]
    return np.asarray(np.linalg.norm(tracks[0] - tracks[1], axis=1))


def apart_demand(
    setting: Setting,
    what: str,
    frames: np.ndarray,
    between: Between,
    wanted: np.ndarray,
    within: float,
    is_hard: bool,
) -> Demand:
    """That two points, or a point and a place in space, are so far apart in some frames.

    Args:
        setting: of the request.
        what: for the report.
        frames: (n,) of the motion.
        between: the points.
        wanted: (n,) metres between them.
        within: metres of usual deviation.
        is_hard: met exactly.
    """
    spot, other = between
    usual = setting.usual
    pulled = setting.pulled(frames)
    targets = wanted[np.isin(frames, pulled)]
    deviation = within * (HARD_SHARE if is_hard else 1.0)

    def apart(finished: Finished) -> np.ndarray:
        beside = finished.at(other, frames) if isinstance(other, Spot) else other
        return np.asarray(finished.at(spot, frames) - beside)

    def aim(finished: Finished) -> tuple[Target, ...]:
        away = apart(finished)
        length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        change = away / length * (wanted[:, None] - length)
        moved = spot
        if isinstance(other, Spot) and is_fixed(setting, spot):  # the limb comes to the root
            moved, change = other, -change
        return (_position_target(setting, moved, frames, finished.at(moved, frames) + change),)

    joints = {spot.joint} | ({other.joint} if isinstance(other, Spot) else set())
    return Demand(
        what,
        frames,
        pulled,
        lambda rows: DistanceTerm(rows, spot, other, targets, deviation),
        lambda finished: np.abs(np.linalg.norm(apart(finished), axis=1) - wanted),
        METRES,
        tolerance_of(is_hard, within, usual.hard, usual.soft),
        is_hard,
        aim,
        frozenset(joints),
        (spot, other) if isinstance(other, Spot) else (spot, *other.tolist()),
        wanted[:, None],
        spots=(spot, other) if isinstance(other, Spot) else (spot,),
        make_exact=lambda rows: DistanceTerm(rows, spot, other, wanted, EXACTLY * usual.hard),
    )


def _projection(setting: Setting, asked: Projection, usual_name: str) -> Demand:
    """A point where a camera sees it; if it must hold, as near to the line of sight as positions must be."""
    what = asked.name or usual_name
    frames, _ = setting.frames(asked, what)
    spot = setting.spot(asked.joint, what)
    camera = camera_of(setting.request.cameras[asked.camera])
    pixel, within = np.array(asked.pixel), asked.within or 1.0
    targets = np.tile(pixel, (len(frames), 1))
    deviation = within * (HARD_SHARE if asked.hard else 1.0)

    def measure(finished: Finished) -> np.ndarray:
        points = finished.at(spot, frames)
        seen, depth = camera.see(points)
        away = points - camera.nearest(points, targets) if asked.hard else seen - targets
        return np.linalg.norm(away, axis=1) + np.where(depth > 0, 0.0, BEHIND)

    def aim(finished: Finished) -> tuple[Target, ...]:
        return (_position_target(setting, spot, frames, camera.nearest(finished.at(spot, frames), targets)),)

    return Demand(
        what,
        frames,
        setting.pulled(frames),
        lambda rows: ProjectionTerm(rows, spot, camera, targets[: len(rows)], deviation),
        measure,
        METRES if asked.hard else PIXELS,
        setting.usual.hard if asked.hard else tolerance_of(False, within, 0.0, SOFT_PIXELS),
        asked.hard,
        aim,
        frozenset({spot.joint}),
        ("seen", spot, asked.camera),
        targets,
        spots=(spot,),
        fixed_unit=PIXELS,
        make_exact=lambda rows: ProjectionTerm(rows, spot, camera, targets, EXACTLY),
    )


BEHIND = 1e9  # pixels or metres that are added where a point is behind its camera


def _position_target(setting: Setting, spot: Spot, frames: np.ndarray, goal: np.ndarray) -> PositionTarget:
    return PositionTarget(setting.model.skeleton.names[spot.joint], frames, goal, spot.offset)
