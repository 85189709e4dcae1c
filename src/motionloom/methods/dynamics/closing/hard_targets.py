"""Hard targets: what must hold is made to hold to a millimetre and a tenth of a degree."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints import IkSettings, OrientationTarget, PositionTarget, solve_ik
from motionloom.constraints.ik import IkReport
from motionloom.features.feet import columns_of
from motionloom.methods.dynamics.closing.bends import meet_bends
from motionloom.methods.dynamics.closing.legs import sides_with_legs
from motionloom.methods.dynamics.demands.contact_demands import RestingPoint, name_of_place
from motionloom.methods.dynamics.demands.demand import BendTarget, Demand, Finished, Target
from motionloom.methods.dynamics.demands.held_reach import TOO_FAR
from motionloom.methods.dynamics.demands.reach import is_fixed_to_root, is_of_root
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Motion, Skeleton

REACHING = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("elbow", "hand", "knee", "foot"))
IK = IkSettings(window=0.4)
QUICK_IK = replace(
    IK,
    settled=1e-3,
    most_steps=16,
    narrowing=(100.0, 1.0),
    position_tolerance=5e-4,
    is_continuous=False,
    explains=False,
)
ROUNDS = 4  # of bends and inverse kinematics: each meets its targets on a body that the others moved
FARTHEST = 5.0  # metres: towards what is farther limbs stretch the same way, but digits are lost
WORDS = {
    "out of reach": TOO_FAR,
    "held by joint limits": "joints would have to turn farther than bodies do; ask for a nearer place",
}

IkTarget = PositionTarget | OrientationTarget


def are_met(demands: Sequence[Demand], finished: Finished) -> bool:
    """Whether demands hold within their tolerances."""
    return worst_of(demands, finished) <= 1


def worst_of(demands: Sequence[Demand], finished: Finished) -> float:
    """The largest miss of any demand, in its tolerance."""
    return max((float(demand.measure(finished).max()) / (demand.tolerance or 1e-12) for demand in demands), default=0.0)


def around_missed(hard: Sequence[Demand], motion: Motion) -> list[Demand]:
    """Hard demands on limbs that are missed, and those that are disturbed when these are met.

    Those are near in time, and some joint but the root, which stays, moves both: a foot does not follow a hand. What is
    asked of the trunk is left to the next steps of the optimization: without the root it often cannot be met.
    """
    finished, skeleton = Finished.of(motion), motion.skeleton
    limbs = [demand for demand in hard if is_of_limb(skeleton, demand)]
    missed = [demand for demand in limbs if demand.measure(finished).max() > (demand.tolerance or 0.0)]
    if not missed:
        return []
    frames, reach = np.unique(np.concatenate([demand.frames for demand in missed])), 2 * IK.window * motion.fps
    near = [demand for demand in limbs if np.abs(demand.frames[:, None] - frames).min() <= reach]
    turned = set[int]().union(*(_turned_for(skeleton, demand) for demand in missed))
    return [demand for demand in near if turned & _turned_for(skeleton, demand)]


def is_of_limb(skeleton: Skeleton, demand: Demand) -> bool:
    """Whether a demand must hold, and arms and legs alone may meet it."""
    ends = {skeleton.index(role) for role in REACHING if skeleton.has(role)}
    return demand.is_hard and demand.joints <= ends


def _turned_for(skeleton: Skeleton, demand: Demand) -> set[int]:
    """The joints that inverse kinematics may turn for a demand."""
    return {above for joint in demand.joints for above in skeleton.chain(joint)} - {0}


def root_targets(motion: Motion, hard: Sequence[Demand], others: Sequence[RestingPoint]) -> list[IkTarget]:
    """What is asked of the root itself and of joints fixed to it, and of points of it that rest."""
    finished, skeleton = Finished.of(motion), motion.skeleton
    aims: list[Target] = [
        _resting_target(motion, finished, point) for point in others if is_fixed_to_root(skeleton, point.spot)
    ]
    for demand in hard:
        if is_of_root(skeleton, demand) and demand.aim is not None:
            aims += demand.aim(finished)
    found: list[IkTarget] = []
    for aim in aims:
        if isinstance(aim, PositionTarget) and skeleton.index(aim.joint) != 0:
            aim = replace(aim, joint=skeleton.names[0], offset=skeleton.offsets[skeleton.index(aim.joint)])
        if not isinstance(aim, BendTarget):
            found.append(aim)
    return found


def meet_targets(
    motion: Motion,
    hard: Sequence[Demand],
    others: Sequence[RestingPoint],
    locked: Sequence[int],
    flags: np.ndarray,
    quick: bool = False,
) -> tuple[Motion, dict[str, str]]:
    """Bends and inverse kinematics, one after the other, until all is met; what cannot be comes as near as it can.

    Args:
        motion: to change.
        hard: what must hold.
        others: points that rest and are not of feet.
        locked: frames in which nothing else may change.
        flags: (F, 4) bool: feet that rest, which legs with targets at other times leave where they are.
        quick: go no nearer to what cannot be met than the first round brings it.

    Returns:
        The motion, and why a demand is not met, by its name.
    """
    hard = [demand for demand in hard if not is_of_root(motion.skeleton, demand)]
    others = [point for point in others if not is_fixed_to_root(motion.skeleton, point.spot)]
    reasons: dict[str, str] = {}
    if not hard and not others:
        return motion, reasons
    for _ in range(ROUNDS):
        finished = Finished.of(motion)
        aims, bends, owners = list[IkTarget](), list[BendTarget](), list[str]()
        for demand in hard:
            assert demand.aim is not None
            for aim in demand.aim(finished):
                if isinstance(aim, BendTarget):
                    bends.append(aim)
                else:
                    aims.append(_filled(aim, finished))
                    owners.append(demand.name)
        motion = meet_bends(motion, bends)
        aims += [_resting_target(motion, finished, point) for point in others]
        owners += [name_of_place(point, motion.fps) for point in others]
        if aims:
            guards = _guards(motion, aims, locked, flags)
            solved = solve_ik(motion, [*aims, *guards], settings=QUICK_IK if quick else IK)
            motion, reasons = solved.motion, _reasons(solved.report, owners)
        if (quick and not bends) or are_met(hard, Finished.of(motion)):
            break
    return motion, reasons


def _filled(aim: IkTarget, finished: Finished) -> IkTarget:
    """A target whose free axes, which are nan, are where the point is; one that is far away is brought nearer."""
    if isinstance(aim, OrientationTarget):
        return aim
    offset = np.asarray(aim.offset, float)
    spot = Spot(finished.motion.skeleton.index(aim.joint), (float(offset[0]), float(offset[1]), float(offset[2])))
    own = finished.at(spot, np.asarray(aim.frames))
    wanted = own if aim.position is None else np.asarray(aim.position, float)
    away = np.nan_to_num(wanted - own)
    length = np.linalg.norm(away, axis=1, keepdims=True)
    return replace(aim, position=own + away * (FARTHEST / np.maximum(length, FARTHEST)))


def _resting_target(motion: Motion, finished: Finished, point: RestingPoint) -> PositionTarget:
    frames = np.arange(point.start, point.stop)
    places = finished.at(point.spot, frames)
    goal = np.where(np.isfinite(point.position), point.position, np.median(places, axis=0))
    name = motion.skeleton.names[point.spot.joint]
    return PositionTarget(name, frames, np.tile(goal, (len(frames), 1)), point.spot.offset)


def _guards(
    motion: Motion, aims: Sequence[IkTarget], locked: Sequence[int], flags: np.ndarray
) -> list[PositionTarget | OrientationTarget]:
    """That limbs with targets stay as they are in locked frames, and their feet where they rest."""
    skeleton = motion.skeleton
    asked = {skeleton.index(aim.joint): set[int]() for aim in aims}
    for aim in aims:
        asked[skeleton.index(aim.joint)] |= set(np.atleast_1d(np.asarray(aim.frames)).tolist())
    guards: list[PositionTarget | OrientationTarget] = []
    for joint, frames in asked.items():
        kept = np.array(sorted(set(locked) - frames), int)
        if len(kept):
            guards.append(PositionTarget(skeleton.names[joint], kept))
    for side in sides_with_legs(skeleton):
        ankle, hip = skeleton.index(f"{side}_foot"), skeleton.index(f"{side}_hip")
        of_leg = [frames for joint, frames in asked.items() if hip in skeleton.chain(joint)]
        if of_leg:
            resting = np.flatnonzero(flags[:, columns_of(side)].any(axis=1))
            asked_of = np.array(sorted(set[int]().union(*of_leg)))
            away = np.abs(resting[:, None] - asked_of).min(axis=1, initial=motion.n_frames)
            kept = resting[(away > 0) & (away <= IK.window * motion.fps)]  # others do not change
            if len(kept):
                name = skeleton.names[ankle]
                guards += [PositionTarget(name, kept), OrientationTarget(name, kept)]
    return guards


def _reasons(report: IkReport, owners: Sequence[str]) -> dict[str, str]:
    """Why targets were not met; of those that contradict others, which. Targets without an owner come last."""
    missed = [number for number in range(len(owners)) if not report.outcomes[number].met.all()]
    reasons: dict[str, str] = {}
    for number in missed:
        outcome = report.outcomes[number]
        word = next(reason for reason, met in zip(outcome.reasons, outcome.met) if not met)
        if word == "contradicts other targets":
            frames = set(outcome.frames[~outcome.met].tolist())
            rivals = [
                owners[other]
                for other in range(len(owners))
                if owners[other] != owners[number] and frames & set(report.outcomes[other].frames.tolist())
            ]
            beside = f"'{rivals[0]}'" if rivals else "the others"
            reasons[owners[number]] = f"it contradicts {beside} in the same frames; let one of them be not `hard`"
        else:
            reasons[owners[number]] = WORDS.get(word, word)
    return reasons
