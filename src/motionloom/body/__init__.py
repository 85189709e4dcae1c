"""The skinned mannequin (linear blend skinning) of GLB files, pictures and the studio."""

from motionloom.body.body import Body, skin, skin_normals
from motionloom.body.build import build

__all__ = ["Body", "build", "skin", "skin_normals"]
