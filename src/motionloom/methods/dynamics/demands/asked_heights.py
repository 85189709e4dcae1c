"""Asked heights: how much higher or lower an edit asks the root to be, or joints that are fixed to it."""

from dataclasses import replace

import numpy as np

from motionloom.features.feet import POINTS
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import HARD_METRES, Demand, Finished
from motionloom.methods.dynamics.demands.reach import is_fixed_to_root
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT
from motionloom.methods.dynamics.terms.linear_terms import PoseTerm
from motionloom.methods.dynamics.terms.point_terms import PointTerm
from motionloom.motion import Motion

GROUND = [0, 2]


def asks_height_alone(setting: BodySetting, demand: Demand) -> bool:
    """Whether the root of an edit does what is asked by being higher or lower, over the same place."""
    if not len(demand.pulled) or not _is_about_height(setting, demand):
        return False
    term = demand.make_term(demand.pulled)
    if isinstance(term, PoseTerm):
        return True
    assert isinstance(term, PointTerm)
    given = np.isfinite(np.broadcast_to(term.deviations, term.targets.shape))
    away = np.where(given, term.targets - _places(setting, demand), 0.0)
    return bool(given[:, 1].all()) and float(np.abs(away[:, GROUND]).max()) <= HARD_METRES


def asked_heights(setting: BodySetting, demands: BodyDemands) -> tuple[np.ndarray, np.ndarray]:
    """The frames in which the root of an edit is asked to be at some height, and (n,) metres above where it is.

    Of several demands in one frame those count that must hold; else, and among these, their mean.
    """
    found: dict[int, list[tuple[bool, float]]] = {}
    for demand in demands.parts:
        if len(demand.pulled) and _is_about_height(setting, demand):
            for frame, metres in zip(demand.pulled.tolist(), _above(setting, demand).tolist()):
                if np.isfinite(metres):
                    found.setdefault(frame, []).append((demand.is_hard, metres))
    frames = sorted(found)
    heights = []
    for frame in frames:
        must = [metres for is_hard, metres in found[frame] if is_hard]
        heights.append(float(np.mean(must or [metres for _, metres in found[frame]])))
    return np.array(frames, int), np.array(heights)


def with_short_legs(setting: BodySetting, demands: BodyDemands, raised: Motion) -> BodyDemands:
    """The demands, where those that say why they are missed that legs are too short for, on feet that rest.

    Args:
        setting: of an edit.
        demands: of it.
        raised: the motion that is edited, as high as is asked as far as legs reach.
    """
    return replace(demands, parts=tuple(_with_short_leg(setting, demand, demands, raised) for demand in demands.parts))


def _with_short_leg(setting: BodySetting, demand: Demand, demands: BodyDemands, raised: Motion) -> Demand:
    if demand.out_of_reach or not len(demand.pulled) or not _is_about_height(setting, demand):
        return demand
    assert setting.source is not None
    gained = (raised.root_positions - setting.source.root_positions)[demand.pulled, 1]
    lacks = np.nan_to_num(_above(setting, demand) - gained)
    resting = np.flatnonzero(demands.contacts.flags.any(axis=1))
    if not len(resting) or lacks.max() <= HARD_METRES:
        return demand
    frame = int(resting[np.abs(resting - demand.pulled[int(lacks.argmax())]).argmin()])
    foot = POINTS[int(demands.contacts.flags[frame].argmax())].split("_")[0]
    reason = (
        f"legs are {lacks.max():.2f} m too short for it: the {foot} foot rests at {frame / setting.fps:.2f} s; "
        "ask for a lower place, or let feet go with `feet: free`"
    )
    return replace(demand, out_of_reach=reason)


def _is_about_height(setting: BodySetting, demand: Demand) -> bool:
    """Whether a demand is about the height of the root, or the position of a point that is fixed to it."""
    term = demand.make_term(demand.pulled)
    if isinstance(term, PoseTerm):
        return term.columns.tolist() == [HEIGHT_AT]
    return isinstance(term, PointTerm) and is_fixed_to_root(setting.model.skeleton, term.spot) and not demand.is_rest


def _above(setting: BodySetting, demand: Demand) -> np.ndarray:
    """(k,) metres from where a motion that is edited is to what is asked; nan where no height is."""
    term, was = demand.make_term(demand.pulled), _places(setting, demand)[:, 1]
    if isinstance(term, PoseTerm):
        return term.targets[:, 0] / HEIGHT - was
    assert isinstance(term, PointTerm)
    given = np.isfinite(np.broadcast_to(term.deviations, term.targets.shape)[:, 1])
    return np.where(given, term.targets[:, 1] - was, np.nan)


def _places(setting: BodySetting, demand: Demand) -> np.ndarray:
    """(k, 3) metres where the point of a demand is in the motion that is edited."""
    assert setting.source is not None
    return Finished(setting.source, *setting.source_world).at(demand.spots[0], demand.pulled)
