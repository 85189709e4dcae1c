"""Stumbling: a swinging foot is caught, the trunk pitches forwards, quick recovery steps follow."""

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage, Trip


def perform(stage: Stage, cue: Cue, strength: float = 1.0) -> None:
    """Stumble while walking or running, at the first step of the cue.

    Args:
        stage: where to write.
        cue: when.
        strength: how badly; 1 is a clear stumble.
    """
    strength = vary(stage.rng, strength, 0.1)

    def react(stage: Stage, caught: float, saved: float) -> None:
        stage.add("lean", 0.75 * strength, caught - 0.1, saved + 1.0, 0.35, 0.9)
        stage.add("hips_pitch", 0.2 * strength, caught - 0.1, saved + 0.9, 0.35, 0.8)
        stage.add("crouch", 0.07 * strength, caught, saved + 1.0, 0.35, 0.9)
        stage.add("look_down", 0.35 * strength, caught - 0.05, saved + 0.9, 0.3, 0.7)
        for side in ("left", "right"):
            size = vary(stage.rng, strength, 0.15)
            stage.add(f"{side}_arm_forward", 0.9 * size, caught - 0.05, saved + 0.7, 0.3, 0.7)
            stage.add(f"{side}_arm_out", 0.6 * size, caught - 0.05, saved + 0.7, 0.3, 0.7)
            stage.add(f"{side}_elbow", 0.7 * size, caught - 0.05, saved + 0.7, 0.3, 0.7)
        stage.label("stumble", caught - 0.15, saved + 0.8)
        stage.event("stumble", caught)

    stage.requests.append(Trip(cue.start, react))
