"""Crouching down and rising again."""

from motionloom.performer.actions.stand import standing_gait
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage


def perform(stage: Stage, cue: Cue, depth: float = 0.38) -> None:
    """Crouch during the cue.

    Args:
        stage: where to write.
        cue: when; going down and coming up take 0.9 s each of it.
        depth: metres that the hips are lowered.
    """
    stage.set_gait(cue.start, standing_gait(stage, width=0.2, shifts=0.3), 0.8)
    bend(stage, cue.start, cue.stop, vary(stage.rng, depth, 0.06), vary(stage.rng, 0.9, 0.08))
    stage.holds.append((cue.start + 0.6, cue.stop))
    stage.label("crouch", cue.start, cue.stop)


def bend(stage: Stage, start: float, stop: float, depth: float, seconds: float, lean: float | None = None) -> None:
    """Lower the hips and lean to match, taking some seconds each way."""
    lean = 1.3 * depth if lean is None else lean
    stage.add("crouch", depth, start, stop, seconds, seconds)
    stage.add("lean", lean, start, stop, seconds, seconds)
    stage.add("hips_pitch", 0.4 * lean, start, stop, seconds, seconds)
    for side in ("left", "right"):
        stage.add(f"{side}_arm_forward", 0.9 * lean, start, stop, seconds, seconds)
        stage.add(f"{side}_elbow", 0.6 * depth, start, stop, seconds, seconds)
