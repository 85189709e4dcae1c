"""Gaussian mixtures: densities beside scipy's, expectation-maximization that never gets worse, and their number."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from motionloom.errors import BadInput
from motionloom.methods.dynamics.prior import gaussian_mixture
from motionloom.methods.dynamics.prior.gaussian_mixture import choose_size, learn_mixture


def clouds(centres, count=200, width=2, spread=0.3, seed=0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(centre, spread, (count, width)) for centre in centres])


def test_densities_are_those_of_scipy():
    points = clouds([-2, 0, 3], count=40)
    mixture = learn_mixture(points, 3)
    wanted = np.stack(
        [
            np.log(weight) + multivariate_normal(mean, covariance).logpdf(points)
            for weight, mean, covariance in zip(mixture.weights, mixture.means, mixture.covariances)
        ],
        axis=1,
    )
    np.testing.assert_allclose(mixture.log_densities(points), wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mixture.log_likelihood(points), logsumexp(wanted, axis=1).mean())
    shares = mixture.responsibilities(points)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(shares, np.exp(wanted - logsumexp(wanted, axis=1)[:, None]), atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_likelihood_never_falls_from_round_to_round(monkeypatch, seed, size):
    points = clouds([-1, 0.5, 2], count=60, spread=0.6, seed=seed)
    course = []
    plain = gaussian_mixture._maximize

    def watched(points, shares, floor):
        found = plain(points, shares, floor)
        course.append(found.log_likelihood(points))
        return found

    monkeypatch.setattr(gaussian_mixture, "_maximize", watched)
    learn_mixture(points, size, seed=seed)
    # the floor of variances adds a ten-thousandth of the variance after the step that maximizes
    assert len(course) > 1 and (np.diff(course) > -1e-5).all()
    assert course[-1] > course[0]


def test_one_gaussian_is_the_mean_and_the_covariance():
    points = clouds([1.0], count=500, width=3)
    mixture = learn_mixture(points, 1)
    np.testing.assert_allclose(mixture.means[0], points.mean(axis=0))
    np.testing.assert_allclose(mixture.covariances[0], np.cov(points.T, bias=True), atol=1e-4)


def test_clouds_far_apart_are_found_one_by_one():
    points = clouds([-5, 0, 6])
    mixture = learn_mixture(points, 3)
    np.testing.assert_allclose(np.sort(mixture.means[:, 0]), [-5, 0, 6], atol=0.1)
    np.testing.assert_allclose(mixture.weights, 1 / 3, atol=0.01)


def test_the_same_seed_gives_the_same_bits():
    points = clouds([-1, 1])
    one, other = (learn_mixture(points, 3, seed=4) for _ in range(2))
    for name in ("weights", "means", "covariances"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize(("centres", "wanted"), [([0], 1), ([-4, 4], 2), ([-6, 0, 6], 3)])
def test_held_out_likelihood_chooses_how_many_there_are(centres, wanted):
    size, likelihoods = choose_size(clouds(centres, seed=1), clouds(centres, seed=2))
    assert size == wanted == int(np.argmax(likelihoods)) + 1
    if wanted > 1:
        assert likelihoods[wanted - 1] > likelihoods[0] + 0.3


def test_still_points_do_not_break_it():
    mixture = learn_mixture(np.zeros((40, 3)), 2)
    assert np.isfinite(mixture.log_likelihood(np.zeros((5, 3))))


@pytest.mark.parametrize("size", [0, 30])
def test_more_gaussians_than_frames_can_tell_are_refused(size):
    with pytest.raises(BadInput, match=f"^{size} Gaussians of 2 numbers from 40 frames; give at least 1, and 3 frames"):
        learn_mixture(clouds([0], count=40), size)
