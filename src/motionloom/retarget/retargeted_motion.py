"""Retargeting a motion: carried to another skeleton, feet planted, hands placed, with a report."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.footplants import FootplantSettings, plant_feet
from motionloom.constraints.overstretch import correct_overstretch
from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, foot_points, has_points, heel_offsets
from motionloom.features.floor import check_floor
from motionloom.motion import Footing, Ground, Motion, Skeleton, check_motion
from motionloom.retarget.calmed_spikes import calm_spikes
from motionloom.retarget.carried_footing import carry_footing, lay_under_feet, raise_to_kept_heights
from motionloom.retarget.carried_rotations import carry_motion
from motionloom.retarget.hand_places import has_hands, place_hands
from motionloom.retarget.held_feet import HeldFeet
from motionloom.retarget.joint_map import REST, RetargetMap, plan_retarget
from motionloom.retarget.neutral_pose import learn_bends
from motionloom.retarget.report import RetargetReport
from motionloom.retarget.settings import DEFAULT, RetargetSettings
from motionloom.retarget.settled_feet import settle_feet
from motionloom.retarget.sizes import resized_footing, resized_motion
from motionloom.retarget.twist_joints import spread_twists

# Of the leg's length above its rest height from which a planted point is left there. What feet stand on is known here,
# so a point that is less high is so by the proportions.
OTHER_SUPPORT = 0.07


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A motion on another skeleton, and what goes along with it."""

    motion: Motion
    contacts: np.ndarray | None  # (F, 4) bool: heels and balls that rest; None if none were given
    footing: Footing  # what they rest on
    floor_height: float  # metres, world: that of the source
    report: RetargetReport


def retarget_motion(
    motion: Motion,
    skeleton: Skeleton,
    *,
    floor_height: float = 0.0,
    contacts: np.ndarray | None = None,
    footing: Footing | None = None,
    settings: RetargetSettings = DEFAULT,
    scale: float | None = None,
    plan: RetargetMap | None = None,
) -> Retargeted:
    """Carry a motion to another skeleton: bones point where they did, feet stand where they did, in the new size.

    Joints are matched by their roles; see `plan_retarget`. Places over the ground scale by leg length, about the
    origin; the floor stays where it is. A skeleton's own motion comes back unchanged.

    Args:
        motion: of a skeleton with hips, head and legs.
        skeleton: to retarget to.
        floor_height: metres, world; of the motion, and of the result.
        contacts: (F, 4) bool, heels and balls that rest; None to plant no feet.
        footing: what they rest on besides the floor; None for nothing.
        settings: what is kept.
        scale: of places over the ground, shared by motions that belong together; None for that of the legs.
        plan: of the two skeletons, if it is made already; None to make it here.
    """
    motion = check_motion(motion)
    check_floor(floor_height)
    flags = _check_contacts(motion, skeleton, contacts)
    plan = _check_plan(motion, skeleton, plan)
    scale = plan.ratio if scale is None else _check_scale(scale)
    carried = carry_motion(motion, plan, floor_height, scale)
    footing = Footing(Ground(floor_height)) if footing is None else footing
    heights = 1.0 if settings.keep_heights else plan.ratio
    ground = carry_footing(footing, floor_height, scale, heights)
    if flags is not None and heights != plan.ratio and not footing.is_flat:
        carried = raise_to_kept_heights(motion, carried, flags, footing, floor_height, plan.ratio)
    if flags is not None:
        ground = lay_under_feet(ground, footing, motion, carried, flags, floor_height)
    report = _begin_report(plan, scale)
    if plan.is_same and scale == 1.0:
        return Retargeted(carried, flags, ground, floor_height, report)
    feet = None
    if settings.plant:
        carried, feet, report = _plant(motion, carried, flags, (footing, ground), floor_height, report)
    if has_hands(plan) and (settings.keep_touches or settings.hands != "body"):
        placed = place_hands(motion, carried, plan, floor_height, scale, settings)
        carried = placed.motion
        report = replace(report, touches=placed.touches, hands_out_of_reach_mm=placed.out_of_reach_mm)
    if settings.plant:
        carried = calm_spikes(motion, carried, feet)
    if not plan.is_same:
        carried = spread_twists(carried, plan.twist_joints, plan.neutral)
    return Retargeted(carried, flags, ground, floor_height, report)


def _begin_report(plan: RetargetMap, scale: float) -> RetargetReport:
    twisted = {each.joint for each in plan.twist_joints}
    names = enumerate(plan.target.names)
    at_rest = tuple(name for joint, name in names if plan.kinds[joint] == REST and joint not in twisted)
    return RetargetReport(scale, plan.ratio, at_rest)


def _plant(
    source: Motion,
    carried: Motion,
    contacts: np.ndarray | None,
    footings: tuple[Footing, Footing],
    floor_height: float,
    report: RetargetReport,
) -> tuple[Motion, HeldFeet | None, RetargetReport]:
    """Bring limbs beyond straight back, calm jolts and plant resting feet; footings are those before and after.

    Feet are planted in the size of the source, whose speeds and heights decided what rests.
    """
    straightened = correct_overstretch(carried)
    report = replace(report, overstretched=straightened.sentences())
    calmed = calm_spikes(source, straightened.motion)
    if contacts is None or not contacts.any():
        return calmed, None, report
    ratio, skeleton = report.ratio, carried.skeleton
    shrunk = resized_motion(calmed, skeleton.scaled(1 / ratio), 1 / ratio, floor_height)
    footing = resized_footing(footings[1], 1 / ratio, floor_height)
    settled = settle_feet(source, shrunk, contacts, (footings[0], footing), floor_height)
    heels = heel_offsets(resized_motion(settled, skeleton, ratio, floor_height), floor_height, footings[1].ground)
    rules = FootplantSettings(other_support=OTHER_SUPPORT * source.skeleton.leg_length)
    planted = plant_feet(settled, contacts, floor_height, footing=footing, heels=heels / ratio, settings=rules)
    report = replace(report, footplants=len(planted.plants), missed_plants=len(planted.report.missed))
    result = resized_motion(planted.motion, skeleton, ratio, floor_height)
    return result, HeldFeet.of(result, contacts, foot_points(result, floor_height, heels=heels)), report


def _check_contacts(motion: Motion, skeleton: Skeleton, contacts: np.ndarray | None) -> np.ndarray | None:
    """The contacts of points that the target has: feet without toes have no balls."""
    if contacts is None:
        return None
    if np.shape(contacts) != (motion.n_frames, len(POINTS)):
        raise BadInput(f"contacts have shape {np.shape(contacts)}, expected {(motion.n_frames, len(POINTS))}")
    return np.asarray(contacts, bool) & has_points(skeleton)


def _check_plan(motion: Motion, skeleton: Skeleton, plan: RetargetMap | None) -> RetargetMap:
    if plan is None:
        return plan_retarget(motion.skeleton, skeleton, learn_bends(motion))
    if plan.source != motion.skeleton or plan.target != skeleton:
        raise BadInput("the plan is of other skeletons than those of the motion and the target; make it with them")
    return plan


def _check_scale(scale: float) -> float:
    if not (np.isfinite(scale) and scale > 0):
        raise BadInput(f"the scale of places must be positive and finite, got {scale}")
    return float(scale)
