"""What a head does on its own: turn, nod, shake."""

import numpy as np

from motionloom.performer import curves
from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.noise import vary
from motionloom.performer.scores.score import Cue


def turn(stage: FaceStage, cue: Cue, yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0) -> None:
    """Turn the head by radians, to the left, down, and to its right shoulder, and back at the end of the cue."""
    ease = min(0.9, 0.45 * cue.seconds)
    for axis, angle in (("yaw", yaw), ("pitch", pitch), ("roll", roll)):
        stage.turn_head(axis, angle, cue.start, cue.stop, ease, ease)
    stage.label("turn_head", cue.start, cue.stop)


def nod(stage: FaceStage, cue: Cue, angle: float = 0.05, rate: float = 1.3) -> None:
    """Nod: down and up again, at a rate per second."""
    _swing(stage, cue, "pitch", angle, rate)
    stage.label("nod", cue.start, cue.stop)


def shake(stage: FaceStage, cue: Cue, angle: float = 0.06, rate: float = 1.1) -> None:
    """Shake the head: left and right, at a rate per second."""
    _swing(stage, cue, "yaw", angle, rate)
    stage.label("shake_head", cue.start, cue.stop)


def _swing(stage: FaceStage, cue: Cue, axis: str, angle: float, rate: float) -> None:
    ease = min(0.5, 0.4 * cue.seconds)
    shown = curves.pulse(stage.times, cue.start, cue.stop, ease, ease)
    swing = np.sin(2 * np.pi * vary(stage.rng, rate) * (stage.times - cue.start))
    stage.head[axis] += vary(stage.rng, angle, 0.1) * shown * swing
