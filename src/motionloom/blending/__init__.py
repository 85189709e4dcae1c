"""Blending: joins of two motions by crossfade, inertialization, displacement maps or offset spreading."""

from motionloom.blending.average import average_poses, average_rotations
from motionloom.blending.crossfade import CROSSFADE_SECONDS, crossfade
from motionloom.blending.displacement import (
    DISPLACEMENT_SECONDS,
    DisplacementSettings,
    Match,
    displace,
    displace_join,
)
from motionloom.blending.easing_curves import ease_c1, ease_c2
from motionloom.blending.inertialization import INERTIA_SECONDS, InertiaSettings, inertialize
from motionloom.blending.moving_pose import VELOCITY_SECONDS, MovingPose, place_pose, read_pose
from motionloom.blending.splice import Joined
from motionloom.blending.spread_offset import SPREAD_SECONDS, spread_offset

__all__ = [
    "CROSSFADE_SECONDS",
    "DISPLACEMENT_SECONDS",
    "INERTIA_SECONDS",
    "SPREAD_SECONDS",
    "VELOCITY_SECONDS",
    "DisplacementSettings",
    "InertiaSettings",
    "Joined",
    "Match",
    "MovingPose",
    "average_poses",
    "average_rotations",
    "crossfade",
    "displace",
    "displace_join",
    "ease_c1",
    "ease_c2",
    "inertialize",
    "place_pose",
    "read_pose",
    "spread_offset",
]
