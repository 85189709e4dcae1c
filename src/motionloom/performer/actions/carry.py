"""Carrying a box in front of the body with both hands."""

import numpy as np

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage


def perform(stage: Stage, cue: Cue, width: float = 0.34, height: float = 0.12, ease: float = 0.7) -> None:
    """Carry a box during the cue; taking hold and letting go take `ease` seconds each of it.

    Args:
        stage: where to write.
        cue: when.
        width: metres between the palms.
        height: metres of the palms above the hips.
        ease: seconds.
    """
    hold(stage, cue.start, cue.stop, width, vary(stage.rng, height, 0.1), ease, ease)
    stage.label("carry", cue.start, cue.stop)


def hold(stage: Stage, start: float, stop: float, width: float, height: float, ease_in: float, ease_out: float) -> None:
    """Keep both palms on the sides of a box before the belly."""
    ahead = vary(stage.rng, 0.34, 0.04)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        point = np.array([[sign * width / 2, height, ahead]] * 2)
        stage.hands.append(
            HandTask(
                side,
                (start + ease_in, max(stop - ease_out, start + ease_in + 0.05)),
                point,
                frame="body",
                ease_in=ease_in,
                ease_out=ease_out,
                palm=(-sign, 0.25, 0.0),
                fingers=(0.0, -0.25, 1.0),
                elbow=(0.35, -0.6, -0.9),
            )
        )
    stage.add("lean", -0.06, start, stop, max(ease_in, 0.2), max(ease_out, 0.2))
