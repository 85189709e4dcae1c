"""Curves of a motion to be plotted: speed, heading, heights of the feet."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.facing import find_facing
from motionloom.features.feet import POINTS, foot_points
from motionloom.features.velocities import speeds
from motionloom.motion import Ground, Motion, check_motion, kinematics


def find_curves(motion: Motion, floor_height: float = 0.0, given: Ground | None = None) -> dict[str, np.ndarray]:
    """Curves over the frames of a motion; those that its skeleton has no joints for are left out.

    Args:
        motion: any body.
        floor_height: metres, world.
        given: what feet stand on, if it is known: heights of the feet are above its surface.

    Returns:
        (F,) arrays: "speed" over the ground in m/s, "heading" in degrees, unwrapped, positive to the left, and the
        heights of `features.feet.POINTS` above the floor in cm, by their names.
    """
    motion = check_motion(motion)
    ground = motion.root_positions * np.array([1.0, 0.0, 1.0])
    curves = {"speed": speeds(ground, motion.fps)}
    try:
        headings, _ = find_facing(motion.skeleton, kinematics.world_positions(motion))
        curves["heading"] = np.degrees(headings)
    except BadInput:  # without hips and shoulders there is no facing
        pass
    points = foot_points(motion, floor_height, ground=given)
    under = floor_height if given is None or given.is_flat else given.supports_at(np.nan_to_num(points))
    heights = 100 * (points[..., 1] - under)  # (F, 4)
    curves |= {name: heights[:, k] for k, name in enumerate(POINTS) if not np.isnan(heights[:, k]).any()}
    return curves
