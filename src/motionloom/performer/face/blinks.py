"""Blinks: when eyes close for a moment, and how fast."""

import numpy as np

from motionloom.performer import curves
from motionloom.performer.face.face_stage import FaceStage

SHORTEST, LONGEST = 0.23, 0.38  # seconds from open to open
CLOSING, CLOSED = 0.4, 0.08  # parts of a blink in which lids come down, and in which they stay shut
APART = 0.6  # seconds between two blinks, at least


def blink(stage: FaceStage, start: float, seconds: float) -> None:
    """Close both eyes for a moment, and say so in the truth."""
    down, up = start + CLOSING * seconds, start + (CLOSING + CLOSED) * seconds

    def course(times: np.ndarray) -> np.ndarray:
        return curves.ease((times - start) / (down - start)) * (
            1.0 - curves.ease((times - up) / (start + seconds - up))
        )

    for side in ("left", "right"):  # lids close together, and wholly
        stage.units[f"{side}_blink"] = np.maximum(stage.units[f"{side}_blink"], course(stage.times))
    stage.label("blink", start, start + seconds)
    stage.event("blink", (down + up) / 2, start=round(start, 4), stop=round(start + seconds, 4))


def blink_now_and_then(stage: FaceStage) -> None:
    """Blink at the rate of the stage: at irregular times, not in sleep, and not twice at once."""
    rng, last = stage.rng, -APART
    given = [(mark.start, mark.stop) for mark in stage.labels if mark.word == "blink"]
    busy = [*given, *stage.asleep]
    due = rng.exponential()
    tension = np.cumsum(stage.blink_rate) / (60.0 * stage.fps)
    for time, expected in zip(stage.times, tension):
        if expected < due:
            continue
        seconds = float(rng.uniform(SHORTEST, LONGEST))
        stop = time + seconds
        free = all(stop + 0.1 < begin or time > end + 0.1 for begin, end in busy)
        if free and time - last > APART and stop < stage.seconds - 0.1 and time > 0.1:
            blink(stage, float(time), seconds)
            last = stop
            due = expected + rng.exponential()
