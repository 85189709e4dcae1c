"""Action units: what each muscle of a face moves when it is fully active, in millimetres for a face of average size.

Named after what they do, with the number of the Facial Action Coding System where there is one. Lids, the jaw and the
contact of the lips are not displacements but have laws of their own (`deformation.py`).
"""

import numpy as np

from motionloom.performer.face.markers import INDEX, NAMES, NEUTRAL, SIDES, on_both_sides

Displacements = dict[str, tuple[float, float, float]]  # part -> outwards, up, forwards, millimetres

SIDED: dict[str, Displacements] = {  # of one half; a part of the middle is moved by both halves
    "inner_brow_raise": {  # 1
        "inner_brow": (-0.5, 10.0, 1.0),
        "middle_brow": (0.0, 4.5, 0.5),
        "forehead": (-1.0, 4.5, 0.5),
        "glabella": (0.0, 2.5, 0.5),
        "forehead_middle": (0.0, 2.0, 0.3),
    },
    "outer_brow_raise": {  # 2
        "outer_brow": (1.0, 8.0, -0.5),
        "middle_brow": (0.5, 7.0, 0.0),
        "inner_brow": (0.0, 1.5, 0.0),
        "forehead": (0.0, 3.5, 0.0),
    },
    "brow_lower": {  # 4
        "inner_brow": (-4.0, -7.0, 2.0),
        "middle_brow": (-2.5, -5.5, 1.0),
        "outer_brow": (-1.0, -2.0, 0.3),
        "forehead": (-1.0, -3.0, 0.0),
        "glabella": (0.0, -3.0, 1.2),
        "forehead_middle": (0.0, -1.3, 0.0),
        "nose_bridge": (0.0, -0.6, 0.2),
    },
    "upper_lid_raise": {},  # 5
    "cheek_raise": {  # 6
        "cheekbone": (1.0, 5.0, 2.0),
        "cheek": (1.0, 3.0, 1.5),
        "outer_eye": (-1.2, 1.0, 0.3),
    },
    "lid_tighten": {},  # 7
    "nose_wrinkle": {  # 9
        "nostril": (0.5, 4.5, 0.5),
        "inner_brow": (-1.5, -4.0, 1.0),
        "side_upper_lip": (0.5, 3.5, 0.5),
        "cheekbone": (-1.5, 2.5, 1.0),
        "inner_eye": (-0.3, 0.6, 0.2),
        "glabella": (0.0, -2.0, 0.8),
        "nose_bridge": (0.0, 1.2, 0.5),
        "nose_tip": (0.0, 0.6, -0.2),
        "upper_lip": (0.0, 1.5, 0.2),
    },
    "upper_lip_raise": {  # 10
        "side_upper_lip": (1.0, 6.0, 0.8),
        "nostril": (0.8, 1.8, 0.3),
        "cheek": (0.0, 2.0, 1.0),
        "mouth_corner": (0.5, 1.5, 0.0),
        "cheekbone": (0.0, 1.0, 0.6),
        "upper_lip": (0.0, 2.3, 0.3),
    },
    "lip_corner_pull": {  # 12, the smile
        "mouth_corner": (8.0, 10.0, -6.0),
        "side_upper_lip": (4.0, 2.0, -2.5),
        "side_lower_lip": (4.0, 2.5, -2.5),
        "cheek": (4.5, 5.0, 2.0),
        "cheekbone": (1.5, 3.5, 2.0),
        "nostril": (1.2, 0.6, 0.0),
        "jaw": (2.0, 1.2, -0.3),
        "upper_lip": (0.0, -0.8, -1.2),
        "lower_lip": (0.0, -0.6, -0.8),
        "chin": (0.0, 0.3, -0.3),
    },
    "corner_depress": {  # 15
        "mouth_corner": (1.5, -7.0, -1.0),
        "side_lower_lip": (0.5, -2.0, -0.3),
        "side_upper_lip": (0.3, -1.2, 0.0),
        "cheek": (0.3, -2.0, 0.0),
        "jaw": (0.5, -1.5, 0.0),
        "chin": (0.0, -0.3, 0.2),
    },
    "lower_lip_depress": {  # 16
        "side_lower_lip": (1.5, -5.0, 0.8),
        "mouth_corner": (0.8, -1.5, -0.3),
        "lower_lip": (0.0, -2.6, 0.5),
        "chin": (0.0, -0.5, 0.3),
    },
    "lip_stretch": {  # 20
        "mouth_corner": (9.0, -2.0, -5.0),
        "side_upper_lip": (3.5, -0.3, -1.8),
        "side_lower_lip": (3.5, -1.8, -1.8),
        "cheek": (3.0, -1.0, 0.2),
        "jaw": (2.0, -1.0, 0.0),
    },
    "cheek_puff": {  # 34
        "cheek": (5.0, 0.0, 6.0),
        "cheekbone": (1.5, 0.5, 1.5),
        "mouth_corner": (-1.0, 0.0, 1.5),
        "side_upper_lip": (0.0, 0.3, 1.5),
        "side_lower_lip": (0.0, -0.3, 1.5),
        "jaw": (2.0, 0.0, 1.0),
        "upper_lip": (0.0, 0.0, 0.6),
        "lower_lip": (0.0, 0.0, 0.6),
    },
    "lid_close": {},  # 43, held
    "blink": {},  # 45
}
CENTRAL: dict[str, Displacements] = {
    "chin_raise": {  # 17
        "chin": (0.0, 5.0, 2.0),
        "lower_lip": (0.0, 4.5, 2.0),
        "side_lower_lip": (0.0, 4.0, 1.8),
        "upper_lip": (0.0, 1.5, 1.0),
        "side_upper_lip": (0.0, 1.3, 0.8),
        "mouth_corner": (0.0, -0.5, 0.0),
    },
    "lip_pucker": {  # 18
        "mouth_corner": (-8.0, 0.0, 6.0),
        "side_upper_lip": (-5.0, 1.0, 5.0),
        "side_lower_lip": (-5.0, -0.5, 5.0),
        "upper_lip": (0.0, 1.0, 5.0),
        "lower_lip": (0.0, -0.5, 5.0),
        "cheek": (-4.0, 0.0, 1.0),
        "jaw": (-1.0, 0.0, 0.0),
        "chin": (0.0, 0.5, 1.0),
    },
    "lip_press": {  # 24
        "upper_lip": (0.0, -3.0, -2.0),
        "side_upper_lip": (0.3, -2.5, -1.5),
        "lower_lip": (0.0, 3.5, -2.0),
        "side_lower_lip": (0.3, 3.0, -1.5),
        "mouth_corner": (0.8, 0.0, -1.0),
        "chin": (0.0, 1.0, 0.5),
    },
    "lip_flutter": {  # lips that air passes make vibrate, to and fro
        "upper_lip": (0.0, 0.1, 0.5),
        "side_upper_lip": (0.0, 0.1, 0.35),
        "lower_lip": (0.0, -0.15, 0.7),
        "side_lower_lip": (0.0, -0.1, 0.5),
        "cheek": (0.2, 0.0, 0.3),
    },
    "jaw_open": {},  # 26
    "jaw_left": {},  # 30; negative to the right
    "jaw_forward": {},  # 29
}
SIGNED = ("lip_flutter", "jaw_left")  # may be negative; all others are 0 at rest and 1 when fully active
UNITS = (*(f"{side}_{unit}" for unit in SIDED for side in SIDES), *CENTRAL)


