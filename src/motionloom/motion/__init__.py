"""Skeletons, motions and grounds as arrays: rotations, kinematics, placements, provenance. No files, no policy."""

from motionloom.motion import hinges, kinematics, provenance, rest_pose, roles, rotations, two_bone_ik
from motionloom.motion.curves import Curves
from motionloom.motion.footing import Footing, Support
from motionloom.motion.ground import Box, Ground, Terrain
from motionloom.motion.motion import Motion, check_motion, concatenate, cut, mirror, resample, sample
from motionloom.motion.placement import Placement, compose, invert, place, place_points
from motionloom.motion.points import PointMotion, resample_points
from motionloom.motion.provenance import Provenance
from motionloom.motion.runs import find_runs
from motionloom.motion.skeleton import Skeleton

__all__ = [
    "Box",
    "Curves",
    "Footing",
    "Ground",
    "Motion",
    "Placement",
    "PointMotion",
    "Provenance",
    "Skeleton",
    "Support",
    "Terrain",
    "check_motion",
    "compose",
    "concatenate",
    "cut",
    "find_runs",
    "hinges",
    "invert",
    "kinematics",
    "mirror",
    "place",
    "place_points",
    "provenance",
    "resample",
    "resample_points",
    "rest_pose",
    "roles",
    "rotations",
    "sample",
    "two_bone_ik",
]
