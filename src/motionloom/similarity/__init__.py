"""Similarity of frames: three distance measures, local minima, nearest neighbours, alignment and time warps."""

from motionloom.similarity.alignment import (
    AlignedSet,
    align_clouds,
    align_frames,
    align_motions,
    align_points,
    align_set,
)
from motionloom.similarity.feature_space import (
    FeatureDistances,
    FeatureSettings,
    FeatureSpace,
    in_nearest_distances,
    learn_features,
    measure_features,
    project,
    raw_features,
)
from motionloom.similarity.joint_angles import JointAngles, measure_angles
from motionloom.similarity.measure import Measure
from motionloom.similarity.minima import Minima, MinimaSettings, find_minima
from motionloom.similarity.motion_stack import Stack, stack
from motionloom.similarity.neighbours import Neighbours, NeighbourSettings, find_neighbours
from motionloom.similarity.point_cloud import PointClouds, PointSettings, distinct_joints, measure_points
from motionloom.similarity.slices import Slice, slice_through
from motionloom.similarity.thresholds import default_threshold, natural_step, nearest_distance
from motionloom.similarity.tiles import TileSettings
from motionloom.similarity.time_warps import TimeWarp, warp_time

__all__ = [
    "AlignedSet",
    "FeatureDistances",
    "FeatureSettings",
    "FeatureSpace",
    "JointAngles",
    "Measure",
    "Minima",
    "MinimaSettings",
    "NeighbourSettings",
    "Neighbours",
    "PointClouds",
    "PointSettings",
    "Slice",
    "Stack",
    "TileSettings",
    "TimeWarp",
    "align_clouds",
    "align_frames",
    "align_motions",
    "align_points",
    "align_set",
    "default_threshold",
    "distinct_joints",
    "find_minima",
    "find_neighbours",
    "in_nearest_distances",
    "learn_features",
    "measure_angles",
    "measure_features",
    "measure_points",
    "natural_step",
    "nearest_distance",
    "project",
    "raw_features",
    "slice_through",
    "stack",
    "warp_time",
]
