"""Frames to numbers: where a body faces, how its joints move, when its feet rest, where the floor is."""

from motionloom.features import contacts, facing, feet, floor, steps, velocities

__all__ = ["contacts", "facing", "feet", "floor", "steps", "velocities"]
