"""Reaching for a point in the world with one hand."""

import numpy as np

from motionloom.performer.gait.footsteps import place_ahead
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage


def perform(
    stage: Stage,
    cue: Cue,
    point: tuple[float, float, float] | None = None,
    ahead: float = 0.5,
    left: float = -0.15,
    height: float = 1.5,
    hand: str = "right",
) -> None:
    """Bring the palm of a hand to a point, keep it there for a moment, and take it back.

    Args:
        stage: where to write.
        cue: when.
        point: metres, world; None: given by the next three.
        ahead: metres before the body, where it will be at that time.
        left: metres to its left.
        height: metres above the floor.
        hand: left or right.
    """
    rng = stage.rng
    ease = vary(rng, min(0.8, 0.38 * cue.seconds), 0.05)
    touch, leave = cue.start + ease, cue.stop - ease
    target = place_ahead(stage, touch, ahead, left, height) if point is None else np.array(point, float)
    palm = (0.0, -1.0, 0.2) if target[1] < 1.6 else (0.0, 0.2, 1.0)
    stage.hands.append(
        HandTask(hand, (touch, leave), np.array([target, target]), ease_in=ease, ease_out=ease, palm=palm)
    )
    sign = 1.0 if hand == "left" else -1.0
    stage.add("twist", -sign * 0.25 + 0.3 * left, cue.start, cue.stop, ease, ease)
    stage.add("look_side", 0.5 * left, cue.start, cue.stop, 0.7 * ease, ease)
    stage.add("look_down", float(np.clip(1.45 - target[1], -0.5, 0.6)), cue.start, cue.stop, 0.7 * ease, ease)
    stage.add("lean", float(np.clip(0.5 * (1.3 - target[1]), 0.0, 0.6)), cue.start, cue.stop, ease, ease)
    stage.label("reach", cue.start, cue.stop, hand=hand)
    stage.event("reach", touch, hands=[hand], point=[float(c) for c in target])
