"""Surprise: brows up, eyes wide open, the jaw drops; fast to come, and fast to go."""

from motionloom.performer.expressions.emotion import Part, show_emotion
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue

PARTS = {
    "inner_brow_raise": Part(0.9),
    "outer_brow_raise": Part(0.9),
    "upper_lid_raise": Part(0.9),
    "jaw_open": Part(0.55, 0.05),
    "lower_lip_depress": Part(0.15, 0.05),
    "lip_pucker": Part(0.12, 0.05),
}
HEAD = {"pitch": -0.05, "forward": -0.006}  # radians, metres


def perform(stage: FaceStage, cue: Cue, intensity: float = 1.0) -> None:
    """Be surprised."""
    show_emotion(stage, cue, "surprise", PARTS, intensity=intensity, onset=0.36, offset=0.55, head=HEAD)
