"""Judging: how well what was built is what was asked for, and why something is missed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from motionloom.assembly import Answer, Part, Performed, Result, measure_performed
from motionloom.assembly.requests.times import frames_of
from motionloom.features.facing import find_facing
from motionloom.methods.buildup.hits.hit_parts import hit_details, hit_parts, nearness_lines
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Edit, Step
from motionloom.methods.buildup.search import BuiltCharacter, State
from motionloom.methods.buildup.sequence.edits import frame_passed, what_took_out
from motionloom.methods.buildup.sequence.steps import HEADING_WITHIN, TakenStep
from motionloom.motion import Motion, PointMotion, kinematics
from motionloom.motion.angles import wrap_angle
from motionloom.tasks import Stop, check_stop

EXACT_METRES, EXACT_DEGREES = 0.01, 0.5


def judge(
    performed: Performed[State],
    model: Model,
    *,
    quick: bool = False,
    others: Sequence[Answer[State]] = (),
    stop: Stop | None = None,
) -> Result:
    """The result of a performed answer, with its report.

    Args:
        performed: from `perform`.
        model: that the answer was found with.
        quick: leave out what takes long: quality.
        others: answers whose last step goes another way, for the report.
        stop: asked once; if it answers True, `Stopped` is raised.
    """
    check_stop(stop)
    result = measure_performed(performed, model.yardsticks, quick=quick)
    parts = [
        part
        for character, played in zip(performed.answer.state.characters, performed.played)
        for part in _character_parts(model, character, body_of(played.motion))
    ]
    motions = {played.name: body_of(played.motion) for played in performed.played}
    details: list[dict[str, Any]] = []
    for character, played in zip(performed.answer.state.characters, performed.played):
        why_not = [taken.far or taken.why_not for taken in character.taken]
        built, sequence = character.built, character.sequence
        parts += hit_parts(model, built, sequence, played, motions, why_not)
        details += hit_details(built, sequence, body_of(played.motion), motions)
    near = [] if quick else nearness_lines(performed.played, model.fps)
    lasting = ", ".join(f"{other.costs['seconds']:.2f} s" for other in others)
    notes = [note for character in performed.answer.state.characters for note in _taken_out(character)]
    notes += [f"other ways last {lasting} in all"] if others else []
    report = replace(
        result.report,
        parts=(*parts, *result.report.parts),
        quality=(*result.report.quality, *near),
        notes=(*result.report.notes, *notes),
        details={**result.report.details, "hits": details},
    )
    return replace(result, report=report)


def body_of(motion: Motion | PointMotion) -> Motion:
    """The motion of a body; build-up makes no others."""
    assert isinstance(motion, Motion)
    return motion


def _character_parts(model: Model, character: BuiltCharacter, motion: Motion) -> list[Part]:
    named = f"{character.built.name}: " if character.built.name else ""
    headings, ground = find_facing(motion.skeleton, kinematics.world_positions(motion))
    parts = []
    for number, (step, taken) in enumerate(zip(character.built.steps, character.taken)):
        name = f"{named}step {number + 1} {step.describe()}"
        if taken.stretch is None:
            parts.append(Part(f"{name}: taken", 0.0, "", None, False, taken.why_not))
            continue
        if not character.sequence.has_end_of(number):  # an edit took it out, which notes say
            continue
        frame = character.sequence.end_of_step(number)
        parts += _step_parts(model, name, step, taken, frame, (ground[frame], float(headings[frame])))
    for number, made in enumerate(character.edits):
        passed = frame_passed(character.edits, number)
        if passed is not None:
            name = f"{named}{made.describe(number)}"
            parts += _passed_parts(model, name, made.edit, passed, (ground[passed], float(headings[passed])))
    kept = [(number, made) for number, made in enumerate(character.edits) if made.bridge is None]
    return [
        *parts,
        *(Part(f"{named}{made.describe(number)}: made", 0.0, "", None, False, made.why_not) for number, made in kept),
    ]


def _taken_out(character: BuiltCharacter) -> list[str]:
    """What edits took out that was asked for before them: it was meant to go, so it is not missed."""
    named, made = f"{character.built.name}: " if character.built.name else "", character.edits
    found = list[tuple[int | None, str]]()
    for number, step in enumerate(character.built.steps):
        if character.unedited.has_end_of(number):
            end = character.unedited.end_of_step(number)
            found.append((what_took_out(made, end), f"the end of step {number + 1} {step.describe()}"))
    for number, edit in enumerate(made):
        found.append((what_took_out(made, edit.passed, number + 1), f"the pose of {edit.describe(number)}"))
    return [
        f"{named}{made[number].describe(number)} took out {what}, so nothing is said of it"
        for number, what in found
        if number is not None
    ]


def _passed_parts(model: Model, name: str, edit: Edit, frame: int, at: tuple[np.ndarray, float]) -> list[Part]:
    """How far the pose that an edit passes through is from what was asked."""
    parts = []
    why_not = "no bridge passes it nearer; choose another place or time"
    if edit.place is not None:
        away = float(np.hypot(*(at[0] - edit.place)))
        parts.append(_part(f"{name}: distance", away, "m", model.radius, frame, why_not))
    if edit.heading is not None:
        off = abs(float(np.degrees(wrap_angle(at[1] - np.radians(edit.heading)))))
        parts.append(_part(f"{name}: heading off by", off, "deg", HEADING_WITHIN, frame, why_not))
    return parts


def _step_parts(
    model: Model, name: str, step: Step, taken: TakenStep, frame: int, at: tuple[np.ndarray, float]
) -> list[Part]:
    """How far the end of a step is from what was asked."""
    parts, why_not = [], taken.why_not
    if step.place is not None:
        allowed = EXACT_METRES if step.exact else step.within or model.radius
        away = float(np.hypot(*(at[0] - step.place)))
        parts.append(_part(f"{name}: distance", away, "m", allowed, frame, why_not))
    if step.heading is not None:
        allowed = EXACT_DEGREES if step.exact else HEADING_WITHIN
        off = abs(float(np.degrees(wrap_angle(at[1] - np.radians(step.heading)))))
        parts.append(_part(f"{name}: heading off by", off, "deg", allowed, frame, why_not))
    if step.exact and step.lasting is not None and taken.stretch is not None:
        off = abs(taken.stretch.n_played - frames_of(step.lasting, model.fps)) / model.fps
        why = why_not or "its time would have to be warped too much; ask for another time"
        parts.append(_part(f"{name}: duration off by", off, "s", 0.5 / model.fps, frame, why))
    if not parts or (why_not and all(part.met for part in parts)):  # a way, a time or a beginning that was missed
        parts.append(Part(f"{name}: at", frame / model.fps, "s", None, not why_not, why_not, frame))
    return parts


def _part(name: str, value: float, unit: str, allowed: float, frame: int, why_not: str) -> Part:
    met = value <= allowed
    return Part(name, value, unit, allowed, met, "" if met else why_not or "bending and planting moved it", frame)
