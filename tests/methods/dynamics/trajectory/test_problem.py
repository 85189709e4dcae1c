"""Problems: gradients beside differences, banded beside dense, ties of places to velocities."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.learning import LearningSettings
from motionloom.methods.dynamics.prior.smooth_priors import METHODS, prior_for
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.methods.dynamics.trajectory.normal_equations import Sums
from motionloom.methods.dynamics.trajectory.problem import Problem, Reference, dense_of

SPACINGS = [0.0, 1.0, 2.5, 6.0]


def numeric_gradient(function, knots, step=1e-5):
    found = np.zeros(knots.size)
    for number in range(knots.size):
        change = np.zeros(knots.size)
        change[number] = step
        change = change.reshape(knots.shape)
        found[number] = (function(knots + change) - function(knots - change)) / (2 * step)
    return found


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("is_source", [False, True])
def test_the_gradient_of_the_whole_is_that_of_differences(make, randomly, spacing, is_source):
    problem = randomly.problem(make, spacing=spacing, is_source=is_source, n_frames=8)
    knots = randomly.knots(problem)
    _, gradient = problem.linearize(knots)
    wanted = numeric_gradient(problem.objective, knots)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-4, atol=1e-5 * np.abs(wanted).max())


@pytest.mark.parametrize("mixtures", [1, 2])
def test_the_gradient_of_a_mixture_is_that_of_its_energy(make, randomly, mixtures):
    settings = LearningSettings(dimensions=4, order=2, mixtures=mixtures)
    problem = randomly.problem(make, n_frames=8, settings=settings, kinds=())
    knots = randomly.knots(problem, scale=0.1)
    _, gradient = problem.linearize(knots)
    wanted = numeric_gradient(problem.objective, knots)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-4, atol=1e-5 * np.abs(wanted).max())


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("n_frames", [9, 14])
def test_banded_normal_equations_are_the_dense_ones(make, randomly, spacing, order, n_frames):
    """Each residual of the prior, the ties and the terms by its own dense row."""
    problem = randomly.problem(
        make, spacing=spacing, n_frames=n_frames, settings=LearningSettings(dimensions=4, order=order)
    )
    knots = randomly.knots(problem)
    bands, gradient = problem.linearize(knots)
    dense = dense_normal_equations(problem, knots)
    scale = np.abs(dense).max()
    np.testing.assert_allclose(dense_of(bands), dense, rtol=1e-9, atol=1e-9 * scale)
    wanted = numeric_gradient(problem.objective, knots)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-3, atol=1e-5 * np.abs(wanted).max())


def dense_normal_equations(problem: Problem, knots: np.ndarray) -> np.ndarray:
    """J'J with J from values of samples to knots as one large matrix."""
    first, weights = problem.rows
    u, n, size = problem.n_unknowns, len(problem.times), problem.prior.size
    spread = np.zeros((n * u, knots.size))
    for sample in range(n):
        for k in range(4):
            for p in range(u):
                spread[sample * u + p, (first[sample] + k) * u + p] += weights[sample, k]
    values = problem.at_samples(knots)
    posed = problem.posed(values)
    by_values = np.zeros((n * u, n * u))
    prior, m = problem.prior, problem.prior.order
    for t in range(m, problem.n_frames):
        row = np.zeros((size, n * u))
        for lag, part in enumerate(prior.lags):
            row[:, (t - lag) * u : (t - lag) * u + size] = part
        by_values += problem.prior_weight * row.T @ prior.precisions[0] @ row
    chosen = np.concatenate([np.arange(size) + t * u for t in range(m)])
    by_values[np.ix_(chosen, chosen)] += problem.prior_weight * prior.start_precision
    sums = Sums.zeros(n, problem.n_frames, u)
    problem._add_ties(sums, posed)
    for term in problem.terms:
        term.add_to(sums, posed)
    for sample in range(n):
        by_values[sample * u : (sample + 1) * u, sample * u : (sample + 1) * u] += sums.blocks[sample]
    for t in range(problem.n_frames - 1):
        here, there = slice(t * u, (t + 1) * u), slice((t + 1) * u, (t + 2) * u)
        by_values[here, there] += sums.crossing[t]
        by_values[there, here] += sums.crossing[t].T
    return spread.T @ by_values @ spread


def test_the_prior_of_one_gaussian_is_quadratic_with_its_bands_as_matrix(make, randomly):
    problem = randomly.problem(make, n_frames=10, kinds=())
    bands = dense_of(problem._prior_bands(problem.at_samples(randomly.knots(problem))))
    one, step = randomly.knots(problem), randomly.knots(problem, seed=3)

    def cost(knots):
        return problem.prior_cost(problem.at_samples(knots))

    second = cost(one + step) + cost(one - step) - 2 * cost(one)
    np.testing.assert_allclose(second, step.ravel() @ bands @ step.ravel(), rtol=1e-7)


def test_ties_hold_places_to_the_velocities_of_poses(make, randomly):
    """A recorded motion costs no ties, wherever it is."""
    motion = make.motion(14, seed=0, fps=30.0)
    learnt = randomly.learnt(make)
    codec = learnt.vectors
    vectors, places = codec.encode(motion)
    problem = Problem(learnt.prior, Basis(14), np.arange(14.0), Reference(vectors, places), ())
    still = np.zeros((14, problem.n_unknowns))
    assert problem.costs(still)["ground"] < 1e-12
    shifted = still.copy()
    shifted[:, -3:-1] = [4.0, -2.0]
    assert problem.costs(shifted)["ground"] < 1e-12
    leaning = still.copy()
    leaning[:, -3] = 0.01 * np.arange(14)
    np.testing.assert_allclose(problem.costs(leaning)["ground"], 0.5 * 13 * (0.01 * 30 / problem.tie) ** 2, rtol=1e-9)


