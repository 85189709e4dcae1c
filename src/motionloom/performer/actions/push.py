"""Pushing something heavy with both hands, leaning into it."""

import numpy as np

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage


def perform(stage: Stage, cue: Cue, height: float = 0.32, lean: float = 0.32, reach: float = 0.2) -> None:
    """Push during the cue, standing or walking slowly.

    Args:
        stage: where to write.
        cue: when.
        height: metres of the palms above the hips.
        lean: radians that the trunk leans forwards.
        reach: metres that the hands push away from the body.
    """
    rng = stage.rng
    lean, near, far = vary(rng, lean, 0.08), 0.42, 0.42 + vary(rng, reach, 0.1)
    ease = min(0.6, 0.25 * cue.seconds)
    begin, end = cue.start + ease, cue.stop - ease
    shove = begin + 0.35 * (end - begin)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        wide = sign * vary(rng, 0.17, 0.06)
        stage.hands.append(
            HandTask(
                side,
                (begin, shove, end),
                np.array([[wide, height, near], [wide, height + 0.02, far], [wide, height + 0.02, far]]),
                frame="body",
                ease_in=ease,
                ease_out=ease,
                palm=(0.0, -0.1, 1.0),
                fingers=(sign * 0.1, 1.0, 0.2),
                elbow=(0.7, -0.7, -0.3),
            )
        )
    stage.add("lean", lean, cue.start + 0.2, cue.stop, 2 * ease, ease)
    stage.add("hips_pitch", 0.3 * lean, cue.start + 0.2, cue.stop, 2 * ease, ease)
    stage.add("propped", 0.6, cue.start + 0.2, cue.stop, 2 * ease, ease)
    stage.add("crouch", 0.05, cue.start, cue.stop, ease, ease)
    stage.label("push", cue.start, cue.stop)
