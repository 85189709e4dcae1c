"""Catching a ball with both hands, standing, running or in the air."""

import numpy as np

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage

BALL_RADIUS = 0.11  # metres


def perform(
    stage: Stage, cue: Cue, after: float | None = None, height: float = 0.42, left: float = 0.0, ahead: float = 0.42
) -> None:
    """Catch a ball during the cue.

    Args:
        stage: where to write.
        cue: when.
        after: seconds from the start of the cue to the catch; None: a little before the middle.
        height: metres of the ball above the hips.
        left: metres to the left of the middle.
        ahead: metres before the hips.
    """
    rng = stage.rng
    moment = cue.start + (0.45 * cue.seconds if after is None else after)
    centre = np.array([left + 0.03 * rng.standard_normal(), vary(rng, height, 0.06), vary(rng, ahead, 0.04)])
    ease_in = min(moment - cue.start - 0.02, 0.55)
    hug = np.array(
        [0.5 * centre[0], min(0.75 * centre[1], 0.26), 0.72 * centre[2]]
    )  # the ball is taken in to the belly
    ease_out = min(0.6, 0.5 * (cue.stop - moment))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        beside = np.array([sign * BALL_RADIUS, 0.0, 0.0])
        stage.hands.append(
            HandTask(
                side,
                (moment, moment + 0.34, max(cue.stop - ease_out, moment + 0.36)),
                np.array([centre + beside, hug + beside, hug + beside]),
                frame="body",
                ease_in=ease_in,
                ease_out=ease_out,
                palm=(-sign, 0.1, 0.3),
                fingers=(-0.15 * sign, 0.6, 1.0) if height > 0.3 else (0.0, -0.3, 1.0),
            )
        )
    stage.add("look_down", 0.12 if height < 0.3 else -0.12, cue.start, cue.stop, 0.4, 0.4)
    stage.add("look_side", 0.5 * left, cue.start, cue.stop, 0.4, 0.4)
    stage.add("twist", 0.5 * left, cue.start, cue.stop, 0.5, 0.5)
    stage.label("catch", cue.start, cue.stop)
    stage.event("catch", moment, hands=["left", "right"])
