"""Problems of an edit in which some free joints stay as they are."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.free_layer import with_free_layer, without_free
from motionloom.methods.dynamics.trajectory.narrowed import narrow
from motionloom.methods.dynamics.trajectory.problem import dense_of

COLUMNS = (9, 10, 11, 15, 16, 17)  # of vectors: two joints


@pytest.fixture
def problem(randomly, make):
    plain = randomly.problem(make, is_source=True)
    return replace(plain, prior=with_free_layer(plain.prior, COLUMNS, np.linspace(0.2, 0.7, len(COLUMNS))))


@pytest.fixture
def left_out(problem):
    shared = problem.prior.size - len(COLUMNS)
    return [shared, shared + 1, shared + 2]


def test_nothing_left_out_is_the_problem_itself(problem, randomly):
    knots = randomly.knots(problem)
    part = narrow(problem, knots, ())
    assert part.problem is problem
    np.testing.assert_array_equal(part.widened(part.start), knots)


def test_a_narrowed_problem_is_the_whole_one_along_what_is_left(problem, left_out, randomly):
    """Objective, gradient and matrix, wherever its knots are."""
    knots = randomly.knots(problem)
    part = narrow(problem, knots, left_out)
    assert part.problem.n_unknowns == problem.n_unknowns - len(left_out)
    moved = part.start + randomly.knots(part.problem, scale=0.1, seed=3)
    whole = part.widened(moved)
    np.testing.assert_array_equal(whole[:, left_out], knots[:, left_out])
    assert part.problem.objective(moved) + part.apart == pytest.approx(problem.objective(whole))
    kept = (np.arange(problem.basis.n_knots)[:, None] * problem.n_unknowns + part.kept).ravel()
    bands, gradient = part.problem.linearize(moved)
    all_bands, all_gradient = problem.linearize(whole)
    np.testing.assert_allclose(gradient, all_gradient[kept], atol=1e-9 * np.abs(all_gradient).max())
    matrix = dense_of(all_bands)[np.ix_(kept, kept)]
    np.testing.assert_allclose(dense_of(bands), matrix, atol=1e-9 * np.abs(matrix).max())


def test_without_its_whole_layer_a_prior_is_what_it_was(randomly, make):
    plain = randomly.problem(make, is_source=True).prior
    layered = with_free_layer(plain, COLUMNS, np.full(len(COLUMNS), 0.4))
    bare = without_free(layered, range(plain.size, layered.size))
    coordinates = np.random.default_rng(2).normal(size=(12, plain.size))
    assert bare.free == ()
    assert bare.energy(coordinates, True) == pytest.approx(plain.energy(coordinates, True))


def test_matrices_are_kept_for_as_long_as_the_same_joints_stay(problem, left_out, randomly):
    knots = randomly.knots(problem)
    first, again = (narrow(problem, knots, left_out).problem for _ in range(2))
    assert again.prior is first.prior and again.kept is first.kept
    other = narrow(problem, knots, left_out[:2]).problem
    assert other.prior is not first.prior and other.kept is not first.kept
