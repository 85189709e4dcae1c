"""Bending of joined frames to their places on the ground, and planting of their feet."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.assembly.results.result import Part
from motionloom.assembly.results.spelling import count
from motionloom.constraints import (
    BentMotion,
    FootplantSettings,
    GroundTarget,
    PathSettings,
    PlantReport,
    bend_path,
    correct_overstretch,
    plant_feet,
)
from motionloom.constraints.bend_limits import BendLimits
from motionloom.constraints.carried_supports import lay_under_planted
from motionloom.constraints.footplants import Missed
from motionloom.features.feet import foot_points
from motionloom.motion import Footing, Motion

USUAL_FEET = FootplantSettings()
LIMITS = BendLimits()
ROUNDING = 1e-9  # share of what is allowed
STEP_ALLOWED = 1.0  # millimetres that a planted point may move between two frames
POSITION_ALLOWED = 0.01  # metres from a place
HEADING_ALLOWED = 2.0  # degrees from a heading


@dataclass(frozen=True, eq=False)
class PlantedMotion:
    """A motion at its places with its feet planted, with parts and notes of the report."""

    motion: Motion
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()
    footing: Footing = field(default_factory=Footing)  # what its feet stand on besides the floor


def bend_and_plant(
    motion: Motion,
    contacts: np.ndarray,
    footplants: FootplantSettings | None,
    targets: Sequence[GroundTarget] = (),
    locked: Sequence[int] = (),
    footing: Footing | None = None,
    heels: np.ndarray | None = None,
) -> PlantedMotion:
    """Bend a motion to its places, if there are any, and plant its feet.

    Knees and elbows that joins left beyond straight are brought back first.

    Args:
        motion: F frames.
        contacts: (F, 4) bool.
        footplants: how feet are planted; None to leave them.
        targets: where to be in which frame.
        locked: frames whose root and feet planting leaves as they are.
        footing: what the feet stand on besides the floor; None for nothing.
        heels: (2, 3) heel offsets, of what locked frames were planted with; None for those of this motion.
    """
    footing = footing or Footing()
    straightened = correct_overstretch(motion)
    motion, notes = straightened.motion, straightened.sentences()
    planting = footplants if contacts.any() else None
    allowed = max(STEP_ALLOWED, _step_of_locked(motion, contacts, locked, heels))
    if targets:
        settings = PathSettings(planting=planting or USUAL_FEET, limits=LIMITS)
        flags = None if planting is None else contacts
        bent = bend_path(motion, targets, flags, footing=footing, locked=locked, heels=heels, settings=settings)
        allowed = max(allowed, _step_of_locked(bent.motion, contacts, locked, heels, among_themselves=True))
        feet = () if bent.report.planting is None else (feet_part(bent.report.planting, allowed),)
        parts = (*target_parts(bent, motion.fps), *feet)
        return PlantedMotion(bent.motion, parts, (*notes, *_describe_bend(bent)), bent.footing)
    if planting is None:
        return PlantedMotion(motion, notes=notes, footing=footing)
    planted = plant_feet(motion, contacts, footing=footing, locked=locked, heels=heels, settings=planting)
    footing = lay_under_planted(footing, motion, planted.motion, contacts)
    return PlantedMotion(planted.motion, (feet_part(planted.report, allowed),), notes, footing)


def feet_part(report: PlantReport, allowed: float = STEP_ALLOWED) -> Part:
    """Whether planted feet stay where they are, as a part of the report.

    Args:
        report: of planting.
        allowed: millimetres that a planted point may move between two frames.
    """
    far = [miss for miss in report.missed if miss.out_of_reach_mm > 0]
    near = [miss for miss in report.missed if not miss.out_of_reach_mm > 0]
    words = (_misses(far, "is out of reach", "are out of reach"), _misses(near, "gives way", "give way"))
    why = "; ".join(filter(None, words))
    met = report.farthest_after_mm <= allowed * (1 + ROUNDING)
    if not met and not why:
        why = "feet glide where locked frames disagree" if report.disagreements else "feet glide"
    return Part("planted feet stay", report.farthest_after_mm, "mm per frame", allowed, met, why)


def _misses(missed: Sequence[Missed], one: str, many: str) -> str:
    """How many plants are not met, in how many frames of the motion, and by how much; "" where all are."""
    if not missed:
        return ""
    frames = {frame for miss in missed for frame in miss.frames}  # heel and ball, left and right share them
    farthest = max(miss.millimetres for miss in missed)
    verb = one if len(missed) == 1 else many
    return f"{count(len(missed), 'plant')} {verb} in {count(len(frames), 'frame')}, by up to {farthest:.0f} mm"


def target_parts(bent: BentMotion, fps: float) -> tuple[Part, ...]:
    """How far the body is from each of its places, and from each of its headings."""
    parts = []
    for outcome in bent.report.outcomes:
        when = f"at {outcome.frame / fps:.2f} s"
        misses = (
            ("position", outcome.target.position, outcome.position_miss, "m", POSITION_ALLOWED),
            ("heading", outcome.target.heading, float(np.degrees(outcome.heading_miss)), "deg", HEADING_ALLOWED),
        )
        for what, asked, miss, unit, allowed in misses:
            if asked is not None:
                met = miss <= allowed
                why = "" if met else outcome.why_not
                parts.append(Part(f"{what} {when}", miss, unit, allowed, met, why, outcome.frame))
    return tuple(parts)


def _describe_bend(bent: BentMotion) -> tuple[str, ...]:
    """A sentence on what bending changed, beside its limits; none where that is nothing."""
    change = bent.report.distortion
    if change is None or round(100 * change.moved) == 0:
        return ()
    rows = (
        ("longer", change.longer, LIMITS.longer),
        ("shorter", change.shorter, LIMITS.shorter),
        ("to the side", change.aside, LIMITS.aside),
    )
    seen = [row for row in rows if round(100 * row[1])]
    steps = [f"{100 * share:.0f} % {name} (limit {100 * most:.0f} %)" for name, share, most in seen]
    words = [f"path bent to its places by up to {change.moved:.2f} m"]
    words += [f"steps up to {', '.join(steps)}"] if steps else []
    if change.turn_rate:
        rate, most = np.degrees([change.turn_rate, LIMITS.turn_rate])
        words.append(f"turns up to {rate:.0f} degrees per second (limit {most:.0f})")
    return (", ".join(words),)


def _step_of_locked(
    motion: Motion,
    contacts: np.ndarray,
    locked: Sequence[int],
    heels: np.ndarray | None,
    *,
    among_themselves: bool = False,
) -> float:
    """Millimetres that planted points move, at most, from or to frames that must stay as they are, or between them."""
    if not len(locked) or not contacts.any():
        return 0.0
    stays = np.zeros(motion.n_frames, bool)
    stays[np.asarray(locked)] = True
    concerned = stays[1:] & stays[:-1] if among_themselves else stays[1:] | stays[:-1]
    counts = (contacts[1:] & contacts[:-1]) & concerned[:, None]
    steps = np.linalg.norm(np.diff(foot_points(motion, 0.0, heels=heels), axis=0), axis=-1)[counts]
    return 1000 * float(steps.max(initial=0.0))
