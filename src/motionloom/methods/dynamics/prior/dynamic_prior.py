"""Dynamic prior: how likely a motion is by a linear system, and the same written as one quadratic form.

The controls are eliminated: an error z_t = x_t - A x is drawn from a mixture of Gaussians with covariances
B S B' + noise, which is the least over all controls of the two terms that the paper has (equations 7, 8 and 14). The
first m frames are drawn from one Gaussian over all of them together, so that the velocity of a start is as likely as
those of the recordings; `independent_start` makes them independent, as in equation 13.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.prior.gaussian_mixture import GaussianMixture, learn_mixture
from motionloom.methods.dynamics.prior.linear_system import LinearSystem
from motionloom.methods.dynamics.prior.point_vectors import PointVectors
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors
from motionloom.methods.dynamics.prior.subspace import Subspace

Vectors = PoseVectors | PointVectors  # how bodies or points are written

START_NOISE = 1e-3  # of the mean variance of a coordinate: floor of the start's variances
ERROR_FLOOR = 0.03  # of the mean variance of an error: floor of variances along any direction


@dataclass(frozen=True, eq=False)
class DynamicPrior:
    """A distribution of motions, as coordinates of a subspace over frames."""

    vectors: Vectors
    subspace: Subspace
    transitions: np.ndarray  # (m, d, d)
    noise: GaussianMixture  # of the errors, over d numbers
    start_mean: np.ndarray  # (m, d)
    start_precision: np.ndarray  # (m d, m d); zeros where nothing is known of the start
    name: str = "dynamics"
    free: tuple[int, ...] = ()  # numbers of vectors whose own coordinates come last
    poses: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # (N, D) of points: some that were recorded

    @property
    def order(self) -> int:
        """m."""
        return len(self.transitions)

    @property
    def size(self) -> int:
        """d."""
        return self.subspace.size

    @property
    def fps(self) -> float:
        return self.vectors.fps

    @property
    def pose_vectors(self) -> PoseVectors:
        """How poses of bodies are written."""
        assert isinstance(self.vectors, PoseVectors)
        return self.vectors

    @property
    def point_vectors(self) -> PointVectors:
        """How points are written."""
        assert isinstance(self.vectors, PointVectors)
        return self.vectors

    @cached_property
    def precisions(self) -> np.ndarray:
        """(K, d, d) of the errors."""
        return np.linalg.inv(self.noise.covariances)

    @cached_property
    def lags(self) -> np.ndarray:
        """(m + 1, d, d): z_t = sum over l of lags[l] x_(t - l)."""
        return np.concatenate([np.eye(self.size)[None], -self.transitions])

    def errors(self, coordinates: np.ndarray) -> np.ndarray:
        """(F - m, d) z_t of (F, d) coordinates."""
        m = self.order
        n = len(coordinates)
        return sum(
            (coordinates[m - lag : n - lag] @ part.T for lag, part in enumerate(self.lags)), np.zeros((n - m, 1))
        )

    def energy(self, coordinates: np.ndarray, is_difference: bool = False) -> float:
        """Minus the logarithm of the density, but for a constant.

        Args:
            coordinates: (F, d).
            is_difference: between two motions; its mean is zero.
        """
        errors = self.errors(coordinates)
        if self.noise.size == 1:
            away = errors - (0.0 if is_difference else self.noise.means[0])
            total = 0.5 * float(np.einsum("ti,ij,tj->", away, self.precisions[0], away, optimize=True))
        elif is_difference:
            total = 0.5 * float(np.einsum("ti,ij,tj->", errors, self.pooled_precision, errors, optimize=True))
        else:
            densities = self.noise.log_densities(errors)
            top = densities.max(axis=1)
            total = -float((top + np.log(np.exp(densities - top[:, None]).sum(axis=1))).sum())
        start = (coordinates[: self.order] - (0.0 if is_difference else self.start_mean)).ravel()
        return total + 0.5 * float(start @ self.start_precision @ start)

    @cached_property
    def pooled_precision(self) -> np.ndarray:
        """(d, d) of the mixture as one Gaussian."""
        centre = self.noise.weights @ self.noise.means
        away = self.noise.means - centre
        spread = np.einsum("k,kij->ij", self.noise.weights, self.noise.covariances)
        return np.linalg.inv(spread + (away * self.noise.weights[:, None]).T @ away)

    def bound(self, coordinates: np.ndarray, is_difference: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """A quadratic that touches the energy at some coordinates and is nowhere below it, as far as errors go.

        Returns:
            (T or 1, d, d) precisions of the errors and (T or 1, d) their means; one where all frames have the same.
        """
        if self.noise.size == 1:
            mean = np.zeros(self.size) if is_difference else self.noise.means[0]
            return self.precisions, mean[None]
        if is_difference:
            return self.pooled_precision[None], np.zeros((1, self.size))
        shares = self.noise.responsibilities(self.errors(coordinates))  # (T, K)
        precisions = np.einsum("tk,kij->tij", shares, self.precisions)
        pulls = np.einsum("tk,kij,kj->ti", shares, self.precisions, self.noise.means)
        return precisions, np.linalg.solve(precisions, pulls[..., None])[..., 0]


def learn_prior(
    vectors: Vectors,
    subspace: Subspace,
    system: LinearSystem,
    takes: Sequence[np.ndarray],
    *,
    mixtures: int = 1,
    seed: int = 0,
    independent_start: bool = False,
) -> DynamicPrior:
    """The prior of a linear system that was learnt from takes.

    Args:
        vectors: how poses are written.
        subspace: of the poses.
        system: of the coordinates.
        takes: (F, d) coordinates that it was learnt from.
        mixtures: Gaussians that controls are drawn from.
        seed: of the mixture.
        independent_start: the first m frames are independent, as in equation 13.
    """
    usable = [take for take in takes if len(take) > system.order]
    start_mean, start_precision = _start(usable, system.order, independent_start)
    noise = learn_noise(system, usable, mixtures, seed)
    return DynamicPrior(vectors, subspace, system.transitions, noise, start_mean, start_precision)


def widened(prior: DynamicPrior, differences: np.ndarray) -> DynamicPrior:
    """The prior with the differences of given keys added to the covariance of its noise.

    Args:
        prior: learnt from little data.
        differences: (n, d) between consecutive keys, divided by the root of the frames between them.
    """
    if not len(differences):
        return prior
    more = differences.T @ differences / len(differences)
    noise = replace(prior.noise, covariances=prior.noise.covariances + more)
    return replace(prior, noise=noise)


def learn_noise(system: LinearSystem, takes: Sequence[np.ndarray], mixtures: int, seed: int) -> GaussianMixture:
    """The distribution of the errors: a mixture along the drives, and the rest alike along all other directions."""
    size, count = len(system.variances), system.n_controls
    rest = float(system.variances[count:].mean()) if count < size else 0.0
    floor = ERROR_FLOOR * max(float(system.variances.mean()), 1e-12)
    if count == 0:
        return GaussianMixture(np.ones(1), np.zeros((1, size)), max(rest, floor) * np.eye(size)[None])
    controls = np.concatenate([system.controls(take) for take in takes])
    if mixtures == 1:
        driven = GaussianMixture(np.ones(1), np.zeros((1, count)), (controls.T @ controls / len(controls))[None])
    else:
        driven = learn_mixture(controls, mixtures, seed=seed)
    drives = system.drives
    across = np.eye(size) - drives @ drives.T
    along = drives @ driven.covariances @ drives.T
    covariances = along + max(rest, floor) * across + floor * (drives @ drives.T)
    return GaussianMixture(driven.weights, driven.means @ drives.T, covariances)


def _start(takes: Sequence[np.ndarray], order: int, independent: bool) -> tuple[np.ndarray, np.ndarray]:
    """The Gaussian of m consecutive frames: (m, d) mean and (m d, m d) precision."""
    size = takes[0].shape[1]
    stacked = np.concatenate(
        [np.hstack([take[lag : len(take) - order + 1 + lag] for lag in range(order)]) for take in takes]
    )
    mean = stacked.mean(axis=0)
    covariance = np.cov(stacked.T, bias=True).reshape(order * size, order * size)
    if independent:
        blocks = np.kron(np.eye(order), np.ones((size, size)))
        covariance = covariance * blocks
    # consecutive frames differ little: the floor is small beside their differences
    floor = START_NOISE * float(np.diagonal(covariance).mean()) * 1e-3
    return mean.reshape(order, size), np.linalg.inv(covariance + floor * np.eye(order * size))
