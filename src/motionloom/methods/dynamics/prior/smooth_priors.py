"""Smooth priors: what stands in place of a learnt system (section 6.3), behind the same interface.

linear, spline   the change of an interpolation of keys, which moves as little as possible
trajectory       least change of velocity in the numbers of poses themselves
subspace         least change of velocity in the coordinates of the subspace
"""

from dataclasses import replace

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.gaussian_mixture import GaussianMixture
from motionloom.methods.dynamics.prior.subspace import Subspace

INTERPOLATIONS = ("linear", "spline")
WITH_SUBSPACE = ("dynamics", "subspace")
METHODS = ("dynamics", *INTERPOLATIONS, "trajectory", "subspace")


def prior_for(method: str, learnt: DynamicPrior) -> DynamicPrior:
    """The learnt prior, or what stands in its place.

    Args:
        method: one of `METHODS`.
        learnt: gives the vectors, the subspace, and how large errors usually are.
    """
    if method == "dynamics":
        return learnt
    subspace = learnt.subspace if method == "subspace" else whole_space(learnt.subspace)
    size = subspace.size
    order = 1 if method in INTERPOLATIONS else 2
    transitions = np.stack([np.eye(size)] if order == 1 else [2 * np.eye(size), -np.eye(size)])
    variance = float(np.trace(learnt.noise.covariances[0])) / size
    noise = GaussianMixture(np.ones(1), np.zeros((1, size)), variance * np.eye(size)[None])
    free = np.zeros((order * size, order * size))
    return replace(
        learnt,
        subspace=subspace,
        transitions=transitions,
        noise=noise,
        start_mean=np.zeros((order, size)),
        start_precision=free,
        name=method,
    )


def whole_space(subspace: Subspace) -> Subspace:
    """All D numbers of a vector as coordinates."""
    size = len(subspace.middle)
    return Subspace(np.eye(size), subspace.middle, np.ones(size))
