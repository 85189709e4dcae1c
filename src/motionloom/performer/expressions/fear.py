"""Fear: brows up and together, eyes wide open, lips drawn back."""

from motionloom.performer.expressions.emotion import Part, show_emotion
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue

PARTS = {
    "inner_brow_raise": Part(0.95),
    "outer_brow_raise": Part(0.45),
    "brow_lower": Part(0.55, 0.03),
    "upper_lid_raise": Part(1.0),
    "lid_tighten": Part(0.1),
    "lip_stretch": Part(0.8, 0.06),
    "jaw_open": Part(0.2, 0.06),
    "lower_lip_depress": Part(0.35, 0.06),
}
HEAD = {"pitch": -0.02, "forward": -0.008}  # radians, metres


def perform(stage: FaceStage, cue: Cue, intensity: float = 1.0) -> None:
    """Be afraid."""
    show_emotion(stage, cue, "fear", PARTS, intensity=intensity, onset=0.35, offset=0.8, head=HEAD)
