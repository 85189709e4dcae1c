"""Frames to numbers: where a body faces, how joints move and how far, when feet rest, where the floor is."""

from motionloom.features import contacts, facing, feet, floor, foot_strikes, joint_limits, velocities

__all__ = ["contacts", "facing", "feet", "floor", "foot_strikes", "joint_limits", "velocities"]
