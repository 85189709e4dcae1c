"""A face at rest; blinks and single units on request."""

from motionloom.performer.face.blinks import blink
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.scores.score import Cue


def perform(stage: FaceStage, cue: Cue) -> None:
    """Show nothing in particular."""
    stage.label("neutral", cue.start, cue.stop)


def close_eyes_briefly(stage: FaceStage, cue: Cue) -> None:
    """Blink once, for as long as the cue lasts."""
    blink(stage, cue.start, cue.seconds)


def move(
    stage: FaceStage,
    cue: Cue,
    unit: str = "inner_brow_raise",
    amount: float = 1.0,
    rise: float = 0.4,
    fall: float = 0.5,
) -> None:
    """Activate a single unit, both halves of it or the one that is named.

    Args:
        stage: where to write.
        cue: when.
        unit: a name in `face.units`.
        amount: activation, 1 is full.
        rise: seconds in which it comes.
        fall: seconds in which it goes.
    """
    stage.hold(unit, amount, cue.start, cue.stop, min(rise, 0.5 * cue.seconds), min(fall, 0.5 * cue.seconds))
    stage.event("unit", cue.start, unit=unit, stop=round(cue.stop, 4))
