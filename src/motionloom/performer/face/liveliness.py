"""Liveliness: muscles are never quite still, and the harder they pull the less steadily they do (motor noise)."""

import numpy as np

from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.face.markers import SIDES
from motionloom.performer.face.units import CENTRAL, SIDED, SIGNED
from motionloom.performer.noise import smooth_noise

TONE = 0.03  # activation of muscles that nobody uses, on average
WAVERS = 0.08  # part by which an activation rises and falls, root mean square
PERIOD = 1.4  # seconds
OWN = 0.6  # part of that in which the halves of a face differ
STEADY = ("blink", "lid_close", *SIGNED)  # lids that are shut stay shut
STRAIN = 0.1  # activation above 1 at most, where several expressions ask for the same unit


def enliven(stage: FaceStage) -> dict[str, np.ndarray]:
    """The activation (F,) of every unit, with its tone and its unsteadiness.

    No muscle pushes, and none does more than `STRAIN` above fully active.
    """
    units = {}
    for unit in SIDED:
        common = _noise(stage)
        for side in SIDES:
            own = OWN * stage.actor.asymmetry * _noise(stage)
            units[f"{side}_{unit}"] = _live(stage, unit, f"{side}_{unit}", common + own)
    for unit in CENTRAL:
        units[unit] = _live(stage, unit, unit, _noise(stage))
    return units


def _live(stage: FaceStage, unit: str, name: str, noise: np.ndarray) -> np.ndarray:
    asked = stage.units[name]
    if unit not in STEADY:
        asked = asked * (1.0 + WAVERS * noise) + TONE * (1.0 + np.tanh(noise))
    over = np.maximum(asked - 1.0, 0.0)
    return np.maximum(np.minimum(asked, 1.0) + STRAIN * np.tanh(over / STRAIN), -1.0 if unit in SIGNED else 0.0)


def _noise(stage: FaceStage) -> np.ndarray:
    return smooth_noise(stage.rng, len(stage.times), stage.fps, PERIOD)
