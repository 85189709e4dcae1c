"""Aims: when a step begins and what it aims at, before it is taken."""

from collections.abc import Mapping

import numpy as np

from motionloom.assembly.requests.times import frames_of
from motionloom.methods.buildup.hits.body_points import points_named
from motionloom.methods.buildup.hits.holds import goals_on
from motionloom.methods.buildup.hits.reach import Aim
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.request import Built
from motionloom.methods.buildup.sequence.sequence import BuiltSequence
from motionloom.methods.buildup.sequence.waiting import begin_at
from motionloom.motion import Motion

APPROACH = 3.0  # seconds before its hit at which a step begins where it has more time than trees grow for
SPARE = 0.8  # share of what trees grow for that a step may take to its hit


def get_ready(
    model: Model, built: Built, number: int, sequence: BuiltSequence, others: Mapping[str, Motion]
) -> tuple[BuiltSequence, Aim | None, str]:
    """The sequence when a step begins, what the step aims at, and why it does not begin when it should.

    Args:
        model: of the takes.
        built: what the character was asked.
        number: of the step, from 0.
        sequence: so far.
        others: motions of characters that hits aim at, by name.
    """
    begins, why_not = built.steps[number].begins, ""
    if begins is not None:
        frame = frames_of(begins, model.fps)
        sequence, why_not = begin_at(model, sequence, frame, may_hurry=not _is_timed(built, number - 1))
    aim = aim_of_step(model, built, number, sequence, others)
    if aim is None or aim.frame is None or begins is not None:
        return sequence, aim, why_not
    if aim.frame - aim.begun > SPARE * model.settings.growth.seconds * model.fps:
        soonest = aim.frame - round(APPROACH * model.fps)
        sequence, why_not = begin_at(model, sequence, soonest, may_hurry=False)
        aim = aim_of_step(model, built, number, sequence, others)
    return sequence, aim, why_not


def aim_of_step(
    model: Model, built: Built, number: int, sequence: BuiltSequence, others: Mapping[str, Motion]
) -> Aim | None:
    """The first hit at the end of a step, as what the next stretch of a sequence aims at; None where there is none."""
    hit = next((hit for hit in built.hits if hit.step == number + 1), None)
    if hit is None:
        return None
    goals = np.array([hit.point], float) if hit.on is None else goals_on(others[hit.on.character], hit)
    frame = None if hit.at is None else frames_of(hit.at, model.fps)
    return Aim(points_named(model.view.skeleton, hit.joint), goals, sequence.n_frames - 1, frame, hit.exact)


def _is_timed(built: Built, number: int) -> bool:
    """Whether the end of a step has its time already, from 0; the start, before all steps, has."""
    if number < 0:
        return True
    step = built.steps[number]
    is_hit = any(hit.step == number + 1 and hit.at is not None for hit in built.hits)
    return is_hit or (step.exact and step.lasting is not None)
