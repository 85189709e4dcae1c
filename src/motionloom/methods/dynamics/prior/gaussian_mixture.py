"""Gaussian mixture: what drives a motion, learnt by expectation-maximization (section 4.2; equation 8)."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput

ROUNDS = 200
SETTLED = 1e-7  # change of the mean log-likelihood at which learning ends
FLOOR = 1e-4  # of the mean variance: least variance of a component along any direction


@dataclass(frozen=True, eq=False)
class GaussianMixture:
    """K weighted Gaussians over n numbers."""

    weights: np.ndarray  # (K,) sum 1
    means: np.ndarray  # (K, n)
    covariances: np.ndarray  # (K, n, n)

    @property
    def size(self) -> int:
        """K."""
        return len(self.weights)

    def log_densities(self, points: np.ndarray) -> np.ndarray:
        """(F, K) log of weight times density at (F, n) points."""
        found = np.empty((len(points), self.size))
        for k in range(self.size):
            lower = np.linalg.cholesky(self.covariances[k])
            away = np.linalg.solve(lower, (points - self.means[k]).T)
            norm = np.log(np.diagonal(lower)).sum() + 0.5 * points.shape[1] * np.log(2 * np.pi)
            found[:, k] = np.log(max(self.weights[k], 1e-300)) - norm - 0.5 * (away**2).sum(axis=0)
        return found

    def log_likelihood(self, points: np.ndarray) -> float:
        """Mean over (F, n) points."""
        return float(_log_sum(self.log_densities(points)).mean())

    def responsibilities(self, points: np.ndarray) -> np.ndarray:
        """(F, K) how likely each point is of each component; rows sum to 1."""
        densities = self.log_densities(points)
        return np.exp(densities - _log_sum(densities)[:, None])


def learn_mixture(points: np.ndarray, size: int, *, seed: int = 0) -> GaussianMixture:
    """Expectation-maximization from seeded centres, far apart; the likelihood never falls.

    Args:
        points: (F, n).
        size: K.
        seed: of the centres.
    """
    n_points, width = points.shape
    if not 1 <= size <= max(n_points // max(width + 1, 2), 1):
        raise BadInput(
            f"{size} Gaussians of {width} numbers from {n_points} frames; give at least 1, and "
            f"{width + 1} frames for each"
        )
    centred = points - points.mean(axis=0)
    whole = centred.T @ centred / n_points
    floor = FLOOR * max(float(np.trace(whole)) / max(width, 1), 1e-12) * np.eye(width)
    if size == 1:
        return GaussianMixture(np.ones(1), points.mean(axis=0)[None], (whole + floor)[None])
    centres = _far_apart(points, size, np.random.default_rng(seed))
    mixture = GaussianMixture(np.full(size, 1 / size), centres, np.repeat((whole + floor)[None], size, axis=0))
    last = -np.inf
    for _ in range(ROUNDS):
        mixture = _maximize(points, mixture.responsibilities(points), floor)
        now = mixture.log_likelihood(points)
        if now - last < SETTLED:
            break
        last = now
    return mixture


def choose_size(points: np.ndarray, held_out: np.ndarray, most: int = 6, *, seed: int = 0) -> tuple[int, list[float]]:
    """The number of Gaussians with the highest likelihood of held-out points, and the likelihoods of 1, 2, ..."""
    found: list[float] = []
    for size in range(1, most + 1):
        if size > max(len(points) // max(points.shape[1] + 1, 2), 1):
            break
        found.append(learn_mixture(points, size, seed=seed).log_likelihood(held_out))
    return int(np.argmax(found)) + 1, found


def _maximize(points: np.ndarray, shares: np.ndarray, floor: np.ndarray) -> GaussianMixture:
    totals = np.maximum(shares.sum(axis=0), 1e-9)
    means = (shares.T @ points) / totals[:, None]
    covariances = np.empty((len(totals), points.shape[1], points.shape[1]))
    for k, total in enumerate(totals):
        away = points - means[k]
        covariances[k] = (away * shares[:, k : k + 1]).T @ away / total + floor
    return GaussianMixture(totals / totals.sum(), means, covariances)


def _far_apart(points: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """(K, n) points, each drawn by its squared distance from those before."""
    chosen = [int(rng.integers(len(points)))]
    while len(chosen) < size:
        away = ((points[:, None] - points[chosen]) ** 2).sum(-1).min(axis=1)
        total = away.sum()
        shares = away / total if total > 0 else np.full(len(points), 1 / len(points))
        chosen.append(int(rng.choice(len(points), p=shares)))
    return points[chosen].copy()


def _log_sum(values: np.ndarray) -> np.ndarray:
    top = values.max(axis=1)
    return top + np.log(np.exp(values - top[:, None]).sum(axis=1))
