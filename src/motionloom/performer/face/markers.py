"""The 40 markers of a face: their names, where they are on a face at rest, and which are each other's mirror image.

Millimetres in the frame of the head: the origin between the ears, x to the left of the face, y up, z forwards.
"""

import numpy as np

MIDDLE = {
    "forehead_top": (0.0, 98.0, 78.0),
    "forehead_middle": (0.0, 72.0, 90.0),
    "glabella": (0.0, 42.0, 93.0),
    "nose_bridge": (0.0, 22.0, 91.0),
    "nose_tip": (0.0, -14.0, 110.0),
    "upper_lip": (0.0, -41.0, 101.0),
    "lower_lip": (0.0, -58.0, 99.0),
    "chin": (0.0, -82.0, 93.0),
}
LEFT = {  # of the left half; lids are placed by the eye they cover
    "forehead": (38.0, 68.0, 78.0),
    "inner_brow": (13.0, 44.0, 90.0),
    "middle_brow": (32.0, 50.0, 83.0),
    "outer_brow": (52.0, 43.0, 66.0),
    "inner_eye": (17.0, 20.0, 76.0),
    "outer_eye": (47.0, 21.0, 68.0),
    "upper_lid": (32.0, 26.9, 79.1),
    "lower_lid": (32.0, 17.9, 79.4),
    "nostril": (17.0, -20.0, 92.0),
    "cheekbone": (48.0, -8.0, 74.0),
    "cheek": (44.0, -38.0, 72.0),
    "ear": (72.0, 0.0, 0.0),
    "side_upper_lip": (13.0, -42.5, 97.0),
    "mouth_corner": (25.0, -50.0, 86.0),
    "side_lower_lip": (13.0, -57.0, 95.0),
    "jaw": (38.0, -72.0, 62.0),
}
SIDES = ("left", "right")
NAMES = (*MIDDLE, *(f"{side}_{part}" for part in LEFT for side in SIDES))
INDEX = {name: number for number, name in enumerate(NAMES)}
MIRROR = np.array(
    [INDEX[name.replace(*SIDES) if name.startswith("left") else name.replace(*SIDES[::-1])] for name in NAMES]
)
STEADY = ("forehead_top", "left_ear", "right_ear")  # hardly move with any unit


def on_both_sides(middle: dict[str, tuple], left: dict[str, tuple]) -> np.ndarray:
    """(40, 3) of values of the middle and of the left half, mirrored to the right; 0 where none is given."""
    values = np.zeros((len(NAMES), 3))
    for part, value in middle.items():
        values[INDEX[part]] = value
    for part, (outwards, up, forwards) in left.items():
        values[INDEX[f"left_{part}"]] = outwards, up, forwards
        values[INDEX[f"right_{part}"]] = -outwards, up, forwards
    return values


NEUTRAL = on_both_sides(MIDDLE, LEFT)  # (40, 3) millimetres
