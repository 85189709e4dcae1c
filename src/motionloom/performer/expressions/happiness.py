"""Happiness: corners of the mouth up and apart, cheeks that rise and narrow the eyes."""

from motionloom.performer.expressions.emotion import Part, show_emotion
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue

PARTS = {
    "lip_corner_pull": Part(0.95),
    "cheek_raise": Part(0.75, 0.06),
    "upper_lip_raise": Part(0.12, 0.08),
    "lower_lip_depress": Part(0.1, 0.1),
    "jaw_open": Part(0.07, 0.1),
    "lid_tighten": Part(0.2, 0.05),
}
HEAD = {"pitch": -0.03, "roll": 0.03}  # radians, metres


def perform(stage: FaceStage, cue: Cue, intensity: float = 1.0) -> None:
    """Smile."""
    show_emotion(stage, cue, "happiness", PARTS, intensity=intensity, onset=0.55, offset=0.8, head=HEAD)
