"""Walking: any speed, curve and direction, in the styles normal, sneak and lame."""

import math
from dataclasses import replace

from motionloom.performer.noise import vary
from motionloom.performer.score import Cue
from motionloom.performer.stage import Gait, Stage


def perform(
    stage: Stage,
    cue: Cue,
    speed: float = 1.3,
    turn: float = 0.0,
    direction: str = "forwards",
    style: str = "normal",
    ease: float = 0.9,
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
    """
    gait = walking_gait(vary(stage.rng, speed, 0.03))
    gait = replace(gait, turn=turn / max(cue.seconds, 0.1), arm_swing=vary(stage.rng, gait.arm_swing, 0.1))
    stage.set_gait(cue.start, gait, ease)
    stage.label("walk", cue.start, cue.stop)


def walking_gait(speed: float) -> Gait:
    """Normal walking forwards at a speed in metres per second."""
    briskness = min(speed / 1.3, 1.6)
    return Gait(
        speed=speed,
        cadence=max(1.58 * math.sqrt(max(speed, 0.2)), 1.1),
        overlap=0.30 - 0.06 * briskness,
        width=0.105,
        crouch=0.012 + 0.012 * briskness,
        lean=0.03 + 0.03 * briskness,
        land_pitch=-0.12 - 0.22 * briskness,
        off_pitch=0.35 + 0.55 * briskness,
        lift=0.03 + 0.015 * briskness,
        lift_peak=0.4,
        kick=0.18 * briskness,
        arm_swing=0.12 + 0.3 * briskness,
        arm_out=0.13,
        arm_forward=0.0,
        elbow=0.3 + 0.1 * briskness,
        elbow_swing=0.35 * briskness,
        idle=0.3,
    )
