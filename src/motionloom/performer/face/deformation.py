"""Deformation: from activations of units to where the markers of a face are, in the frame of the head.

Skin moves by the displacements of its units, then with the jaw, which turns about its hinge. Lids glide over the
eyeballs and lips touch: neither can pass through the other, whatever the activations are.
"""

from collections.abc import Mapping

import numpy as np

from motionloom.performer.face.actors import Actor, shape_face
from motionloom.performer.face.markers import INDEX, NAMES, SIDES
from motionloom.performer.face.units import DISPLACEMENTS, UNITS

HINGE = np.array([0.0, -4.0, 12.0])  # millimetres, middle of the two joints of the jaw
SKULL = np.array([85.0, 130.0, 105.0])  # millimetres, half axes of the ellipsoid that skin slides over
WIDEST = 0.33  # radians that a fully open jaw turns
JAW_LEFT, JAW_FORWARD = 9.0, 5.0  # millimetres at activation 1
FOLLOWS_JAW = {  # part of the jaw's movement
    "chin": 1.0,
    "lower_lip": 0.97,
    "side_lower_lip": 0.87,
    "mouth_corner": 0.42,
    "jaw": 0.45,
    "cheek": 0.15,
    "upper_lip": 0.02,
    "side_upper_lip": 0.06,
}
EYE = np.array([32.0, 22.0, 66.0])  # millimetres, centre of the left eyeball
LID_RADIUS = 14.0  # millimetres from there to the edges of the lids
OPEN_UPPER, OPEN_LOWER = 0.42, -0.33  # radians above the middle of the eye: the edges of lids at rest
SHUT = -0.13  # radians: where closed lids meet
EDGE = 0.06  # radians between the markers of two lids that touch
LIP_CONTACT = 6.0  # millimetres between the markers of lips that are pressed together
LIP_SOFTNESS = 1.5  # millimetres over which contact sets in
LIPS = (
    ("upper_lip", "lower_lip"),
    ("left_side_upper_lip", "left_side_lower_lip"),
    ("right_side_upper_lip", "right_side_lower_lip"),
)


def deform(units: Mapping[str, np.ndarray], actor: Actor, skin: np.ndarray | float = 0.0) -> np.ndarray:
    """Where the markers are.

    Args:
        units: activations (F,) of all `UNITS`; 0 at rest, 1 fully active.
        actor: whose face it is.
        skin: (F, 40, 3) millimetres that it moves besides, before jaw, lips and lids have their say.

    Returns:
        (F, 40, 3) metres in the frame of the head.
    """
    active = np.stack([units[name] for name in UNITS], axis=-1)  # (F, U)
    moved = np.tensordot(active, DISPLACEMENTS, axes=1) * (actor.size * actor.expressiveness)  # (F, 40, 3)
    moved = moved + skin
    rest = shape_face(actor)
    moved[..., 2] += _slide(rest, moved, actor)
    face = _part_lips(_move_jaw(rest + moved, units, actor))
    for side in SIDES:
        _place_lids(face, units, actor, side)
    return face / 1000.0


def _slide(rest: np.ndarray, moved: np.ndarray, actor: Actor) -> np.ndarray:
    """(F, 40) millimetres forwards by which skin that moves (F, 40, 3) falls back, because the skull is round."""
    width, height, depth = SKULL * [actor.width, actor.height, actor.depth]
    bulge = np.sqrt(np.maximum(1.0 - (rest[:, 0] / width) ** 2 - (rest[:, 1] / height) ** 2, 0.2))
    x, y = rest[:, 0] / width, rest[:, 1] / height
    dx, dy = moved[..., 0] / width, moved[..., 1] / height
    along = x * dx + y * dy
    return -depth * (0.5 * (dx**2 + dy**2) / bulge + 0.5 * along**2 / bulge**3)  # second order of an ellipsoid


def _move_jaw(face: np.ndarray, units: Mapping[str, np.ndarray], actor: Actor) -> np.ndarray:
    """The face with its jaw opened, shifted and pushed forwards; skin follows by a part of it."""
    follows = np.array([FOLLOWS_JAW.get(name, FOLLOWS_JAW.get(name.partition("_")[2], 0.0)) for name in NAMES])
    angles = units["jaw_open"][:, None] * (WIDEST * follows)  # (F, 40) radians, the chin down and back
    size = np.array([actor.width, actor.height, actor.depth])
    arm = face - HINGE * size
    cos, sin = np.cos(angles), np.sin(angles)
    y, z = arm[..., 1] * cos - arm[..., 2] * sin, arm[..., 1] * sin + arm[..., 2] * cos
    aside = units["jaw_left"][:, None] * follows * JAW_LEFT * actor.width
    ahead = units["jaw_forward"][:, None] * follows * JAW_FORWARD * actor.depth
    return np.stack([arm[..., 0] + aside, y, z + ahead], axis=-1) + HINGE * size


def _part_lips(face: np.ndarray) -> np.ndarray:
    """Lips push each other away before they would pass: the gap between them never falls below `LIP_CONTACT`."""
    face = face.copy()
    for upper, lower in LIPS:
        above, below = INDEX[upper], INDEX[lower]
        gap = face[:, above, 1] - face[:, below, 1]
        push = LIP_CONTACT + LIP_SOFTNESS * np.logaddexp(0.0, (gap - LIP_CONTACT) / LIP_SOFTNESS) - gap
        face[:, above, 1] += push / 2
        face[:, below, 1] -= push / 2
    return face


def _place_lids(face: np.ndarray, units: Mapping[str, np.ndarray], actor: Actor, side: str) -> None:
    """Put the two lids of an eye where they are, on their eyeball: open, narrowed or shut."""
    unit = {name.partition("_")[2]: values for name, values in units.items() if name.startswith(side)}
    closed = 1.0 - (1.0 - np.clip(unit["blink"], 0.0, 1.0)) * (1.0 - np.clip(unit["lid_close"], 0.0, 1.0))
    narrow = np.tanh(unit["lid_tighten"] + 0.7 * unit["cheek_raise"] + 0.4 * unit["nose_wrinkle"])
    heavy = np.tanh(0.5 * unit["lid_tighten"] + 0.35 * unit["brow_lower"])
    wide = 1.0 + 0.35 * unit["upper_lid_raise"]
    rise = (OPEN_UPPER - SHUT - EDGE / 2) * wide * (1.0 - 0.5 * heavy) * (1.0 - closed)
    drop = (SHUT - EDGE / 2 - OPEN_LOWER) * (1.0 - 0.9 * narrow) * (1.0 - closed)
    upper, lower = SHUT + EDGE / 2 + rise, SHUT - EDGE / 2 - drop  # radians
    eye = EYE * [actor.width, actor.height, actor.depth] * [1.0 if side == "left" else -1.0, 1.0, 1.0]
    for part, angle in (("upper_lid", upper), ("lower_lid", lower)):
        over = np.stack([np.zeros_like(angle), np.sin(angle), np.cos(angle)], axis=-1)
        face[:, INDEX[f"{side}_{part}"]] = eye + LID_RADIUS * actor.size * over
