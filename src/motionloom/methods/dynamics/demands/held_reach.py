"""Held reach: what an edit asks farther to the side than limbs reach pulls as if it were as far as they do.

The root of an edit stays where it was. Without this, a hand that is asked to be far away would drag it there.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.methods.dynamics.demands.asked_ground import AskedGround, asked_ground
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.methods.dynamics.demands.held_rest import free_joints, limb_of
from motionloom.methods.dynamics.demands.reach import is_of_root
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.methods.dynamics.terms.point_terms import DistanceTerm, PointTerm, ProjectionTerm
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, Skeleton, kinematics

LEAN = 0.8  # of the length of the trunk that it carries limbs to the side
SLACK = 0.02  # metres: deviation of what is far out of reach, so that it stretches limbs and leaves the root
EASE = 0.1  # metres of that for each metre beyond reach, at most all of it
GROUND = [0, 2]
TOO_FAR = "it is out of reach from where the body is; move the root too, or ask for a nearer place"


def within_reach(setting: BodySetting, demands: BodyDemands, raised: Motion) -> BodyDemands:
    """The demands of an edit, where those that are out of reach from where the root is asked to be pull less far.

    Args:
        setting: of the edit.
        demands: of it.
        raised: the motion that is edited, raised or swayed as far as is asked.
    """
    free = free_joints(setting, demands)
    if setting.request.hold.free is not None and 0 in free:
        return demands
    ground = asked_ground(setting, demands) if 0 in free else None
    start = Start(raised, ground)
    return replace(demands, parts=tuple(_brought(setting, demand, start) for demand in demands.parts))


@dataclass(frozen=True, eq=False)
class Start:
    """Where limbs begin."""

    motion: Motion  # raised and swayed
    ground: AskedGround | None  # where a root that is free takes it along to

    def tops(self, joint: int, frames: np.ndarray) -> np.ndarray:
        """(n, 3) metres of a joint in some frames."""
        own = replace(
            self.motion,
            root_positions=self.motion.root_positions[frames],
            local_rotations=self.motion.local_rotations[frames],
        )
        top = kinematics.world_positions(own)[:, joint]
        return top if self.ground is None else self.ground.taken_along(top, frames)


def _brought(setting: BodySetting, demand: Demand, start: Start) -> Demand:
    if not len(demand.pulled) or (start.ground is not None and is_of_root(setting.model.skeleton, demand)):
        return demand
    term = demand.make_term(demand.pulled)
    nearer = _nearer(setting, term, demand.pulled, start)
    if nearer is None:
        return demand
    return replace(
        demand,
        make_term=lambda rows: replace(nearer, rows=rows),
        out_of_reach=demand.out_of_reach or TOO_FAR,
    )


def _nearer(setting: BodySetting, term: Term, frames: np.ndarray, start: Start) -> PointTerm | DistanceTerm | None:
    """A term that pulls no farther than limbs reach; none where it does not anyway."""
    if isinstance(term, PointTerm):
        deviations = np.broadcast_to(term.deviations, term.targets.shape)
        return _held(setting, term.spot, frames, term.targets, deviations, start)
    if isinstance(term, ProjectionTerm):
        top, _ = _limb(setting, term.spot, frames, start)
        seen = term.camera.nearest(top, term.targets)
        return _held(setting, term.spot, frames, seen, np.full(seen.shape, SLACK), start)
    if isinstance(term, DistanceTerm) and isinstance(term.other, Spot):
        return _no_longer(term, bones_between(setting.model.skeleton, term.spot, term.other))
    if isinstance(term, DistanceTerm):
        top, _ = _limb(setting, term.spot, frames, start)
        away = top - term.other
        length = np.linalg.norm(away, axis=1)
        goal = term.other + away * (term.targets / np.maximum(length, 1e-9))[:, None]
        return _held(setting, term.spot, frames, goal, np.full(goal.shape, SLACK), start)
    return None


def _held(
    setting: BodySetting,
    spot: Spot,
    frames: np.ndarray,
    targets: np.ndarray,
    deviations: np.ndarray,
    start: Start,
) -> PointTerm | None:
    """A point at (n, 3) targets, brought within reach over the ground."""
    top, reach = _limb(setting, spot, frames, start)
    given = np.isfinite(deviations[:, GROUND])
    away = np.where(given, targets[:, GROUND] - top[:, GROUND], 0.0)
    far = np.linalg.norm(away, axis=1)
    beyond = np.maximum(far - reach, 0.0)
    if not beyond.any():
        return None
    brought = targets.copy()
    nearer = top[:, GROUND] + away * (reach / np.maximum(far, reach))[:, None]
    brought[:, GROUND] = np.where(given, nearer, targets[:, GROUND])
    return PointTerm(frames, spot, brought, deviations + _eased(beyond)[:, None])


def _no_longer(term: DistanceTerm, most: float) -> DistanceTerm | None:
    """Two points of the body no farther apart than the bones between them are long."""
    beyond = float(term.targets.max()) - most
    if beyond <= 0:
        return None
    return replace(term, targets=np.minimum(term.targets, most), deviation=term.deviation + float(_eased(beyond)))


def _eased(beyond: np.ndarray | float) -> np.ndarray:
    return np.minimum(EASE * np.asarray(beyond), SLACK)


def _limb(setting: BodySetting, spot: Spot, frames: np.ndarray, start: Start) -> tuple[np.ndarray, float]:
    """(n, 3) metres where the limb of a point begins in the edited motion, and how far it reaches from there."""
    skeleton = setting.model.skeleton
    limb = limb_of(skeleton, spot.joint)
    lengths = np.linalg.norm(skeleton.offsets, axis=1)
    own = float(lengths[limb[1:]].sum() + np.linalg.norm(spot.offset))
    trunk = float(lengths[skeleton.chain(limb[0])[1:]].sum())
    return start.tops(limb[0], frames), own + LEAN * trunk


def bones_between(skeleton: Skeleton, one: Spot, other: Spot) -> float:
    """Metres of the bones from one point of the body to another."""
    between = set(skeleton.chain(one.joint)) ^ set(skeleton.chain(other.joint))
    lengths = np.linalg.norm(skeleton.offsets[sorted(between)], axis=1)
    return float(lengths.sum() + np.linalg.norm(one.offset) + np.linalg.norm(other.offset))
