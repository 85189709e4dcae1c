"""Standing: the weight wanders from foot to foot."""

from motionloom.performer.noise import vary
from motionloom.performer.score import Cue
from motionloom.performer.stage import Gait, Stage


def perform(stage: Stage, cue: Cue, ease: float = 0.8, width: float = 0.17, shifts: float = 1.0) -> None:
    """Stand still.

    Args:
        stage: where to write.
        cue: when.
        ease: seconds to come to rest.
        width: metres between the feet.
        shifts: how much the weight wanders; 1 is usual.
    """
    rng = stage.rng
    gait = Gait(width=vary(rng, width, 0.08), lean=0.02 + 0.02 * rng.random(), elbow=vary(rng, 0.3, 0.15), idle=shifts, toe_out=0.14)
    stage.set_gait(cue.start, gait, ease)
    stage.label("stand", cue.start, cue.stop)
