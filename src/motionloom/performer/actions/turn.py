"""Turning on the spot, as far as an about-face and further."""

import math
from dataclasses import replace

from motionloom.performer.actions.stand import standing_gait
from motionloom.performer.scores.score import Cue
from motionloom.performer.stage import Stage


def perform(stage: Stage, cue: Cue, angle: float = math.pi, ease: float = 0.5) -> None:
    """Turn on the spot.

    Args:
        stage: where to write.
        cue: when.
        angle: radians; positive to the left.
        ease: seconds to get into it.
    """
    gait = replace(standing_gait(stage, width=0.15, shifts=0.2), turn=angle / cue.seconds, cadence=2.0, lift=0.06)
    stage.set_gait(cue.start, gait, ease)
