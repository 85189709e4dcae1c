"""The simple skinned body that GLB, pictures and the studio share."""

from motionloom.body.body import Body, skin, skin_normals
from motionloom.body.build import build

__all__ = ["Body", "build", "skin", "skin_normals"]
