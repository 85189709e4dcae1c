"""Skin: what it does besides the displacements of units, because fibres of a muscle are never recruited alike.

A smooth random field over the face and over time: small at rest, larger where the skin is moved far.
"""

from collections.abc import Mapping

import numpy as np

from motionloom.performer.face.face_stage import FaceStage
from motionloom.performer.face.markers import MIRROR, NAMES, NEUTRAL
from motionloom.performer.face.units import DISPLACEMENTS, UNITS
from motionloom.performer.noise import smooth_noise

AT_REST = 0.12  # millimetres, root mean square, along each axis
MOVED = 0.06  # part of the way that the skin has moved, added to that
ALIKE = 22.0  # millimetres within which the skin does about the same
PERIOD = 1.3  # seconds
FOLLOWS_JAW = {"chin": 30.0, "lower_lip": 28.0, "side_lower_lip": 25.0, "mouth_corner": 12.0, "jaw": 12.0, "cheek": 5.0}
_JAW = np.array([FOLLOWS_JAW.get(name, FOLLOWS_JAW.get(name.partition("_")[2], 0.0)) for name in NAMES])  # (40,) mm


def unsettle(stage: FaceStage, units: Mapping[str, np.ndarray]) -> np.ndarray:
    """(F, 40, 3) millimetres that the skin moves besides what units (F,) make of it; mirrored if the actor is alike."""
    noise = np.array([smooth_noise(stage.rng, len(stage.times), stage.fps, PERIOD) for _ in range(3 * len(NAMES))])
    field = np.einsum("mn,ncf->fmc", _correlation(), noise.reshape(len(NAMES), 3, -1))
    mirrored = field[:, MIRROR] * [-1.0, 1.0, 1.0]
    field = (field + mirrored) / 2 + stage.actor.asymmetry * (field - mirrored) / 2
    active = np.stack([units[name] for name in UNITS], axis=-1)
    moved = np.linalg.norm(np.tensordot(active, DISPLACEMENTS, axes=1), axis=-1) + units["jaw_open"][:, None] * _JAW
    return field * (AT_REST + MOVED * moved)[..., None]


def _correlation() -> np.ndarray:
    """(40, 40) that makes noise alike within `ALIKE`, with a root mean square of 1 at every marker."""
    apart = np.linalg.norm(NEUTRAL[:, None] - NEUTRAL, axis=-1)
    near = np.exp(-((apart / ALIKE) ** 2))
    return near / np.linalg.norm(near, axis=1, keepdims=True)
