"""Pose demands: key poses, whole or of some joints, and angles of single joints."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionloom.constraints import OrientationTarget, PositionTarget
from motionloom.methods.dynamics.demands.body_setting import BodySetting, origin_placed
from motionloom.methods.dynamics.demands.demand import (
    DEGREES,
    HARD_DEGREES,
    HARD_METRES,
    HARD_SHARE,
    METRES,
    PLACE_WITHIN,
    POSE_WITHIN,
    SOFT_DEGREES,
    SOFT_METRES,
    Demand,
    Finished,
    PoseKey,
    tolerance_of,
)
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT, JOINTS_AT, N_GROUND, find_places
from motionloom.methods.dynamics.request import Angle, Pose
from motionloom.methods.dynamics.terms.linear_terms import PlaceTerm, PoseTerm
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, rotations
from motionloom.motion.angles import wrap_angles

DEGREES_PER_METRE = 100.0  # of usual deviation of headings beside places


def read_poses(setting: BodySetting) -> tuple[list[Demand], list[PoseKey]]:
    """The key poses of a request."""
    demands: list[Demand] = []
    keys: list[PoseKey] = []
    for number, asked in enumerate(setting.request.poses):
        what = asked.name or f"pose {number + 1}"
        frames, _ = setting.frames(asked, what)
        pose = (
            setting.pose_of(asked.pose, what)
            if asked.pose is not None
            else setting.pose_of_file(asked.file or "", what)
        )
        joints = None if asked.joints is None else tuple(setting.joint(name, what) for name in asked.joints)
        key = make_key(setting, what, pose, place_of(asked, pose), asked.hard, joints)
        demands += key_demands(setting, key, frames, asked.within)
        keys += [replace(key, frame=int(frame)) for frame in frames]
    return demands, sorted(keys, key=lambda key: key.frame)


def read_angles(setting: BodySetting) -> tuple[list[Demand], list[PoseKey]]:
    """Joints turned some way against their parents: keys of one joint."""
    demands: list[Demand] = []
    keys: list[PoseKey] = []
    for number, asked in enumerate(setting.request.angles):
        if asked.turns is None:
            continue
        what = asked.name or f"angle {number + 1} of {asked.joint}"
        frames, _ = setting.frames(asked, what)
        key = make_turned_key(setting, asked, what)
        demands += key_demands(setting, key, frames, asked.within)
        keys += [replace(key, frame=int(frame)) for frame in frames]
    return demands, keys


def place_of(asked: Pose, pose: Motion) -> np.ndarray:
    """(3,) where a pose is to be: metres and radians; nan where it is free."""
    if asked.as_recorded:
        return find_places(pose)[0]
    x, z = (np.nan, np.nan) if asked.place is None else asked.place
    return np.array([x, z, np.nan if asked.heading is None else radians_of(asked.heading)])


def radians_of(heading: float) -> float:
    """A heading in radians, less than a turn: more of them would leave no digits for the rest."""
    return float(np.radians(np.fmod(heading, 360.0)))


def make_key(
    setting: BodySetting, name: str, pose: Motion, place: np.ndarray, is_hard: bool, joints: tuple[int, ...] | None
) -> PoseKey:
    """A key of frame 0."""
    codec = setting.codec
    pose = origin_placed(pose)
    vector = np.full(codec.size, np.nan)
    shown = codec.scales[N_GROUND:] * codec.poses(pose, find_places(pose))[0]
    given = given_columns(setting, joints) - N_GROUND
    vector[N_GROUND + given] = shown[given]
    return PoseKey(0, name, vector, is_hard, joints, pose, place)


def make_turned_key(setting: BodySetting, asked: Angle, what: str) -> PoseKey:
    """A key of frame 0 with one joint turned; of the root, its tilt without its height."""
    joint = setting.joint(asked.joint, what)
    key = make_key(setting, what, _turned(setting, asked, joint), np.full(3, np.nan), asked.hard, (joint,))
    vector = np.where(np.arange(len(key.vector)) == HEIGHT_AT, np.nan, key.vector)
    return replace(key, vector=vector)


def given_columns(setting: BodySetting, joints: tuple[int, ...] | None) -> np.ndarray:
    """The numbers of pose vectors that are about some joints; about all but the ground if None."""
    codec = setting.codec
    if joints is None:
        return np.arange(N_GROUND, codec.size)
    columns: list[int] = []
    for joint in joints:
        if joint == 0:
            columns += range(HEIGHT_AT, JOINTS_AT)
        elif joint in codec.joints:
            first = JOINTS_AT + 3 * int(np.flatnonzero(codec.joints == joint)[0])
            columns += range(first, first + 3)
    return np.array(columns, int)


def key_demands(setting: BodySetting, key: PoseKey, frames: np.ndarray, within: float | None) -> list[Demand]:
    """That a pose is met in some frames, and its place, as far as they are given."""
    share = HARD_SHARE if key.is_hard else 1.0
    deviation = (within or POSE_WITHIN) * share
    columns = np.flatnonzero(np.isfinite(key.vector))
    deviations = np.full(len(columns), np.radians(deviation))
    deviations[columns == HEIGHT_AT] = PLACE_WITHIN * share * HEIGHT
    joints = np.arange(setting.codec.skeleton.n_joints) if key.joints is None else np.array(key.joints, int)
    found = []
    if len(joints):
        found.append(
            Demand(
                key.name,
                frames,
                setting.pulled(frames),
                lambda rows: PoseTerm(rows, columns, np.tile(key.vector[columns], (len(rows), 1)), deviations),
                lambda finished: pose_misses(finished, frames, key, joints, setting.codec.turning),
                DEGREES,
                tolerance_of(key.is_hard, deviation, HARD_DEGREES, SOFT_DEGREES),
                key.is_hard,
                joints=frozenset(joints.tolist()),
            )
        )
    if np.isfinite(key.place).any():
        found += place_demands(setting, key.name, frames, key.place[None], key.is_hard, PLACE_WITHIN, is_of_key=True)
    return found


def place_demands(
    setting: BodySetting,
    name: str,
    frames: np.ndarray,
    places: np.ndarray,
    is_hard: bool,
    within: float,
    is_of_key: bool = False,
) -> list[Demand]:
    """That the root is over places on the ground and looks some way; nan is free.

    Args:
        setting: of the request.
        name: for the report.
        frames: (n,) of the motion.
        places: (n or 1, 3) metres and radians.
        is_hard: met exactly.
        within: metres of usual deviation; headings have a degree for each centimetre.
        is_of_key: of a pose, which is put there as a whole.
    """
    places = np.broadcast_to(places, (len(frames), 3))
    root = setting.codec.skeleton.names[0]
    ground = np.stack([places[:, 0], np.full(len(frames), np.nan), places[:, 1]], axis=-1)  # (n, 3) metres, world
    pulled = setting.pulled(frames)
    share = HARD_SHARE if is_hard else 1.0
    found = []
    if np.isfinite(places[0, :2]).any():
        deviations = np.where(np.isfinite(places[0]), within * share, np.inf)
        deviations[2] = np.inf
        found.append(
            Demand(
                f"{name}: place",
                frames,
                pulled,
                _place_term(places[np.isin(frames, pulled)], deviations),
                lambda finished: ground_misses(finished, frames, places),
                METRES,
                tolerance_of(is_hard, within, HARD_METRES, SOFT_METRES),
                is_hard,
                None if is_of_key else lambda finished: (PositionTarget(root, frames, ground),),
                joints=frozenset({0}),
                about=Spot(0),
                fixed=ground,
                spots=(Spot(0),),
            )
        )
    if np.isfinite(places[0, 2]):
        deviations = np.array([np.inf, np.inf, np.radians(DEGREES_PER_METRE * within) * share])
        found.append(
            Demand(
                f"{name}: heading",
                frames,
                pulled,
                _place_term(places[np.isin(frames, pulled)], deviations),
                lambda finished: heading_misses(finished, frames, places),
                DEGREES,
                tolerance_of(is_hard, DEGREES_PER_METRE * within, HARD_DEGREES, SOFT_DEGREES),
                is_hard,
                None if is_of_key else lambda finished: (heading_target(finished, frames, places[:, 2]),),
                joints=frozenset({0}),
                about="heading",
                fixed=rotations.about_y(wrap_angles(places[:, 2])),
            )
        )
    return found


def heading_target(finished: Finished, frames: np.ndarray, headings: np.ndarray) -> OrientationTarget:
    """The root turned about the vertical until the body looks some way in (n,) frames."""
    turns = rotations.about_y(wrap_angles(headings - finished.headings[frames]))
    return OrientationTarget(
        finished.motion.skeleton.names[0], frames, rotations.multiply(turns, finished.turned[frames, 0])
    )


def _place_term(places: np.ndarray, deviations: np.ndarray) -> Callable[[np.ndarray], Term]:
    targets = np.nan_to_num(places)
    return lambda rows: PlaceTerm(rows, targets, deviations)


def pose_misses(
    finished: Finished, frames: np.ndarray, key: PoseKey, joints: np.ndarray, moving: np.ndarray
) -> np.ndarray:
    """(n,) degrees from a pose in some frames: the farthest joint where it must hold exactly, else the mean of those
    that move.
    """
    own = finished.motion.local_rotations[frames].copy()
    own[:, 0] = rotations.multiply(rotations.about_y(-finished.headings[frames]), own[:, 0])
    angles = np.degrees(rotations.angle_between(own[:, joints], key.pose.local_rotations[:, joints]))
    if key.joints is not None:  # the facing is that of all the body: of the root alone, only its tilt can be met
        angles[:, joints == 0] = tilt_misses(own[:, 0], key.pose.local_rotations[:, 0])[:, None]
    if key.is_hard:
        return np.asarray(angles.max(axis=1))
    counted = np.isin(joints, moving)
    return np.asarray(angles[:, counted].mean(axis=1) if counted.any() else angles.mean(axis=1))


def tilt_misses(own: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """(n,) degrees between rotations, whatever they are turned about the vertical."""
    between = rotations.multiply(own, rotations.inverse(wanted))
    return np.asarray(np.degrees(2 * np.arccos(np.clip(np.hypot(between[:, 0], between[:, 2]), 0, 1))))


def ground_misses(finished: Finished, frames: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n,) metres of the root from (n, 3) places on the ground."""
    away = finished.motion.root_positions[frames][:, [0, 2]] - places[:, :2]
    return np.linalg.norm(np.nan_to_num(away), axis=1)


def heading_misses(finished: Finished, frames: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n,) degrees between the facing and (n, 3) places."""
    return np.degrees(np.abs(wrap_angles(finished.headings[frames] - places[:, 2])))


def _turned(setting: BodySetting, asked: Angle, joint: int) -> Motion:
    """A pose with one joint turned."""
    skeleton, means = setting.codec.skeleton, setting.codec.means
    local = means[None].copy()
    local[0, joint] = rotations.from_euler(np.radians(np.array(asked.turns)), "ZYX")
    return Motion(skeleton, np.zeros((1, 3)), local, setting.fps)
