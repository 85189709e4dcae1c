"""Asked sways: how far a body goes beside for hands that are asked to be somewhat farther away than it leans."""

import numpy as np

from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.methods.dynamics.demands.held_rest import free_joints, limb_of
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.methods.dynamics.terms.point_terms import PointTerm

LEANT = 0.9  # of the length of the trunk that it carries hands away without the root
SWAY = 0.2  # metres that the root goes beside at most, on feet that stay where they are
TOO_FAR = 0.5  # metres out of reach from which on it stays: the hand is missed anyway


def asked_sways(setting: BodySetting, demands: BodyDemands) -> tuple[np.ndarray, np.ndarray]:
    """The frames in which hands are asked to be out of reach, and (n, 3) metres that the root of an edit sways.

    What is out of reach for a body that sways too leaves it where it was, the farther the more.
    """
    found: dict[int, list[np.ndarray]] = {}
    if 0 not in free_joints(setting, demands):
        rests = np.asarray(demands.contacts.flags.any(axis=1))
        for demand in demands.parts:
            for frame, sway in zip(demand.pulled.tolist(), _sways(setting, demand)):
                if rests[frame] and sway.any():
                    found.setdefault(frame, []).append(sway)
    frames = sorted(found)
    return np.array(frames, int), np.array([np.mean(found[frame], axis=0) for frame in frames]).reshape(-1, 3)


def _sways(setting: BodySetting, demand: Demand) -> np.ndarray:
    """(k, 3) metres that a demand on an arm asks for; none of others."""
    skeleton = setting.model.skeleton
    shoulders = {skeleton.index(f"{side}_shoulder") for side in ("left", "right") if skeleton.has(f"{side}_shoulder")}
    if not len(demand.pulled) or len(demand.joints) > 1:
        return np.zeros((0, 3))
    term = demand.make_term(demand.pulled)
    if not isinstance(term, PointTerm) or not shoulders & set(skeleton.chain(term.spot.joint)):
        return np.zeros((0, 3))
    limb, lengths = limb_of(skeleton, term.spot.joint), np.linalg.norm(skeleton.offsets, axis=1)
    own = lengths[limb[1:]].sum() + np.linalg.norm(term.spot.offset)
    reach = own + LEANT * lengths[skeleton.chain(limb[0])[1:]].sum()
    top = setting.source_world[0][demand.pulled, limb[0]]
    given = np.isfinite(np.broadcast_to(term.deviations, term.targets.shape))
    away = np.where(given, term.targets - top, 0.0)
    over = away * [1.0, 0.0, 1.0]
    ground = np.linalg.norm(over, axis=1)
    beyond = ground - np.sqrt(np.maximum(reach**2 - away[:, 1] ** 2, 0.0))
    sway = np.clip(np.minimum(beyond, TOO_FAR - beyond), 0.0, SWAY)
    return over * (sway / np.maximum(ground, 1e-9))[:, None]
