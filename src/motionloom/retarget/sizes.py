"""Sizes: the scale between two bodies, the one that several motions share, and motions in another size."""

from collections.abc import Iterable

import numpy as np

from motionloom.motion import Footing, Motion, Skeleton


def size_ratio(source: Skeleton, target: Skeleton) -> float:
    """How much longer the legs of one skeleton are than those of another."""
    return target.leg_length / source.leg_length


def common_scale(sources: Iterable[Skeleton], target: Skeleton) -> float:
    """The scale of places that motions share when they are retargeted together: the geometric mean of their own."""
    return float(np.exp(np.mean([np.log(size_ratio(source, target)) for source in sources])))


def resized_motion(motion: Motion, skeleton: Skeleton, factor: float, floor_height: float) -> Motion:
    """A motion times a factor about the floor, on its skeleton times that factor."""
    floor = np.array([0.0, floor_height, 0.0])
    return Motion(skeleton, (motion.root_positions - floor) * factor + floor, motion.local_rotations, motion.fps)


def resized_footing(footing: Footing, factor: float, floor_height: float) -> Footing:
    """What feet stand on, times a factor about the floor."""
    return footing.raised(-floor_height).scaled(factor).raised(floor_height)
