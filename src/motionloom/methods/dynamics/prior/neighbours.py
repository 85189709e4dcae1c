"""Neighbours: how points go along with others that are moved, the less the farther away: no point is torn off.

What an edit moves takes others along as recordings have it: the covariance of recorded points, multiplied by a weight
that falls with the distance between two of them and is zero beyond a reach, is a covariance again. What the subspace of
a new motion cannot show of some points takes those beside them along by their distance alone.
"""

from collections.abc import Sequence

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.free_layer import with_free_layer, without_subspace
from motionloom.methods.dynamics.prior.point_vectors import PointVectors
from motionloom.methods.dynamics.prior.subspace import Subspace

FREE = 0.5  # scaled: how far points of an edit usually are from where they were
REST, REST_LASTS = 0.01, 0.3  # of the extent: how far points of a new motion are from what the subspace shows; seconds
FAST, FAST_LASTS = 0.006, 0.06  # the same of what is asked over time, and trembles
REACH = 0.4  # of the extent: beyond it a point stays where it is in an edit
BESIDE = 0.1  # of the extent: how far away the part of a point that the subspace cannot show is shared by others
NOISE = 0.02  # of the mean variance of a number, that each moves by itself
ALONE = 0.05  # the same of what is shared by distance


def edit_prior(prior: DynamicPrior, recorded: Subspace, points: Sequence[int]) -> DynamicPrior:
    """The prior of the change of some points and of those around them; of the first one, where there are none.

    Args:
        prior: of points.
        recorded: how they were found to move together.
        points: that are moved.
    """
    codec, own = prior.point_vectors, list(points) or [0]
    columns = columns_of(own)
    directions = as_recorded(codec, recorded, own)
    return with_free_layer(without_subspace(prior), columns.tolist(), np.full(len(columns), FREE), directions)


def with_rest(prior: DynamicPrior, points: Sequence[int], followed: Sequence[int] = ()) -> DynamicPrior:
    """The prior of a new motion, in which some points are a little beside what the subspace shows.

    Args:
        prior: of points.
        points: that something is asked of.
        followed: those of them that are asked to follow something over time.
    """
    codec = prior.point_vectors
    for own, deviation, lasts in ((points, REST, REST_LASTS), (followed, FAST, FAST_LASTS)):
        columns = columns_of(own)
        deviations = np.full(len(columns), deviation * codec.extent * codec.scale)
        if len(columns):
            prior = with_free_layer(prior, columns.tolist(), deviations, by_distance(codec, own), lasts)
    return prior


def as_recorded(codec: PointVectors, recorded: Subspace, points: Sequence[int]) -> np.ndarray:
    """(D, 3 n) how all numbers of a vector change with those of n points, which are ones at these themselves.

    Args:
        codec: how points are written.
        recorded: subspace of the vectors; what it cannot show counts as movement of each number by itself.
        points: that are moved.
    """
    columns = columns_of(points)
    size = len(recorded.middle)
    by_itself = float(recorded.variances[recorded.size :].sum()) + NOISE * float(recorded.variances.sum())
    together = (recorded.directions * recorded.variances[: recorded.size]) @ recorded.directions[columns].T
    together[columns, np.arange(len(columns))] += by_itself / size
    near = nearness(_apart(codec, points) / (REACH * codec.extent))
    return _follow(together * np.repeat(np.repeat(near, 3, axis=0), 3, axis=1), columns)


def by_distance(codec: PointVectors, points: Sequence[int]) -> np.ndarray:
    """(D, 3 n) the same where only the distance between points says how they go along."""
    apart = _apart(codec, points) / (BESIDE * codec.extent)
    near = np.exp(-0.5 * apart**2)
    near[list(points), np.arange(len(points))] += ALONE
    return _follow(np.kron(near, np.eye(3)), columns_of(points))


def _follow(covariances: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """(D, k) what all D numbers are expected to be beside k of them, of their (D, k) covariances."""
    found = np.linalg.solve(covariances[columns], covariances.T).T
    found[columns] = np.eye(len(columns))
    return np.asarray(found)


def _apart(codec: PointVectors, points: Sequence[int]) -> np.ndarray:
    """(M, n) metres between all points and some."""
    return np.asarray(np.linalg.norm(codec.means[:, None] - codec.means[list(points)], axis=-1))


def columns_of(points: Sequence[int]) -> np.ndarray:
    """(3 n,) the numbers of a vector that are of n points."""
    return (3 * np.asarray(points, int)[:, None] + np.arange(3)).ravel()


def nearness(apart: np.ndarray) -> np.ndarray:
    """1 at no distance, 0 from 1 on, and positive definite in space (Wendland's second)."""
    near = np.maximum(1.0 - apart, 0.0)
    return near**4 * (4 * apart + 1)
