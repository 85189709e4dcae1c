"""Frames to numbers: where a body faces, how its joints move, when its feet rest, where the floor is."""
