"""Anger: brows down and together, hard eyes, lips pressed."""

from motionloom.performer.expressions.emotion import Part, show_emotion
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue

PARTS = {
    "brow_lower": Part(1.0),
    "upper_lid_raise": Part(0.45, 0.05),
    "lid_tighten": Part(0.55),
    "lip_press": Part(0.8, 0.1),
    "chin_raise": Part(0.35, 0.1),
    "nose_wrinkle": Part(0.15),
    "corner_depress": Part(0.15, 0.1),
}
HEAD = {"pitch": 0.05, "forward": 0.006}  # radians, metres


def perform(stage: FaceStage, cue: Cue, intensity: float = 1.0) -> None:
    """Be angry."""
    show_emotion(stage, cue, "anger", PARTS, intensity=intensity, onset=0.5, offset=0.8, head=HEAD)
