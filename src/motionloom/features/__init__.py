"""Features of frames: facing, velocities, joint limits, contacts, foot strikes, floor height, spikes."""

from motionloom.features import contacts, facing, feet, floor, foot_strikes, joint_limits, velocities

__all__ = ["contacts", "facing", "feet", "floor", "foot_strikes", "joint_limits", "velocities"]