def test_nothing_changed_of_an_edit_costs_nothing(make, randomly):
    problem = randomly.problem(make, is_source=True, kinds=())
    nothing = np.zeros((problem.basis.n_knots, problem.n_unknowns))
    assert problem.objective(nothing) == 0.0
    assert not problem.linearize(nothing)[1].any()


@pytest.mark.parametrize("mixtures", [1, 2])
@pytest.mark.parametrize("spacing", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_never_rises(make, randomly, mixtures, spacing, seed):
    settings = LearningSettings(dimensions=4, order=2, mixtures=mixtures)
    problem = randomly.problem(make, spacing=spacing, n_frames=20, settings=settings, seed=seed)
    course = [step.objective for step in descend(problem, randomly.knots(problem, 1.0, seed), most=40)]
    assert len(course) > 3 and (np.diff(course) <= 0).all() and course[-1] < 0.5 * course[0]


def test_the_end_of_a_descent_is_a_low_point(make, randomly):
    problem = randomly.problem(make, n_frames=10, kinds=("pose", "place", "point", "distance"))
    *_, last = descend(problem, randomly.knots(problem, 0.2), most=200, settled=1e-12)
    assert last.is_settled
    start = np.abs(problem.linearize(randomly.knots(problem, 0.2))[1]).max()
    assert np.abs(problem.linearize(last.knots)[1]).max() < 1e-4 * start
    rng = np.random.default_rng(0)
    for scale in (1e-3, 1e-2):
        for _ in range(20):
            assert problem.objective(last.knots + scale * rng.normal(size=last.knots.shape)) >= last.objective


def test_quadratic_problems_are_solved_in_one_step_as_by_dense_algebra(make, randomly):
    problem = randomly.problem(make, n_frames=10, kinds=("pose",))
    start = randomly.knots(problem, 0.0)
    problem = replace(problem, tie=1e6, kept={})
    # places are tied with hardly any force here; what is left is linear in the poses
    bands, gradient = problem.linearize(start)
    dense = dense_of(bands)
    size = problem.prior.size
    poses = np.concatenate([np.arange(size) + frame * problem.n_unknowns for frame in range(10)])
    step = np.zeros(start.size)
    step[poses] = np.linalg.solve(dense[np.ix_(poses, poses)], -gradient[poses])
    best = problem.objective(start + step.reshape(start.shape))
    *_, last = descend(problem, start, most=50, settled=1e-12)
    np.testing.assert_allclose(last.objective, best, rtol=1e-6)


def test_spline_knots_in_every_frame_find_what_frames_as_knots_find(make, randomly):
    found = randomly.problem(make, n_frames=16, kinds=())
    terms = randomly.terms(found.prior, 16, 16)
    reference = replace(found.reference, vectors=found.reference.vectors[:16], places=found.reference.places[:16])
    plain = replace(found, times=np.arange(16.0), reference=reference, terms=(terms["pose"], terms["point"]), kept={})
    splined = replace(plain, basis=Basis(16, 1.0), kept={})
    coarse = replace(plain, basis=Basis(16, 5.0), kept={})
    costs, values = [], []
    for problem in (plain, splined, coarse):
        start = problem.basis.fit(np.zeros((16, problem.n_unknowns)))
        *_, last = descend(problem, start, most=100, settled=1e-10)
        costs.append(last.objective)
        values.append(problem.at_samples(last.knots))
    np.testing.assert_allclose(costs[1], costs[0], rtol=1e-5)
    np.testing.assert_allclose(values[1], values[0], atol=0.02)
    assert costs[2] > costs[0]  # fewer knots can show less


@pytest.mark.parametrize("method", METHODS)
def test_every_prior_can_be_descended(make, randomly, method):
    learnt = randomly.problem(make, n_frames=12)
    problem = replace(learnt, prior=prior_for(method, learnt.prior), kept={})
    knots = randomly.knots(problem, 0.05)
    wanted = numeric_gradient(problem.objective, knots) if problem.prior.size < 20 else None
    course = [step.objective for step in descend(problem, knots, most=25)]
    assert (np.diff(course) <= 0).all() and course[-1] < course[0]
    if wanted is not None:
        np.testing.assert_allclose(problem.linearize(knots)[1], wanted, rtol=1e-4, atol=1e-5 * np.abs(wanted).max())


def test_the_same_start_gives_the_same_bits(make, randomly):
    problem = randomly.problem(make, n_frames=12)
    ends = [list(descend(problem, randomly.knots(problem), most=10))[-1].knots for _ in range(2)]
    np.testing.assert_array_equal(*ends)


def test_large_residuals_do_not_end_a_descent_early(make, randomly):
    """Demands that contradict each other: from the settled end no long descent by the gradients goes further down."""
    problem = randomly.problem(make, n_frames=24)
    *_, ended = descend(problem, np.zeros((problem.basis.n_knots, problem.n_unknowns)), most=100)
    assert ended.is_settled
    *_, again = descend(problem, ended.knots, most=100, settled=1e-12)
    assert ended.objective - again.objective <= 2e-5 * ended.objective
