"""Exact pass of bodies: what must hold is made to hold to a millimetre and a tenth of a degree; feet are planted."""

from collections.abc import Sequence

import numpy as np

from motionloom.constraints import correct_overstretch, plant_feet
from motionloom.corpus import compute_layers
from motionloom.features.feet import foot_points
from motionloom.methods.dynamics.closing.closed import Closed
from motionloom.methods.dynamics.closing.hard_targets import (
    IkTarget,
    are_met,
    around_missed,
    meet_targets,
    root_targets,
    worst_of,
)
from motionloom.methods.dynamics.closing.kept_feet import keep_feet
from motionloom.methods.dynamics.closing.key_poses import meet_keys
from motionloom.methods.dynamics.closing.legs import sides_with_legs
from motionloom.methods.dynamics.closing.placed_steps import of_foot, place_steps
from motionloom.methods.dynamics.closing.root_targets import meet_root
from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.contact_demands import Contacts, RestingPoint, flags_of
from motionloom.methods.dynamics.demands.demand import Demand, Finished
from motionloom.methods.dynamics.demands.raised_contacts import footing_of
from motionloom.methods.dynamics.demands.reach import is_of_root
from motionloom.methods.dynamics.demands.read_demands import BodyDemands
from motionloom.motion import Footing, Motion
from motionloom.tasks import Stop, check_stop

ROUNDS = 2  # the second plants feet on a body that hard targets moved
MOST_ROUNDS = 6  # of them, while they bring what is missed nearer by a good part
GOOD_PART = 0.5  # of what was missed, that is left of it


def close_body(
    setting: BodySetting, demands: BodyDemands, motion: Motion, *, quick: bool = False, stop: Stop | None = None
) -> Closed:
    """Meet what is hard, and plant the feet.

    Args:
        setting: of the request.
        demands: of the request.
        motion: that was optimized.
        quick: leave feet where the optimization put them, unless an edit holds them, and what holds already.
        stop: asked between steps.
    """
    before = motion
    if setting.source is not None and demands.are_empty:
        return Closed(setting.source, setting.source_contacts, Footing(), {}, setting.source)
    if setting.source is None and not quick:
        motion = correct_overstretch(motion).motion
    # what the prior says nothing of costs nothing to meet exactly
    keys = [key for key in demands.keys if key.is_hard or not np.isfinite(key.vector).any()]
    if keys:
        motion = meet_keys(motion, keys)
    locked = sorted({key.frame for key in keys if key.is_hard})
    hard = [demand for demand in demands.parts if demand.is_hard and demand.aim is not None]
    others = _others(motion, demands.contacts)
    footing = footing_of(demands.contacts, Finished.of(motion), setting.model.ball_height)
    promised = [demand for demand in demands.parts if demand.is_hard or demand.is_rest]
    missed = np.inf
    for number in range(MOST_ROUNDS):
        check_stop(stop)
        motion, flags = _feet_and_root(setting, demands, motion, footing, hard, others, locked, quick)
        check_stop(stop)
        wanted = around_missed(hard, motion) if quick else hard
        motion, reasons = meet_targets(motion, wanted, others, locked, flags, quick)
        if quick:
            break
        before_this, missed = missed, worst_of(promised, Finished.of(motion))
        if missed <= 1 or (number + 1 >= ROUNDS and missed > GOOD_PART * before_this):
            break
    return Closed(motion, flags, footing, reasons, before)


def _others(motion: Motion, contacts: Contacts) -> list[RestingPoint]:
    """What rests that is not of a foot of a leg."""
    ankles = [motion.skeleton.index(f"{side}_foot") for side in sides_with_legs(motion.skeleton)]
    return [point for point in contacts.others if not any(of_foot(motion, point, ankle) for ankle in ankles)]


def _feet_and_root(
    setting: BodySetting,
    demands: BodyDemands,
    motion: Motion,
    footing: Footing,
    hard: Sequence[Demand],
    others: Sequence[RestingPoint],
    locked: Sequence[int],
    quick: bool,
) -> tuple[Motion, np.ndarray]:
    """The root where it has to be, feet at rest: it yields to legs that are too short, unless it is `hard` or rests."""
    targets = root_targets(motion, hard, others)
    motion = meet_root(motion, targets, locked)
    if quick:  # at once, what is found at last where legs are too short
        return _feet(setting, demands, motion, footing, _with_frames(locked, targets), quick)
    found, flags = _feet(setting, demands, motion, footing, locked, quick)
    of_root = [
        demand for demand in demands.parts if (demand.is_hard or demand.is_rest) and is_of_root(motion.skeleton, demand)
    ]
    if not are_met(of_root, Finished.of(found)):
        targets = root_targets(found, hard, others)
        motion = meet_root(found, targets, locked)
        found, flags = _feet(setting, demands, motion, footing, _with_frames(locked, targets), quick)
    return found, flags


def _with_frames(locked: Sequence[int], targets: Sequence[IkTarget]) -> list[int]:
    """Locked frames, and those of targets."""
    return sorted({*locked, *(int(frame) for target in targets for frame in np.atleast_1d(np.asarray(target.frames)))})


def _feet(
    setting: BodySetting, demands: BodyDemands, motion: Motion, footing: Footing, locked: Sequence[int], quick: bool
) -> tuple[Motion, np.ndarray]:
    contacts, asked = demands.contacts, setting.request.feet
    has_legs = sides_with_legs(motion.skeleton) == ["left", "right"]
    if asked == "free" or not has_legs:
        return motion, contacts.flags
    flags = flags_of(contacts.given, motion.n_frames)
    if setting.source is None and not contacts.is_given and not quick:
        flags = compute_layers(motion, 0.0, ["contacts"])["contacts"]
    if not quick:
        motion, flags = _plant(setting, contacts.given, motion, footing, flags, locked)
    if setting.source is not None and contacts.kept.points:
        motion = keep_feet(motion, setting.source_world, contacts.kept, demands.parts, locked, given=flags)
    return motion, flags | contacts.kept.flags


def _plant(
    setting: BodySetting,
    points: Sequence[RestingPoint],
    motion: Motion,
    footing: Footing,
    flags: np.ndarray,
    locked: Sequence[int],
) -> tuple[Motion, np.ndarray]:
    """Feet at rest where the request lets them, and which of them could be planted."""
    heels = setting.model.heels if np.isfinite(setting.model.heels).all() else None
    # a foot without toes has no ball to plant it by
    flags = flags & ~np.isnan(foot_points(motion, 0.0, heels=heels)).any(axis=(0, 2))
    if not flags.any():
        return motion, flags
    floor = min([0.0, *(point.position[1] for point in points if np.isfinite(point.position[1]))])
    planted = plant_feet(motion, flags, floor, footing=footing, locked=locked, heels=heels).motion
    return place_steps(planted, points, locked), flags
