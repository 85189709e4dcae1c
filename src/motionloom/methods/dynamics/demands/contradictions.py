"""Contradictions: two demands that must hold exactly, in one frame, and cannot both."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import (
    DEGREES,
    HARD_DEGREES,
    HARD_METRES,
    HARD_PIXELS,
    PIXELS,
    Demand,
    Finished,
    PoseKey,
)
from motionloom.methods.dynamics.demands.point_demands import BEHIND
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT_AT
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, Placement, PointMotion, place, rotations
from motionloom.motion.angles import wrap_angles

HARD = {DEGREES: HARD_DEGREES, PIXELS: HARD_PIXELS}  # within which both could hold; metres where nothing is said


def check_contradictions(demands: Sequence[Demand], keys: Sequence[PoseKey], setting: BodySetting) -> None:
    """Raise if a point must be at two places at once, or a joint turned in two ways; the pair is named."""
    fixed = [demand for demand in demands if demand.is_hard and demand.fixed is not None]
    hard = [key for key in keys if key.is_hard]
    for first, second in combinations(hard, 2):
        if first.frame == second.frame:
            _check_keys(first, second, setting)
    check_points(fixed, setting)
    for key in hard:
        if key.joints is None and np.isfinite(key.place).all():
            _check_placed(key, fixed, setting)
        elif np.isfinite(key.vector[HEIGHT_AT]):
            _check_height(key, fixed, setting)


def check_points(demands: Sequence[Demand], setting: Setting) -> None:
    """Raise if a point must be at two places at once, or is seen elsewhere from where it must be; the pair is named."""
    fixed = [demand for demand in demands if demand.is_hard and demand.fixed is not None]
    for one, other in combinations(fixed, 2):
        if one.about is not None and one.about == other.about:
            _check_fixed(one, other, setting)
    for demand in fixed:
        if isinstance(demand.about, Spot) and demand.about.is_position:
            _check_position(demand, fixed, setting)


def _check_fixed(one: Demand, other: Demand, setting: Setting) -> None:
    """Raise if two demands fix the same to different values in a frame."""
    shared, own, its = np.intersect1d(one.frames, other.frames, return_indices=True)
    if not len(shared):
        return
    assert one.fixed is not None and other.fixed is not None
    apart = apart_by(one.fixed[own], other.fixed[its])
    worst = int(apart.argmax())
    if apart[worst] > 2 * HARD.get(one.compared_in, setting.usual.hard):
        size = _size(apart[worst], one.compared_in)
        raise contradiction(one.name, other.name, int(shared[worst]), size, setting)


def _check_position(point: Demand, demands: Sequence[Demand], setting: Setting) -> None:
    """Raise if a point that must be somewhere is seen elsewhere from there, or not so far from another place."""
    assert isinstance(point.about, Spot) and point.fixed is not None
    known = np.isfinite(point.fixed).all(axis=1)
    others = [other for other in demands if other.about != point.about and other.spots == (point.about,)]
    for demand in others:
        shared, rows, _ = np.intersect1d(demand.frames, point.frames[known], return_indices=True)
        if not len(shared):
            continue
        away = demand.measure(_placed_point(point, setting))[rows]
        worst = int(away.argmax())
        if away[worst] > 2 * HARD.get(demand.unit, setting.usual.hard):
            size = "any length" if away[worst] >= BEHIND else _size(away[worst], demand.unit)
            raise contradiction(point.name, demand.name, int(shared[worst]), size, setting)


def _placed_point(point: Demand, setting: Setting) -> Finished:
    """Joints of which one is where a point is asked to be."""
    assert isinstance(point.about, Spot) and point.fixed is not None
    n_frames, wanted = setting.n_frames, np.nan_to_num(point.fixed)
    if not isinstance(setting, BodySetting):
        points = np.zeros((n_frames, point.about.joint + 1, 3))
        points[point.frames, point.about.joint] = wanted
        names = tuple(str(number) for number in range(point.about.joint + 1))
        return Finished.of(PointMotion(names, points, setting.fps))
    skeleton = setting.codec.skeleton
    positions = np.zeros((n_frames, skeleton.n_joints, 3))
    turned = rotations.identity((n_frames, skeleton.n_joints))
    positions[point.frames, point.about.joint] = wanted - np.array(point.about.offset)
    return Finished(Motion(skeleton, positions[:, 0], turned, setting.fps), positions, turned)


def _check_height(key: PoseKey, demands: Sequence[Demand], setting: BodySetting) -> None:
    """Raise if the root must be higher or lower than a pose has it."""
    for demand in demands:
        if demand.about != Spot(0) or demand.fixed is None:
            continue
        rows = np.flatnonzero(demand.frames == key.frame)
        if not len(rows):
            continue
        away = abs(float(demand.fixed[rows[0], 1] - key.pose.root_positions[0, 1]))
        if away > 2 * HARD_METRES:
            raise contradiction(key.name, demand.name, key.frame, _size(away, ""), setting)


def apart_by(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(n,) how far what is asked is apart: degrees of (n, 4) rotations, else in the unit; nan is free."""
    if one.shape[1] == 4:
        return np.degrees(rotations.angle_between(one, other))
    return np.asarray(np.linalg.norm(np.nan_to_num(one - other), axis=-1))


