"""Legs: feet brought to where they have to be; the root moves where legs are too short."""

from collections.abc import Mapping

import numpy as np

from motionloom.constraints.reached_ankles import reach_ankles
from motionloom.features.feet import SIDES
from motionloom.motion import Motion, Skeleton

SPREAD = 0.08  # seconds over which a translation of the root fades out

Foot = tuple[np.ndarray, np.ndarray]  # (F, 3) metres, world, of an ankle, and (F, 4) foot to world


def sides_with_legs(skeleton: Skeleton) -> list[str]:
    """Of left and right those with hip, knee and foot."""
    return [side for side in SIDES if skeleton.has(f"{side}_hip", f"{side}_knee", f"{side}_foot")]


def reach_feet(motion: Motion, feet: Mapping[str, Foot], held: np.ndarray) -> Motion:
    """The motion with its feet at other places.

    Args:
        motion: of a skeleton with these legs.
        feet: by side, where ankles have to be, and how feet are turned.
        held: (F,) bool: frames in which the root does not move.
    """
    ankles, turns = {side: foot[0] for side, foot in feet.items()}, {side: foot[1] for side, foot in feet.items()}
    return reach_ankles(motion, ankles, turns, held=held, spread=SPREAD) if feet else motion
