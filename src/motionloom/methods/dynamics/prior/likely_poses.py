"""Likely poses: recorded poses that nearly meet what is asked of some points, as a pose that is likely there.

Faces hold one of many expressions. One Gaussian of all of them hardly knows how deep a mouth is that a camera sees from
the front, or what brows do while lips open; the few recorded poses that look like what is asked do. Their mean, as
uncertain as they differ, pulls where no whole pose is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior, widened
from motionloom.methods.dynamics.prior.point_vectors import PointVectors
from motionloom.methods.dynamics.prior.subspace import Subspace

NEAR = 5  # recorded poses that are nearly as likely as the one that looks most like what is asked
LEAST = 0.005  # of the extent of the points: least deviation of a likely pose along any direction
MOST = 2000  # recorded poses that are looked at, evenly spread over all


@dataclass(frozen=True, eq=False)
class LikelyPose:
    """A pose that is likely in a frame."""

    frame: int  # of the motion
    coordinates: np.ndarray  # (d,) in the subspace
    covariance: np.ndarray  # (d, d)


def choose_poses(lessons: Sequence[np.ndarray]) -> np.ndarray:
    """(N, D) scaled vectors of lessons (F, D), so many that they can be looked at for every request."""
    every = np.concatenate(lessons)
    chosen = np.unique(np.linspace(0, len(every) - 1, min(MOST, len(every))).astype(int))
    return np.asarray(every[chosen], np.float32)


def likely_pose(subspace: Subspace, poses: np.ndarray, away: np.ndarray, least: float, frame: int) -> LikelyPose:
    """The mean of poses by how near they are to what is asked.

    Args:
        subspace: of the poses.
        poses: (N, D) scaled vectors.
        away: (N,) how far each is from what is asked.
        least: scaled deviation.
        frame: of the motion.
    """
    usual = max(float(np.partition(away, min(NEAR, len(away)) - 1)[min(NEAR, len(away)) - 1]), 1e-12)
    weights = np.exp(-0.5 * ((away**2 - away.min() ** 2) / usual**2))
    near = weights > 1e-6 * weights.max()
    shares = weights[near] / weights[near].sum()
    shown = subspace.to_coordinates(np.asarray(poses[near], float))
    mean = shares @ shown
    apart = shown - mean
    covariance = (apart * shares[:, None]).T @ apart + least**2 * np.eye(subspace.size)
    return LikelyPose(frame, mean, covariance)


def widened_between(prior: DynamicPrior, frames: np.ndarray, coordinates: np.ndarray) -> DynamicPrior:
    """The prior with the differences of poses in some frames of the model counted as likely.

    Args:
        prior: learnt from little data, or of poses that are held.
        frames: (n,) of the model, ascending.
        coordinates: (n, d) of the poses.
    """
    apart = np.diff(frames)
    differences = np.diff(coordinates, axis=0)[apart > 0] / np.sqrt(apart[apart > 0])[:, None]
    if isinstance(prior.vectors, PointVectors):  # errors add up to changes over time by as much as changes go on
        differences = differences @ sum(lag * matrix for lag, matrix in enumerate(prior.transitions, start=1)).T
    return widened(prior, differences)
