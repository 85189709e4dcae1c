"""The skinned mannequin (linear blend skinning) of GLB files, pictures and the studio."""

from motionloom.body.body import Body, skin, skin_normals
from motionloom.body.build import build, build_for
from motionloom.features.neutral_pose import NeutralPose, learn_neutral_pose

__all__ = ["Body", "NeutralPose", "build", "build_for", "learn_neutral_pose", "skin", "skin_normals"]
