"""Face demands: key poses of points, whole or of some of them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.methods.dynamics.demands.demand import HARD_SHARE, METRES, Demand, Finished, Key, tolerance_of
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.prior.point_vectors import take_off
from motionloom.methods.dynamics.request import Pose
from motionloom.methods.dynamics.terms.linear_terms import PoseTerm
from motionloom.methods.dynamics.trajectory.normal_equations import Term


def read_faces(setting: PointSetting) -> tuple[list[Demand], list[Key]]:
    """The key poses of a request."""
    demands: list[Demand] = []
    keys: list[Key] = []
    for number, asked in enumerate(setting.request.poses):
        what = asked.name or f"pose {number + 1}"
        frames, _ = setting.frames(asked, what)
        key = _key(setting, asked, what)
        demands.append(face_demand(setting, key, frames, asked.within))
        keys += [replace(key, frame=int(frame)) for frame in frames]
    return demands, sorted(keys, key=lambda key: key.frame)


def _key(setting: PointSetting, asked: Pose, what: str) -> Key:
    """A key of frame 0."""
    if asked.pose is not None:
        vector = setting.face_of(asked.pose, what)
    else:
        vector = setting.face_of_file(asked.file or "", what)
    if asked.joints is None:
        return Key(0, what, vector, asked.hard, None)
    points = tuple(setting.spot(name, what).joint for name in asked.joints)
    columns = (3 * np.array(points)[:, None] + np.arange(3)).ravel()
    given = np.full(len(vector), np.nan)
    given[columns] = vector[columns]
    return Key(0, what, given, asked.hard, points)


def face_demand(setting: PointSetting, key: Key, frames: np.ndarray, within: float | None) -> Demand:
    """That a pose is met in some frames, as far as it is given.

    Args:
        setting: of the request.
        key: the pose.
        frames: (n,) of the motion.
        within: metres of usual deviation of every point; None for the usual.
    """
    usual, codec = setting.usual, setting.codec
    deviation = within or usual.point
    columns = np.flatnonzero(np.isfinite(key.vector))
    deviations = np.full(len(columns), codec.scale * deviation * (HARD_SHARE if key.is_hard else 1.0))
    points = np.unique(columns // 3)
    wanted = codec.read(key.vector[None])[0, points]  # (k, 3) metres, on the head

    def measure(finished: Finished) -> np.ndarray:
        own = take_off(finished.positions[frames][:, points], setting.heads[frames])
        away = np.linalg.norm(own - wanted, axis=-1)
        return np.asarray(away.max(axis=1) if key.is_hard else away.mean(axis=1))

    return Demand(
        key.name,
        frames,
        setting.pulled(frames),
        lambda rows: PoseTerm(rows, columns, np.tile(key.vector[columns], (len(rows), 1)), deviations),
        measure,
        METRES,
        tolerance_of(key.is_hard, deviation, usual.hard, usual.soft),
        key.is_hard,
        joints=frozenset(points.tolist()),
    )


def key_change(vectors: np.ndarray, keys: Sequence[Key], window: float) -> np.ndarray:
    """(F, D) the change of (F, D) vectors that meets keys in their frames and fades out around them.

    Args:
        vectors: scaled.
        keys: by their frames; of two in a frame the later one counts where both say something.
        window: frames over which it fades.
    """
    if not keys:
        return np.zeros_like(vectors)
    wanted = {key.frame: vectors[key.frame].copy() for key in keys}
    for key in keys:
        given = np.isfinite(key.vector)
        wanted[key.frame][given] = key.vector[given]
    frames = np.array(sorted(wanted))
    known = np.array([wanted[frame] - vectors[frame] for frame in frames.tolist()])
    return spread_change(known, frames, len(vectors), window)


def stay(rows: np.ndarray, vectors: np.ndarray, columns: np.ndarray, deviation: float) -> Term:
    """That some numbers of (n, D) vectors stay in (n,) samples.

    Args:
        rows: of the samples.
        vectors: scaled.
        columns: of the numbers.
        deviation: scaled.
    """
    return PoseTerm(rows, columns, vectors[:, columns], np.full(len(columns), deviation))
