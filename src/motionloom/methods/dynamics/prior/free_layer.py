"""Free layer: joints of an edit that move beside the subspace, so that a hand does not drag the gait along.

In the subspace of walking an arm swings with the legs. An edit that raises an arm alone is unlikely there, and legs and
root would pay for it. So the numbers of joints that an edit frees have coordinates of their own, each of them a smooth
process about zero.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.gaussian_mixture import GaussianMixture
from motionloom.methods.dynamics.prior.subspace import Subspace

LASTS = 0.15  # seconds after which little is left of it
N_TERMS = 400  # of the sums over the process


def with_free_layer(
    prior: DynamicPrior,
    columns: Sequence[int],
    deviations: np.ndarray,
    directions: np.ndarray | None = None,
    lasts: float = LASTS,
) -> DynamicPrior:
    """The prior with coordinates of their own for some numbers of vectors.

    Args:
        prior: of an edit.
        columns: of vectors.
        deviations: of each, how far it usually is from what the subspace shows.
        directions: (D, n) what else changes with each of n numbers; None for nothing.
        lasts: seconds after which little is left of it.
    """
    if not len(columns):
        return prior
    count, order, size = len(columns), prior.order, prior.size
    decay = float(np.exp(-1 / (lasts * prior.fps)))
    lags = [2 * decay, -(decay**2)] if order > 1 else [decay]
    spread, own = np.asarray(deviations, float) ** 2, _autocovariance(tuple(lags), order)
    driven = spread / own[0]  # variances of what drives them
    transitions = np.zeros((order, size + count, size + count))
    transitions[:, :size, :size] = prior.transitions
    for lag, value in enumerate(lags):
        transitions[lag, size:, size:] = value * np.eye(count)
    noise = prior.noise
    covariances = np.zeros((noise.size, size + count, size + count))
    covariances[:, :size, :size] = noise.covariances
    covariances[:, size:, size:] = np.diag(driven)
    means = np.hstack([noise.means, np.zeros((noise.size, count))])
    toeplitz = (own / own[0])[np.abs(np.subtract.outer(np.arange(order), np.arange(order)))]
    precision = np.zeros((order, size + count, order, size + count))
    precision[:, :size, :, :size] = prior.start_precision.reshape(order, size, order, size)
    precision[:, size:, :, size:] = np.einsum("ab,ij->aibj", np.linalg.inv(toeplitz), np.diag(1 / spread))
    if directions is None:
        directions = np.zeros((len(prior.subspace.middle), count))
        directions[list(columns), np.arange(count)] = 1.0
    shown = prior.subspace.variances
    return replace(
        prior,
        subspace=Subspace(
            np.hstack([prior.subspace.directions, directions]),
            prior.subspace.middle,
            np.concatenate([shown[:size], spread, shown[size:]]),
        ),
        transitions=transitions,
        noise=GaussianMixture(noise.weights, means, covariances),
        start_mean=np.hstack([prior.start_mean, np.zeros((order, count))]),
        start_precision=precision.reshape(order * (size + count), order * (size + count)),
        free=(*prior.free, *(int(column) for column in columns)),
    )


def without_subspace(prior: DynamicPrior) -> DynamicPrior:
    """A prior of second order that has no coordinates at all, before a free layer gives it some."""
    subspace, n = prior.subspace, 2
    return replace(
        prior,
        subspace=Subspace(np.zeros((len(subspace.middle), 0)), subspace.middle, subspace.variances),
        transitions=np.zeros((n, 0, 0)),
        noise=GaussianMixture(np.ones(1), np.zeros((1, 0)), np.zeros((1, 0, 0))),
        start_mean=np.zeros((n, 0)),
        start_precision=np.zeros((0, 0)),
    )


def without_free(prior: DynamicPrior, left_out: Sequence[int]) -> DynamicPrior:
    """The prior of an edit without some coordinates of the free layer: what they are says nothing of the others.

    Args:
        prior: with a free layer.
        left_out: coordinates, by their places among all of them.
    """
    kept = np.setdiff1d(np.arange(prior.size), left_out)
    shared, order, noise = prior.size - len(prior.free), prior.order, prior.noise
    square = np.ix_(kept, kept)
    precision = prior.start_precision.reshape(order, prior.size, order, prior.size)[:, kept][:, :, :, kept]
    subspace = prior.subspace
    return replace(
        prior,
        subspace=Subspace(
            np.ascontiguousarray(subspace.directions[:, kept]),
            subspace.middle,
            np.concatenate([subspace.variances[kept], subspace.variances[prior.size :]]),
        ),
        transitions=np.array([transition[square] for transition in prior.transitions]),
        noise=GaussianMixture(
            noise.weights, noise.means[:, kept], np.array([covariance[square] for covariance in noise.covariances])
        ),
        start_mean=prior.start_mean[:, kept],
        start_precision=precision.reshape(order * len(kept), order * len(kept)),
        free=tuple(prior.free[place - shared] for place in kept if place >= shared),
    )


@lru_cache(maxsize=8)
def _autocovariance(lags: tuple[float, ...], count: int) -> np.ndarray:
    """(count,) of a process that unit noise drives, between a frame and those after it."""
    answer = np.zeros(N_TERMS + count)
    answer[0] = 1.0
    for frame in range(1, len(answer)):
        answer[frame] = sum(value * answer[frame - 1 - lag] for lag, value in enumerate(lags) if frame > lag)
    return np.array([answer[:N_TERMS] @ answer[lag : lag + N_TERMS] for lag in range(count)])
