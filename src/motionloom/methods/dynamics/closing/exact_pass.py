"""Exact pass: what must hold is made to hold to a millimetre and a tenth of a degree; feet are planted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.constraints import (
    IkSettings,
    OrientationTarget,
    PositionTarget,
    correct_overstretch,
    plant_feet,
    solve_ik,
)
from motionloom.constraints.ik import IkReport
from motionloom.corpus import compute_layers
from motionloom.methods.dynamics.closing.kept_feet import keep_feet
from motionloom.methods.dynamics.closing.key_poses import meet_keys
from motionloom.methods.dynamics.demands.contact_demands import Contacts
from motionloom.methods.dynamics.demands.demand import Demand, Finished
from motionloom.methods.dynamics.demands.point_demands import positions_of
from motionloom.methods.dynamics.demands.raised_contacts import footing_of
from motionloom.methods.dynamics.demands.read_demands import Demands
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.motion import Footing, Motion, kinematics, rotations
from motionloom.tasks import Stop, check_stop

IK = IkSettings(window=0.4)
ROUNDS = 2  # of inverse kinematics: the second meets targets on bodies that the first one moved
WORDS = {
    "out of reach": "it is out of reach from where the body is; move the root too, or ask for a nearer place",
    "held by joint limits": "joints would have to turn farther than bodies do; ask for a nearer place",
}


@dataclass(frozen=True, eq=False)
class Closed:
    """A finished motion, and what the last pass did."""

    motion: Motion
    contacts: np.ndarray  # (F, 4) bool
    footing: Footing  # what feet stand on that were asked to rest above the floor
    reasons: Mapping[str, str]  # why hard demands are not met, by their names
    changed: "Change"


@dataclass(frozen=True)
class Change:
    """How far the last pass moved joints."""

    mean: float  # metres over joints and frames
    most: float  # metres
    degrees: float  # the largest turn of a joint


def close(
    setting: Setting, demands: Demands, motion: Motion, *, quick: bool = False, stop: Stop | None = None
) -> Closed:
    """Meet what is hard, and plant the feet.

    Args:
        setting: of the request.
        demands: of the request.
        motion: that was optimized.
        quick: leave the feet as they are where nothing was said of them, and what holds already.
        stop: asked between steps.
    """
    before = motion
    if setting.source is not None and demands.are_empty:
        return Closed(setting.source, setting.source_contacts, Footing(), {}, Change(0.0, 0.0, 0.0))
    if setting.source is None:
        motion = correct_overstretch(motion).motion
    # what the prior says nothing of costs nothing to meet exactly
    keys = [key for key in demands.keys if key.is_hard or not np.isfinite(key.vector).any()]
    if keys:
        motion = meet_keys(motion, keys)
    check_stop(stop)
    footing = footing_of(demands.contacts, Finished.of(motion), setting.model.ball_height)
    motion, flags = _feet(setting, demands, motion, footing, [key.frame for key in keys], quick)
    check_stop(stop)
    hard = [demand for demand in demands.parts if demand.is_hard and demand.aim is not None]
    if quick:
        hard = _around_missed(hard, motion)
    reasons: dict[str, str] = {}
    if hard or demands.contacts.others:
        motion, reasons = _reach(motion, hard, demands.contacts)
    return Closed(motion, flags, footing, reasons, change_of(before, motion))


def _around_missed(hard: Sequence[Demand], motion: Motion) -> list[Demand]:
    """Hard demands that are missed, and those near enough in time to be disturbed when these are met."""
    finished = Finished.of(motion)
    missed = [demand.frames for demand in hard if demand.measure(finished).max() > (demand.tolerance or 0.0)]
    if not missed:
        return []
    frames, reach = np.unique(np.concatenate(missed)), 2 * IK.window * motion.fps
    return [demand for demand in hard if np.abs(demand.frames[:, None] - frames).min() <= reach]


def change_of(before: Motion, after: Motion) -> Change:
    """How far joints of one motion are from those of another."""
    moved = np.linalg.norm(kinematics.world_positions(after) - kinematics.world_positions(before), axis=-1)
    turned = rotations.angle_between(after.local_rotations, before.local_rotations)
    return Change(float(moved.mean()), float(moved.max()), float(np.degrees(turned.max())))


def _feet(
    setting: Setting, demands: Demands, motion: Motion, footing: Footing, locked: Sequence[int], quick: bool
) -> tuple[Motion, np.ndarray]:
    contacts, asked = demands.contacts, setting.request.feet
    has_legs = motion.skeleton.has("left_hip", "left_knee", "left_foot", "right_hip", "right_knee", "right_foot")
    if asked == "free" or not has_legs:
        return motion, contacts.flags
    if setting.source is not None and not contacts.is_given:
        return keep_feet(motion, setting.source, contacts, demands.parts), contacts.flags
    flags = contacts.flags
    if not contacts.is_given and not quick:
        flags = compute_layers(motion, 0.0, ["contacts"])["contacts"]
    if not flags.any():
        return motion, flags
    heels = setting.model.heels if np.isfinite(setting.model.heels).all() else None
    planted = plant_feet(motion, flags, footing=footing, locked=sorted(set(locked)), heels=heels)
    return planted.motion, flags


def _reach(motion: Motion, hard: Sequence[Demand], contacts: Contacts) -> tuple[Motion, dict[str, str]]:
    reasons: dict[str, str] = {}
    for _ in range(ROUNDS):
        finished = Finished.of(motion)
        aims: list[PositionTarget | OrientationTarget] = []
        owners: list[str] = []
        for demand in hard:
            assert demand.aim is not None
            found = demand.aim(finished)
            aims += found
            owners += [demand.name] * len(found)
        for point in contacts.others:
            frames = np.arange(point.start, point.stop)
            places = positions_of(finished, point.spot, frames)
            goal = np.where(np.isfinite(point.position), point.position, np.median(places, axis=0))
            name = motion.skeleton.names[point.spot.joint]
            aims.append(PositionTarget(name, frames, goal, point.spot.offset))
            owners.append(point.name)
        solved = solve_ik(motion, aims, settings=IK)
        motion, reasons = solved.motion, _reasons(solved.report, owners)
        if solved.report.all_met:
            break
    return motion, reasons


def _reasons(report: IkReport, owners: Sequence[str]) -> dict[str, str]:
    """Why targets were not met; of those that contradict others, which."""
    missed = [number for number, outcome in enumerate(report.outcomes) if not outcome.met.all()]
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
