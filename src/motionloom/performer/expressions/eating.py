"""Eating: a bite, chewing on one side with closed lips, and a swallow, again and again."""

import numpy as np

from motionloom.performer import curves
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue

BITE, SWALLOW = 0.95, 0.8  # seconds
GAPE = 0.5  # of the jaw, for a bite


def perform(stage: FaceStage, cue: Cue, rate: float = 1.35, mouthful: float = 5.0) -> None:
    """Eat during the cue.

    Args:
        stage: where to write.
        cue: when.
        rate: chewing cycles per second.
        mouthful: seconds from a bite to the next one.
    """
    n = max(round(cue.seconds / mouthful), 1)
    borders = np.linspace(cue.start, cue.stop, n + 1)
    for start, stop in zip(borders, borders[1:]):
        _eat_a_mouthful(stage, float(start), float(stop), vary(stage.rng, rate, 0.06))
    stage.show("eating", curves.pulse(stage.times, cue.start, cue.stop, 0.3, 0.4))


def _eat_a_mouthful(stage: FaceStage, start: float, stop: float, rate: float) -> None:
    rng, bite = stage.rng, min(BITE, 0.3 * (stop - start))
    swallow = stop - min(SWALLOW, 0.25 * (stop - start))
    stage.hold("jaw_open", vary(rng, GAPE, 0.1), start, start + bite, 0.5 * bite, 0.4 * bite)
    stage.hold("upper_lip_raise", 0.2, start, start + bite, 0.5 * bite, 0.4 * bite)
    stage.turn_head("pitch", 0.03, start, start + 1.5 * bite, 0.7 * bite, 0.8 * bite)
    stage.event("bite", start + 0.55 * bite)
    _chew(stage, start + bite, swallow, rate, str(rng.choice(("left", "right"))))
    stage.hold("lip_press", 0.65, swallow, stop, 0.3, 0.3)
    stage.hold("chin_raise", 0.4, swallow, stop, 0.3, 0.35)
    stage.turn_head("pitch", 0.025, swallow, stop, 0.3, 0.4)
    stage.event("swallow", 0.5 * (swallow + stop))


def _chew(stage: FaceStage, start: float, stop: float, rate: float, side: str) -> None:
    """Open, swing to the chewing side and close, in cycles that differ a little; lips stay closed."""
    n = max(round((stop - start) * rate), 1)
    sizes = np.array([vary(stage.rng, 0.17, 0.2) for _ in range(n)])
    sign = 1.0 if side == "left" else -1.0

    def cycles(times: np.ndarray, wave: str) -> np.ndarray:
        phase = np.clip((times - start) / (stop - start), 0.0, 1.0 - 1e-12) * n
        turn = phase - np.floor(phase)
        opened = np.sin(np.pi * turn) ** 2
        return sizes[phase.astype(int)] * opened * (1.0 if wave == "down" else np.sin(np.pi * turn - 0.6))

    stage.activate("jaw_open", lambda times: cycles(times, "down"))
    stage.activate("jaw_left", lambda times: 2.2 * sign * cycles(times, "aside"))
    stage.activate(f"{side}_cheek_puff", lambda times: 1.2 * cycles(times, "down"))
    stage.activate("cheek_raise", lambda times: 0.5 * cycles(times, "down"))
    stage.activate("chin_raise", lambda times: 1.6 * cycles(times, "down"))  # the lower lip stays at the upper one
    stage.hold("lip_press", 0.3, start - 0.1, stop + 0.1, 0.3, 0.3)
    for cycle in range(n):
        stage.event("chew", start + (cycle + 0.5) * (stop - start) / n, side=side)