def placed_pose(key: PoseKey) -> Motion:
    """The pose of a key where it has to be."""
    return place(key.pose, Placement(float(key.place[2]), key.place[:2]))


def _check_placed(key: PoseKey, fixed: Sequence[Demand], setting: BodySetting) -> None:
    """Raise if something else is asked in the frame of a whole pose than what it has."""
    pose = placed_pose(key)
    root, local = (
        np.broadcast_to(each, (setting.n_frames, *each.shape[1:]))
        for each in (pose.root_positions, pose.local_rotations)
    )
    everywhere = Finished.of(replace(pose, root_positions=root, local_rotations=local))
    for demand in fixed:
        rows = np.flatnonzero(demand.frames == key.frame)
        if not len(rows):
            continue
        away = float(demand.measure(everywhere)[rows[0]])
        if away > 2 * HARD.get(demand.unit, HARD_METRES):
            raise contradiction(key.name, demand.name, key.frame, _size(away, demand.unit), setting)


def _check_keys(one: PoseKey, other: PoseKey, setting: BodySetting) -> None:
    every = range(setting.model.skeleton.n_joints)
    first, second = (set(every if key.joints is None else key.joints) for key in (one, other))
    joints = sorted(first & second)
    angles = np.degrees(
        rotations.angle_between(one.pose.local_rotations[0, joints], other.pose.local_rotations[0, joints])
    )
    away = np.nan_to_num(one.place - other.place)
    metres, degrees = float(np.linalg.norm(away[:2])), float(np.degrees(abs(wrap_angles(away[2]))))
    if len(joints) and angles.max() > 2 * HARD_DEGREES:
        where = setting.model.skeleton.names[joints[int(angles.argmax())]]
        raise contradiction(one.name, other.name, one.frame, f"{where} is turned {angles.max():.1f} degrees", setting)
    if metres > 2 * HARD_METRES:
        raise contradiction(one.name, other.name, one.frame, f"their places are {_size(metres, '')}", setting)
    if degrees > 2 * HARD_DEGREES:
        raise contradiction(one.name, other.name, one.frame, f"their headings are {_size(degrees, DEGREES)}", setting)


def _size(apart: float, unit: str) -> str:
    if unit == PIXELS:
        return f"{apart:.1f} pixels"
    return f"{apart:.1f} degrees" if unit == DEGREES else f"{100 * apart:.1f} cm"


def contradiction(one: str, other: str, frame: int, apart: str, setting: Setting) -> BadInput:
    """That two demands cannot both hold in a frame, so far apart."""
    return BadInput(
        f"'{one}' and '{other}' contradict each other: both must hold at {frame / setting.fps:.2f} s, {apart} apart; "
        "let one of them be not `hard`, or at another time"
    )
