"""Reading all demands of a request to points; what an earlier one asked in the same words is not read again."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from motionloom.methods.dynamics.demands.contradictions import check_points, contradiction
from motionloom.methods.dynamics.demands.demand import Demand, Finished, Key
from motionloom.methods.dynamics.demands.face_demands import read_faces
from motionloom.methods.dynamics.demands.point_demands import read_distances, read_positions, read_projections
from motionloom.methods.dynamics.demands.point_setting import PointSetting
from motionloom.methods.dynamics.demands.read_demands import Demands, Earlier
from motionloom.methods.dynamics.demands.setting import asks_nothing
from motionloom.methods.dynamics.prior.point_vectors import put_on
from motionloom.motion import PointMotion


def read_point_demands(setting: PointSetting, earlier: Earlier | None = None) -> Demands:
    """The demands of a request; raises where two that must hold exactly cannot both."""
    poses, keys = read_faces(setting)
    positions = read_positions(setting, {} if earlier is None else earlier.positions(setting))
    points = [*(demand for _, demand in positions), *read_distances(setting), *read_projections(setting)]
    if not (poses or points or setting.source is not None):
        raise asks_nothing(setting.request)
    check_points(points, setting)
    _check_keys(keys, setting)
    _check_faces(keys, points, setting)
    return Demands((*poses, *points), tuple(keys), positions)


def _check_keys(keys: Sequence[Key], setting: PointSetting) -> None:
    """Raise if two poses that must hold exactly differ in a frame."""
    hard = [key for key in keys if key.is_hard]
    for one, other in combinations(hard, 2):
        if one.frame == other.frame:
            apart = float(np.nanmax(np.abs(one.vector - other.vector), initial=0.0)) / setting.codec.scale
            if apart > 2 * setting.usual.hard:
                raise contradiction(one.name, other.name, one.frame, f"points are {1000 * apart:.1f} mm", setting)


def _check_faces(keys: Sequence[Key], demands: Sequence[Demand], setting: PointSetting) -> None:
    """Raise if something else is asked in the frame of a pose than what it has, and both must hold exactly."""
    for key in (key for key in keys if key.is_hard):
        points = np.full((setting.n_frames, len(setting.codec.names), 3), np.nan)
        frame = slice(key.frame, key.frame + 1)
        points[frame] = put_on(setting.codec.read(key.vector[None]), setting.heads[frame])
        finished = Finished.of(PointMotion(setting.codec.names, points, setting.fps))
        given = set(np.flatnonzero(np.isfinite(points[key.frame]).all(axis=1)).tolist())
        for demand in (demand for demand in demands if demand.is_hard and demand.joints <= given):
            away = demand.measure(finished)[demand.frames == key.frame]
            if len(away) and away[0] > 2 * setting.usual.hard:
                size = f"points are {1000 * away[0]:.1f} mm"
                raise contradiction(key.name, demand.name, key.frame, size, setting)
