"""Standing: the weight wanders from foot to foot."""

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Gait, Stage

BRAKING = 0.4  # seconds to come to rest for every metre per second


def perform(stage: Stage, cue: Cue, ease: float = 0.8, width: float = 0.17, shifts: float = 1.0) -> None:
    """Stand still.

    Args:
        stage: where to write.
        cue: when.
        ease: seconds to come to rest; more out of a run.
        width: metres between the feet.
        shifts: how much the weight wanders; 1 is usual.
    """
    before = stage.gait_at(cue.start)
    ease = max(ease, BRAKING * abs(before.forward))
    stage.set_gait(cue.start, standing_gait(stage, width, shifts), ease)
    stage.label("stand", cue.start, cue.stop)


def standing_gait(stage: Stage, width: float = 0.17, shifts: float = 1.0) -> Gait:
    """A way to stand, a little different every time."""
    rng = stage.rng
    return Gait(
        width=vary(rng, width, 0.08),
        lean=0.02 + 0.03 * rng.random(),
        elbow=vary(rng, 0.3, 0.15),
        arm_out=vary(rng, 0.14, 0.1),
        idle=shifts,
        toe_out=vary(rng, 0.14, 0.3),
    )
