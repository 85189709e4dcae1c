"""Jumping with both feet, up or forwards; and a leap out of a run."""

import math

from motionloom.performer.actions.stand import standing_gait
from motionloom.performer.curves import GRAVITY
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Jump, Leap, Stage

WIND_UP = 0.8  # seconds from the start of the cue to leaving the floor


def perform(stage: Stage, cue: Cue, height: float = 0.3, distance: float = 0.0, turn: float = 0.0) -> None:
    """Jump from both feet onto both feet; the cue should last 1.8 seconds or more.

    Args:
        stage: where to write.
        cue: when.
        height: metres that the hips rise in the air.
        distance: metres forwards.
        turn: radians in the air, positive to the left.
    """
    rng = stage.rng
    height = vary(rng, height, 0.06)
    flight = math.sqrt(8 * height / GRAVITY)
    off = cue.start + vary(rng, WIND_UP, 0.04)
    land = off + flight
    stage.set_gait(cue.start, standing_gait(stage, shifts=0.2), 0.6)
    stage.requests.append(Jump(off, land))
    stage.holds += [(cue.start + 0.1, off), (land, land + 0.45)]
    if distance:
        stage.add("forward", vary(rng, distance, 0.03) / (flight + 0.3), off - 0.25, land + 0.35, 0.25, 0.35)
    if turn:
        stage.add("turn", turn / (flight + 0.2), off - 0.15, land + 0.25, 0.15, 0.25)
    swing_arms(stage, off, land, vary(rng, 1.0, 0.1))
    dip = 0.1 + 0.4 * height + 0.05 * distance
    stage.add("crouch", vary(rng, dip, 0.06), off - 0.72, off, 0.42, 0.2)
    stage.add("lean", 0.55, off - 0.75, off + 0.05, 0.5, 0.25)
    stage.add("hips_pitch", 0.25, off - 0.75, off + 0.05, 0.5, 0.25)
    stage.add("crouch", vary(rng, 0.55 * dip + 0.04, 0.08), land, land + 0.95, 0.12, 0.6)
    stage.add("lean", 0.35, land - 0.15, land + 0.95, 0.3, 0.6)
    stage.label("jump", off - 0.6, land + 0.3)
    stage.event("take_off", off)
    stage.event("landing", land)


def swing_arms(stage: Stage, off: float, land: float, size: float) -> None:
    """Arms back in the wind-up, up in the air, down after landing."""
    for side in ("left", "right"):
        stage.add(f"{side}_arm_forward", -0.85 * size, off - 0.75, off + 0.02, 0.5, 0.24)
        stage.add(f"{side}_arm_forward", 1.7 * size, off - 0.22, land + 0.5, 0.32, 0.6)
        stage.add(f"{side}_arm_out", 0.3 * size, off - 0.1, land + 0.5, 0.3, 0.5)
        stage.add(f"{side}_elbow", 0.5 * size, off - 0.2, land + 0.5, 0.3, 0.5)


def leap(stage: Stage, cue: Cue, flight: float = 0.42) -> None:
    """Leap out of a run, from one foot onto the other, as soon as the step allows.

    Args:
        stage: where to write.
        cue: when.
        flight: seconds in the air.
    """
    size = vary(stage.rng, 1.0, 0.12)

    def react(stage: Stage, off: float, land: float) -> None:
        for side in ("left", "right"):
            stage.add(f"{side}_arm_forward", 0.45 * size, off - 0.15, land + 0.25, 0.25, 0.3)
            stage.add(f"{side}_arm_out", 0.4 * size, off - 0.15, land + 0.25, 0.25, 0.3)
        stage.label("jump", off - 0.2, land + 0.2)
        stage.event("take_off", off)
        stage.event("landing", land)

    stage.requests.append(Leap(cue.start, vary(stage.rng, flight, 0.06), react))
