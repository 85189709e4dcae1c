"""Snoring: asleep with closed eyes and an open mouth, breaths that pull at the jaw, lips and nostrils that vibrate."""

import numpy as np

from motionloom.performer import curves
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue

DROWSY = 1.6  # seconds in which eyes close and open
INHALING = 0.42  # part of a breath
RATTLE, PUFF = 21.0, 14.0  # vibrations per second while breathing in and out


def perform(stage: FaceStage, cue: Cue, breath: float = 3.8, strength: float = 1.0) -> None:
    """Fall asleep, snore, and wake up during the cue.

    Args:
        stage: where to write.
        cue: when.
        breath: seconds from one breath to the next.
        strength: of jaw and vibrations.
    """
    drowsy = min(DROWSY, 0.3 * cue.seconds)
    stage.hold("lid_close", 1.0, cue.start, cue.stop, drowsy, 0.8 * drowsy)
    stage.hold("jaw_open", 0.2 * strength, cue.start + 0.3 * drowsy, cue.stop, drowsy, drowsy)
    stage.turn_head("pitch", -0.06, cue.start, cue.stop, 1.5 * drowsy, drowsy)
    stage.turn_head("roll", float(stage.rng.choice((-0.07, 0.07))), cue.start, cue.stop, 1.5 * drowsy, drowsy)
    stage.asleep.append((cue.start, cue.stop))
    start = cue.start + drowsy
    while start + 0.8 * breath < cue.stop - drowsy:
        seconds = min(vary(stage.rng, breath, 0.08), cue.stop - drowsy - start)
        _breathe(stage, start, start + seconds, strength)
        start += seconds
    stage.show("snoring", curves.pulse(stage.times, cue.start, cue.stop, drowsy, drowsy))


def _breathe(stage: FaceStage, start: float, stop: float, strength: float) -> None:
    middle = start + INHALING * (stop - start)
    inhaling, exhaling = middle - start, stop - middle
    stage.hold("jaw_open", vary(stage.rng, 0.1, 0.15) * strength, start, stop, inhaling, 0.8 * exhaling)
    stage.hold("nose_wrinkle", 0.1 * strength, start, middle + 0.2, 0.5 * inhaling, 0.4 * inhaling)
    stage.hold("cheek_puff", 0.22 * strength, middle, stop, 0.35 * exhaling, 0.5 * exhaling)
    for rate, begin, end, amount in ((RATTLE, start, middle, 0.55), (PUFF, middle, stop - 0.3 * exhaling, 0.9)):
        _vibrate(stage, vary(stage.rng, rate, 0.08), begin, end, amount * strength)
    stage.turn_head("up", 0.0015, start, stop, inhaling, 0.9 * exhaling)
    stage.event("inhale", start, stop=round(middle, 4))
    stage.event("exhale", middle, stop=round(stop, 4))


def _vibrate(stage: FaceStage, rate: float, start: float, stop: float, amount: float) -> None:
    """Lips that vibrate at a rate; left out where frames are too far apart to show it."""
    if stage.fps < 3 * rate:
        return
    ease = 0.35 * (stop - start)

    def course(times: np.ndarray) -> np.ndarray:
        return curves.pulse(times, start, stop, ease, ease) * np.sin(2 * np.pi * rate * (times - start))

    stage.activate("lip_flutter", course, amount)
