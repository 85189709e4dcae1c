"""Disgust: a wrinkled nose, a raised upper lip, brows down."""

from motionloom.performer.expressions.emotion import Part, show_emotion
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue

PARTS = {
    "nose_wrinkle": Part(0.9),
    "upper_lip_raise": Part(0.75, 0.05),
    "brow_lower": Part(0.35),
    "lid_tighten": Part(0.4, 0.05),
    "cheek_raise": Part(0.35, 0.05),
    "chin_raise": Part(0.35, 0.1),
    "corner_depress": Part(0.35, 0.08),
}
HEAD = {"pitch": -0.04, "yaw": 0.06, "forward": -0.005}  # radians, metres


def perform(stage: FaceStage, cue: Cue, intensity: float = 1.0) -> None:
    """Be disgusted."""
    show_emotion(stage, cue, "disgust", PARTS, intensity=intensity, onset=0.5, offset=0.7, head=HEAD)
