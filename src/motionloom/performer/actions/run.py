"""Running, forwards and backwards, with a flight between steps."""

from dataclasses import replace

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Gait, Stage


def perform(
    stage: Stage, cue: Cue, speed: float = 3.0, turn: float = 0.0, direction: str = "forwards", ease: float = 1.1
) -> None:
    """Run.

    Args:
        stage: where to write.
        cue: when.
        speed: metres per second.
        turn: radians of heading over the whole cue; positive to the left.
        direction: forwards or backwards.
        ease: seconds to get into it.
    """
    rng = stage.rng
    speed = vary(rng, speed, 0.03)
    gait = running_gait(speed)
    if direction == "backwards":
        gait = replace(
            gait, forward=-speed, cadence=2.9, overlap=-0.12, land_pitch=0.4, off_pitch=0.2, lift=0.16, lift_peak=0.5
        )
        gait = replace(gait, lean=0.16, kick=0.0, arm_swing=0.35, width=0.12, crouch=0.08)
        stage.label("backwards", cue.start, cue.stop)
    gait = replace(
        gait,
        turn=turn / max(cue.seconds, 0.1),
        arm_swing=vary(rng, gait.arm_swing, 0.08),
        cadence=vary(rng, gait.cadence, 0.015),
        lift=vary(rng, gait.lift, 0.05),
    )
    stage.set_gait(cue.start, gait, ease)
    stage.label("run", cue.start, cue.stop)


def running_gait(speed: float) -> Gait:
    """Running forwards at a speed in metres per second."""
    fast = min(max(speed - 2.0, 0.0), 3.0)
    return Gait(
        forward=speed,
        cadence=2.5 + 0.1 * speed,
        overlap=-0.25 - 0.09 * fast,
        width=0.07,
        crouch=0.06,
        lean=0.36 + 0.04 * fast,
        land_pitch=-0.15,
        off_pitch=0.8,
        lift=0.15 + 0.04 * fast,
        lift_peak=0.4,
        swing_rise=0.58,
        kick=0.3 + 0.1 * fast,
        arm_swing=0.42 + 0.06 * fast,
        arm_out=0.2,
        arm_forward=-0.08,
        elbow=1.75,
        elbow_swing=0.8,
        twist=0.85,
        sway=0.2,
        idle=0.1,
        toe_out=0.05,
    )
