"""Sadness: the inner ends of the brows up, corners of the mouth down, the head low; slow."""

from motionloom.performer.expressions.emotion import Part, show_emotion
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue

PARTS = {
    "inner_brow_raise": Part(0.85),
    "brow_lower": Part(0.2),
    "corner_depress": Part(0.85, 0.1),
    "chin_raise": Part(0.55, 0.2),
    "lip_stretch": Part(0.1, 0.1),
    "cheek_raise": Part(0.1),
    "lid_close": Part(0.22, 0.15),
}
HEAD = {"pitch": 0.07, "roll": 0.02}  # radians, metres


def perform(stage: FaceStage, cue: Cue, intensity: float = 1.0) -> None:
    """Be sad."""
    show_emotion(stage, cue, "sadness", PARTS, intensity=intensity, onset=0.9, offset=1.3, head=HEAD)
