"""Punches out of the ready stance: jab, cross and hook."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.performer.actions.ready import join_in
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage

HIT = 0.42  # part of the cue after which the fist is where it is meant to be


def perform(stage: Stage, cue: Cue, kind: str = "jab", height: float = 0.52) -> None:
    """Punch once; the cue should last 0.8 seconds or more.

    Args:
        stage: where to write.
        cue: when.
        kind: jab, with the lead hand; cross, with the rear hand; hook, with the lead hand, around the side.
        height: metres of the fist above the hips.
    """
    if kind not in PUNCHES:
        raise BadInput(f"no punch '{kind}'; punches: {', '.join(PUNCHES)}")
    lead = join_in(stage, cue, "punch")
    hit = cue.start + vary(stage.rng, HIT, 0.03) * cue.seconds
    side = PUNCHES[kind](stage, cue, lead, hit, vary(stage.rng, height, 0.04))
    stage.event("punch", hit, hands=[side], style=kind)


def _jab(stage: Stage, cue: Cue, lead: float, hit: float, height: float) -> str:
    rng = stage.rng
    reach, back = vary(rng, 0.25, 0.05), vary(rng, 0.36, 0.06)
    side = _straight(stage, lead, hit, (reach, back), height, 0.75)
    stage.add("twist", -lead * vary(rng, 0.26, 0.1), hit - reach - 0.06, hit + back + 0.1, reach + 0.06, back)
    stage.add("load", lead * vary(rng, 0.12, 0.1), hit - reach - 0.1, hit + back + 0.1, reach + 0.1, back)
    stage.add("lean", 0.06, hit - reach, hit + back, reach, back)
    return side


def _cross(stage: Stage, cue: Cue, lead: float, hit: float, height: float) -> str:
    rng = stage.rng
    reach, back = vary(rng, 0.28, 0.05), vary(rng, 0.42, 0.06)
    side = _straight(stage, -lead, hit, (reach, back), height, 0.715)
    start, stop = hit - reach - 0.06, hit + back + 0.08
    stage.add("twist", -lead * 0.1, start - 0.16, start + 0.12, 0.16, 0.12)
    stage.add("twist", lead * vary(rng, 0.85, 0.05), start, stop, hit - start, back)
    stage.add("hips_yaw", lead * vary(rng, 0.3, 0.06), start - 0.03, stop, hit - start, back)
    stage.add("load", lead * vary(rng, 0.24, 0.1), start - 0.04, stop, hit - start, back)
    stage.add("lean", 0.1, start, stop, hit - start, back)
    stage.add("crouch", 0.015, start, stop, hit - start, back)
    _pivot(stage, side, lead * vary(rng, 0.5, 0.08), vary(rng, 0.42, 0.08), start, hit, stop)
    return side


def _hook(stage: Stage, cue: Cue, lead: float, hit: float, height: float) -> str:
    rng, side = stage.rng, "left" if lead > 0 else "right"
    back = vary(rng, 0.4, 0.06)
    wide, near = vary(rng, 0.4, 0.05), vary(rng, 0.47, 0.04)
    points = np.array(
        [
            [lead * wide, height - 0.12, 0.26],
            [lead * 0.06, height, near],
            [-lead * 0.16, height, near - 0.1],
        ]
    )
    stage.hands.append(
        HandTask(
            side,
            (hit - 0.15, hit, hit + 0.09),
            points,
            frame="body",
            ease_in=0.2,
            ease_out=back,
            palm=(0.0, -0.75, -0.65),
            fingers=(-lead, 0.05, 0.25),
            elbow=(1.0, 0.1, -0.25),
            flowing=True,
        )
    )
    start, stop = hit - 0.34, hit + back + 0.1
    stage.add("twist", lead * vary(rng, 0.34, 0.08), start, hit + 0.02, 0.2, 0.16)
    stage.add("twist", -lead * vary(rng, 0.36, 0.08), hit - 0.18, stop, 0.22, back)
    stage.add("hips_yaw", -lead * 0.15, hit - 0.18, stop, 0.2, back)
    stage.add("load", lead * 0.16, start, hit + 0.05, 0.2, 0.2)
    stage.add("load", -lead * 0.08, hit - 0.12, stop, 0.2, back)
    stage.add("crouch", 0.02, start, stop, 0.24, back)
    _pivot(stage, side, -lead * vary(rng, 0.42, 0.08), vary(rng, 0.42, 0.06), hit - 0.2, hit, stop)
    return side


def _straight(stage: Stage, sign: float, hit: float, seconds: tuple[float, float], height: float, far: float) -> str:
    """Extend a fist straight ahead to a distance from the hips in metres, and retract it; sign 1 is the left fist."""
    rng, side = stage.rng, "left" if sign > 0 else "right"
    point = np.array([0.03 * sign + 0.015 * np.clip(rng.standard_normal(), -2, 2), height, vary(rng, far, 0.008)])
    stage.hands.append(
        HandTask(
            side,
            (hit, hit + 0.03),
            np.array([point, point]),
            frame="body",
            ease_in=seconds[0],
            ease_out=seconds[1],
            palm=(-0.1 * sign, -1.0, 0.0),
            elbow=(0.5, -0.85, 0.0),
        )
    )
    return side


def _pivot(stage: Stage, side: str, turn: float, rise: float, start: float, hit: float, stop: float) -> None:
    """Turn a foot on its ball and back, the heel up meanwhile."""
    stage.add(f"{side}_pivot", turn, start, stop, hit - start, stop - hit)
    stage.add(f"{side}_heel_up", rise, start, stop, hit - start, stop - hit)


PUNCHES = {"jab": _jab, "cross": _cross, "hook": _hook}
