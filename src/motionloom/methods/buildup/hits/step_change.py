"""Step change: how much longer, shorter or more to the side steps become when a motion is bent to its places."""

from collections.abc import Sequence

import numpy as np

from motionloom.constraints import GroundTarget
from motionloom.constraints.bend_limits import BendLimits, measure_distortion
from motionloom.constraints.path_deformation import DEFAULT, Pin, bend
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics
from motionloom.motion.angles import wrap_angle


def most_changed(before: Motion, targets: Sequence[GroundTarget]) -> float:
    """The largest share by which a step becomes longer, shorter or goes aside.

    Args:
        before: joined, but not yet bent.
        targets: that it is bent to.
    """
    if not targets:
        return 0.0
    headings, ground = find_facing(before.skeleton, kinematics.world_positions(before))
    path = bend(ground, headings, before.fps, _pins(targets, headings))
    found = measure_distortion(ground, headings, before.fps, path, before.skeleton.leg_length, BendLimits(), DEFAULT)
    return max(found.longer, found.shorter, found.aside)


def _pins(targets: Sequence[GroundTarget], headings: np.ndarray) -> list[Pin]:
    """Targets as pins of a path, their turns unwrapped from one to the next."""
    pins, turn = [], 0.0
    for target in sorted(targets, key=lambda target: target.frame):
        if target.heading is not None:
            turn += wrap_angle(target.heading - float(headings[target.frame]) - turn)
        position = None if target.position is None else np.asarray(target.position, float)
        pins.append(Pin(target.frame, position, None if target.heading is None else turn))
    return pins