def _half(unit: Displacements, side: str) -> np.ndarray:
    """(40, 3) millimetres that one half of a sided unit moves."""
    sign = 1.0 if side == "left" else -1.0
    values = np.zeros((len(NAMES), 3))
    for part, (outwards, up, forwards) in unit.items():
        values[INDEX.get(part, INDEX.get(f"{side}_{part}", -1))] = sign * outwards, up, forwards
    return values


def _whole(unit: Displacements) -> np.ndarray:
    """(40, 3) millimetres that a unit of the middle moves."""
    middle = {part: value for part, value in unit.items() if part in INDEX}
    return on_both_sides(middle, {part: value for part, value in unit.items() if part not in INDEX})


def _spread(pulled: np.ndarray) -> np.ndarray:
    """(U, 40, 3) millimetres: what is pulled takes the skin around it along, except across the mouth."""
    reach = np.exp(-0.5 * (np.linalg.norm(NEUTRAL[:, None] - NEUTRAL, axis=-1) / SKIN) ** 2)
    reach[np.ix_(UPPER_LIP, BELOW_MOUTH)] = reach[np.ix_(BELOW_MOUTH, UPPER_LIP)] = 0.0
    np.fill_diagonal(reach, 0.0)
    return pulled + TAKEN_ALONG * np.einsum("mn,unc->umc", reach, pulled)


SKIN, TAKEN_ALONG = 20.0, 0.16  # millimetres that a pull reaches, and the part of it that neighbours follow
UPPER_LIP = [INDEX[name] for name in NAMES if name.endswith("upper_lip")]
BELOW_MOUTH = [INDEX[name] for name in NAMES if name.endswith(("lower_lip", "chin", "jaw"))]
DISPLACEMENTS = _spread(  # (U, 40, 3) millimetres, in the order of UNITS
    np.stack(
        [_half(unit, side) for unit in SIDED.values() for side in SIDES] + [_whole(unit) for unit in CENTRAL.values()]
    )
)
