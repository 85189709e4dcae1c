"""Walking: any speed, curve and direction, in the styles normal, sneak and lame."""

import math
from dataclasses import replace

from motionloom.errors import BadInput
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Gait, Stage

DIRECTIONS = {
    "forwards": (1.0, 0.0),
    "backwards": (-1.0, 0.0),
    "sideways_left": (0.0, 1.0),
    "sideways_right": (0.0, -1.0),
}
STYLES = ("normal", "sneak", "lame")


def perform(
    stage: Stage,
    cue: Cue,
    speed: float = 1.3,
    turn: float = 0.0,
    direction: str = "forwards",
    style: str = "normal",
    ease: float = 0.9,
    exactly: bool = False,
) -> None:
    """Walk.

    Args:
        stage: where to write.
        cue: when.
        speed: metres per second.
        turn: radians of heading over the whole cue; positive to the left.
        direction: forwards, backwards, sideways_left or sideways_right.
        style: normal, sneak or lame.
        ease: seconds to get into it.
        exactly: keep to the speed instead of varying it a little.
    """
    if direction not in DIRECTIONS or style not in STYLES:
        raise BadInput(
            f"no walk '{direction}', '{style}'; directions: {', '.join(DIRECTIONS)}; styles: {', '.join(STYLES)}"
        )
    rng = stage.rng
    speed = speed if exactly else vary(rng, speed, 0.03)
    make = {"sneak": sneaking_gait, "lame": limping_gait}.get(style, walking_gait)
    gait = make(speed)
    if direction != "forwards":
        gait = turn_aside(gait, direction, speed)
    gait = replace(
        gait,
        turn=turn / max(cue.seconds, 0.1),
        arm_swing=vary(rng, gait.arm_swing, 0.1),
        cadence=vary(rng, gait.cadence, 0.015),
        lean=vary(rng, gait.lean, 0.1),
        toe_out=vary(rng, gait.toe_out, 0.2),
    )
    stage.set_gait(cue.start, gait, ease)
    stage.label("walk", cue.start, cue.stop)
    if style != "normal":
        stage.label(style, cue.start, cue.stop)
    if direction != "forwards":
        stage.label(direction, cue.start, cue.stop)


def walking_gait(speed: float) -> Gait:
    """Normal walking forwards at a speed in metres per second."""
    brisk = min(speed / 1.3, 1.6)
    return Gait(
        forward=speed,
        cadence=max(1.72 * speed**0.4, 1.0),
        overlap=0.2 - 0.05 * brisk,
        width=0.1,
        crouch=0.01 + 0.012 * brisk,
        lean=0.04 + 0.04 * brisk,
        land_pitch=-0.16 - 0.26 * brisk,
        off_pitch=0.3 + 0.47 * brisk,
        lift=0.05 + 0.062 * brisk,
        lift_peak=0.32,
        swing_rise=0.4,
        kick=0.32 * brisk,
        arm_swing=0.06 + 0.13 * brisk,
        arm_out=0.13,
        elbow=0.44 + 0.06 * brisk,
        elbow_swing=0.4 * brisk,
        sway=0.3,
        idle=0.3,
    )


def sneaking_gait(speed: float) -> Gait:
    """Crouched, slow, knees high, toes first."""
    return replace(
        walking_gait(speed),
        cadence=max(1.25 * math.sqrt(max(speed, 0.1)), 0.8),
        overlap=0.34,
        crouch=0.13,
        lean=0.38,
        bounce=0.8,
        land_pitch=0.3,
        off_pitch=0.5,
        lift=0.17,
        lift_peak=0.5,
        arm_swing=0.12,
        arm_forward=0.75,
        arm_out=0.3,
        elbow=1.35,
        twist=0.7,
        sway=0.8,
    )


def limping_gait(speed: float) -> Gait:
    """Sparing the left leg: it carries the weight only briefly."""
    return replace(
        walking_gait(speed),
        cadence=max(1.5 * math.sqrt(max(speed, 0.2)), 1.0),
        limp=0.24,
        crouch=0.035,
        lean=0.12,
        bounce=1.3,
        land_pitch=-0.08,
        off_pitch=0.45,
        arm_swing=0.25,
        sway=0.9,
    )


def turn_aside(gait: Gait, direction: str, speed: float) -> Gait:
    """The same manner of walking, going backwards or sideways."""
    forward, left = DIRECTIONS[direction]
    gait = replace(gait, forward=forward * speed, left=left * speed, arm_swing=0.6 * gait.arm_swing, kick=0.0)
    if direction == "backwards":
        return replace(
            gait, land_pitch=0.28, off_pitch=-0.22, lift=0.07, lean=0.0, width=0.13, cadence=1.75 * math.sqrt(speed)
        )
    cadence = max(2.6 * math.sqrt(speed), 1.3)
    return replace(
        gait, land_pitch=0.12, off_pitch=0.2, lift=0.06, lean=0.06, width=0.1, arm_swing=0.05, cadence=cadence, sway=0.3
    )
