"""Features of frames: facing, velocities, joint limits, contacts, supports, foot strikes, floor height, spikes."""

from motionloom.features import (
    contacts,
    facing,
    feet,
    floor,
    foot_strikes,
    joint_limits,
    supported_contacts,
    supports,
    velocities,
)

__all__ = [
    "contacts",
    "facing",
    "feet",
    "floor",
    "foot_strikes",
    "joint_limits",
    "supported_contacts",
    "supports",
    "velocities",
]
