"""The prior: its energy beside densities of scipy, controls that were eliminated, and bounds of mixtures."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from motionloom.methods.dynamics.prior.dynamic_prior import learn_prior, widened
from motionloom.methods.dynamics.prior.linear_system import learn_linear_system
from motionloom.methods.dynamics.prior.smooth_priors import METHODS, prior_for, whole_space
from motionloom.methods.dynamics.prior.subspace import Subspace


def make_prior(randomly, order=2, controls=None, mixtures=1, size=5, independent=False, lengths=(80, 60)):
    takes = randomly.takes(lengths, size)
    system = learn_linear_system(takes, order, controls=size if controls is None else controls)
    subspace = Subspace(np.eye(size), np.zeros(size), np.ones(size))
    return learn_prior(None, subspace, system, takes, mixtures=mixtures, independent_start=independent), system, takes


@pytest.mark.parametrize("order", [1, 2, 3])
def test_errors_are_those_of_the_system(randomly, order):
    prior, system, takes = make_prior(randomly, order)
    np.testing.assert_allclose(prior.errors(takes[0]), system.errors(takes[0]), atol=1e-12)


@pytest.mark.parametrize("mixtures", [1, 3])
def test_the_energy_is_minus_the_log_of_the_density_but_for_a_constant(randomly, mixtures):
    prior, _, takes = make_prior(randomly, 2, mixtures=mixtures)

    def density(coordinates):
        start = multivariate_normal(prior.start_mean.ravel(), np.linalg.inv(prior.start_precision))
        total = start.logpdf(coordinates[:2].ravel())
        for error in prior.errors(coordinates):
            parts = zip(prior.noise.weights, prior.noise.means, prior.noise.covariances)
            total += np.log(sum(w * multivariate_normal(m, c).pdf(error) for w, m, c in parts))
        return total

    rng = np.random.default_rng(0)
    one, other = (takes[0][:30] + 0.05 * rng.normal(size=(30, 5)) for _ in range(2))
    np.testing.assert_allclose(prior.energy(one) - prior.energy(other), density(other) - density(one), rtol=1e-6)


def test_eliminated_controls_are_the_least_over_all_controls(randomly):
    """Equations 7 and 14: the noise left over and the controls are paid for apart; the best controls cost the same."""
    prior, system, takes = make_prior(randomly, 2, controls=3)
    error = prior.errors(takes[1])[5]
    drives = system.drives
    covariance = prior.noise.covariances[0]
    along = drives.T @ covariance @ drives  # of the controls, with their share of the floor
    rest = covariance - drives @ along @ drives.T
    noise = np.trace(rest) / 2 * 1e-3  # a part of it is split off as noise along the drives
    driven = along - noise * np.eye(3)
    spread = rest + noise * drives @ drives.T

    def cost(control):
        left = error - drives @ control
        return 0.5 * control @ np.linalg.solve(driven, control) + 0.5 * left @ np.linalg.solve(spread, left)

    normal = np.linalg.inv(driven) + drives.T @ np.linalg.solve(spread, drives)
    best = np.linalg.solve(normal, drives.T @ np.linalg.solve(spread, error))
    np.testing.assert_allclose(cost(best), 0.5 * error @ prior.precisions[0] @ error, rtol=1e-8)
    assert all(cost(best + step) > cost(best) for step in 0.1 * np.eye(3))


def test_errors_beside_the_drives_are_paid_by_the_noise_alone(randomly):
    prior, system, _ = make_prior(randomly, 2, controls=2)
    across = np.linalg.svd(system.drives)[0][:, 2:]
    np.testing.assert_allclose(
        across.T @ prior.noise.covariances[0] @ across, system.variances[2:].mean() * np.eye(3), atol=1e-12
    )
    np.testing.assert_allclose(across.T @ prior.noise.covariances[0] @ system.drives, 0, atol=1e-12)


def test_no_controls_leave_noise_alike_in_all_directions(randomly):
    prior, system, _ = make_prior(randomly, 1, controls=0)
    np.testing.assert_allclose(prior.noise.covariances[0], system.variances.mean() * np.eye(5))


def test_the_start_is_one_gaussian_over_its_frames_or_independent_as_in_equation_13(randomly):
    joint, _, takes = make_prior(randomly, 3)
    apart, _, _ = make_prior(randomly, 3, independent=True)
    windows = np.array([take[t : t + 3].ravel() for take in takes for t in range(len(take) - 2)])
    np.testing.assert_allclose(joint.start_mean.ravel(), windows.mean(axis=0), atol=1e-12)
    covariance = np.cov(windows.T, bias=True)
    np.testing.assert_allclose(np.linalg.inv(joint.start_precision), covariance, atol=1e-5)
    blocks = np.kron(np.eye(3), np.ones((5, 5)))
    np.testing.assert_allclose(np.linalg.inv(apart.start_precision), covariance * blocks, atol=1e-5)


def test_only_the_joint_start_knows_how_fast_motions_begin(randomly):
    """A start at a likely pose that leaps is as likely as one that does not, by equation 13."""
    joint, _, takes = make_prior(randomly, 3)
    apart, _, _ = make_prior(randomly, 3, independent=True)
    calm = takes[0][10:13]
    leaping = np.stack([takes[0][10], takes[0][25], takes[0][10]])

    def start_energy(prior, frames):
        away = (frames - prior.start_mean).ravel()
        return 0.5 * away @ prior.start_precision @ away

    assert start_energy(joint, leaping) > start_energy(joint, calm) + 20
    assert abs(start_energy(apart, leaping) - start_energy(apart, calm)) < 20


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_of_a_mixture_touches_the_energy_and_is_nowhere_below_it(randomly, seed):
    prior, _, takes = make_prior(randomly, 2, mixtures=3)
    rng = np.random.default_rng(seed)
    here = takes[0][:40] + 0.2 * rng.normal(size=(40, 5))
    precisions, means = prior.bound(here)

    def bounded(coordinates):
        away = prior.errors(coordinates) - means
        start = (coordinates[:2] - prior.start_mean).ravel()
        return 0.5 * np.einsum("ti,tij,tj->", away, precisions, away) + 0.5 * start @ prior.start_precision @ start

    for scale in (1e-3, 0.05, 0.5, 3.0):
        there = here + scale * rng.normal(size=here.shape)
        rise = prior.energy(there) - prior.energy(here)
        assert rise <= bounded(there) - bounded(here) + 1e-7 * (1 + abs(rise))


def test_the_bound_of_one_gaussian_is_the_energy_itself(randomly):
    prior, _, takes = make_prior(randomly, 2)
    precisions, means = prior.bound(takes[0])
    assert precisions.shape == (1, 5, 5) and means.shape == (1, 5)
    np.testing.assert_array_equal(precisions, prior.precisions)


@pytest.mark.parametrize("mixtures", [1, 3])
def test_no_difference_costs_nothing_and_both_signs_the_same(randomly, mixtures):
    prior, _, takes = make_prior(randomly, 2, mixtures=mixtures)
    nothing, some = np.zeros((20, 5)), takes[1][:20]
    assert prior.energy(nothing, is_difference=True) == 0.0
    np.testing.assert_allclose(prior.energy(some, True), prior.energy(-some, True))
    np.testing.assert_allclose(prior.energy(3 * some, True), 9 * prior.energy(some, True))


def test_a_mixture_as_one_gaussian_has_its_mean_and_covariance(randomly):
    prior, _, _ = make_prior(randomly, 2, mixtures=3)
    rng = np.random.default_rng(0)
    picks = rng.choice(3, 200_000, p=prior.noise.weights)
    roots = np.linalg.cholesky(prior.noise.covariances)
    drawn = prior.noise.means[picks] + (roots[picks] @ rng.normal(size=(200_000, 5, 1)))[..., 0]
    np.testing.assert_allclose(np.linalg.inv(prior.pooled_precision), np.cov(drawn.T), rtol=0.05, atol=2e-3)


def test_differences_of_keys_widen_the_noise_along_them_alone(randomly):
    prior, _, _ = make_prior(randomly, 2)
    differences = np.array([[0.5, 0, 0, 0, 0], [0.1, 0, 0, 0, 0]])
    more = widened(prior, differences).noise.covariances[0] - prior.noise.covariances[0]
    np.testing.assert_allclose(more[0, 0], (0.25 + 0.01) / 2)
    more[0, 0] = 0
    np.testing.assert_allclose(more, 0, atol=1e-15)
    assert widened(prior, np.zeros((0, 5))) is prior


def test_smooth_priors_cost_the_change_of_what_they_smooth(randomly):
    prior, _, _ = make_prior(randomly, 2)
    rng = np.random.default_rng(1)
    curve = rng.normal(size=(30, 5))
    variance = np.trace(prior.noise.covariances[0]) / 5
    for method, n in (("linear", 1), ("spline", 1), ("trajectory", 2), ("subspace", 2)):
        smooth = prior_for(method, prior)
        wanted = 0.5 * (np.diff(curve, n=n, axis=0) ** 2).sum() / variance
        np.testing.assert_allclose(smooth.energy(curve), wanted)
        steady = np.outer(np.arange(30.0) if n == 2 else np.ones(30), np.ones(5))
        np.testing.assert_allclose(smooth.energy(steady), 0, atol=1e-9)
        assert smooth.name == method
    assert prior_for("dynamics", prior) is prior
    assert set(METHODS) == {"dynamics", "linear", "spline", "trajectory", "subspace"}


def test_the_whole_space_shows_everything():
    subspace = Subspace(np.eye(4)[:, :2], np.arange(4.0), np.ones(4))
    whole = whole_space(subspace)
    rows = np.random.default_rng(0).normal(size=(6, 4))
    np.testing.assert_allclose(whole.to_vectors(whole.to_coordinates(rows)), rows)
    assert np.abs(subspace.rest(rows)).max() > 0.1


def test_only_long_enough_takes_make_a_start(randomly):
    prior, _, _ = make_prior(randomly, 3, lengths=(80, 3, 60))
    assert np.isfinite(prior.start_precision).all()
    assert np.isfinite(replace(prior).energy(randomly.takes((20,))[0]))
