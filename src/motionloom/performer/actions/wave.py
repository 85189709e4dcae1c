"""Waving with a raised hand, standing or on the way."""

import numpy as np

from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import HandTask, Stage


def perform(stage: Stage, cue: Cue, hand: str = "right", rate: float = 1.7) -> None:
    """Wave during the cue.

    Args:
        stage: where to write.
        cue: when.
        hand: left or right.
        rate: swings to and fro per second.
    """
    rng, sign = stage.rng, 1.0 if hand == "left" else -1.0
    rate, reach, height = vary(rng, rate, 0.08), vary(rng, 0.27, 0.08), vary(rng, 0.4, 0.06)
    ease = min(0.65, 0.3 * cue.seconds)
    begin, end = cue.start + ease, cue.stop - ease
    n = max(round((end - begin) * rate * 2), 2)
    times = np.linspace(begin, end, n + 1)
    times[1:-1] += 0.02 * rng.standard_normal(n - 1)
    swing = np.array([(1 if i % 2 else -1) * vary(rng, 0.13, 0.12) for i in range(n + 1)])
    points = np.stack([sign * (reach + swing), height - 0.25 * np.abs(swing) + 0.05, np.full(n + 1, 0.16)], -1)
    stage.hands.append(
        HandTask(
            hand,
            tuple(times),
            points,
            frame="chest",
            ease_in=ease,
            ease_out=ease,
            palm=(0.0, 0.0, 1.0),
            fingers=(sign * 0.15, 1.0, 0.1),
            elbow=(0.45, -1.0, 0.0),
        )
    )
    stage.add("look_side", sign * 0.15, cue.start, cue.stop, ease, ease)
    stage.add("side_bend", sign * 0.03, cue.start, cue.stop, ease, ease)
    stage.label("wave", cue.start, cue.stop, hand=hand)
