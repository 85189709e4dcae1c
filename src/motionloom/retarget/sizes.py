"""Sizes: the scale between two bodies, and the one that several motions share."""

from collections.abc import Iterable

import numpy as np

from motionloom.motion import Skeleton


def size_ratio(source: Skeleton, target: Skeleton) -> float:
    """How much longer the legs of one skeleton are than those of another."""
    return target.leg_length / source.leg_length


def common_scale(sources: Iterable[Skeleton], target: Skeleton) -> float:
    """The scale of places that motions share when they are retargeted together: the geometric mean of their own."""
    return float(np.exp(np.mean([np.log(size_ratio(source, target)) for source in sources])))
