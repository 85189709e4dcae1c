"""L-BFGS steps beside dense BFGS matrices, and on quadratics."""

import numpy as np
import pytest

from motionloom.methods.dynamics.trajectory.lbfgs import MEMORY, Curvature


def positive(rng, size):
    factor = rng.normal(size=(size, size))
    return factor @ factor.T + size * np.eye(size)


def walked(rng, hessian, n_points):
    """What is remembered of a quadratic after some points, and the last gradient."""
    curvature = Curvature()
    for _ in range(n_points):
        at = rng.normal(size=len(hessian))
        gradient = hessian @ at
        curvature = curvature.seen(at, gradient)
    return curvature, gradient


def dense_inverse(curvature, start):
    """The inverse by updates of whole matrices."""
    inverse, eye = start, np.eye(len(start))
    for move, change in zip(curvature.moves, curvature.changes):
        rho = 1 / (move @ change)
        left = eye - rho * np.outer(move, change)
        inverse = left @ inverse @ left.T + rho * np.outer(move, move)
    return inverse


@pytest.mark.parametrize("n_points", [1, 2, 4, MEMORY + 4])
def test_the_step_is_that_of_dense_updates(n_points):
    rng = np.random.default_rng(n_points)
    hessian, start = positive(rng, 9), np.linalg.inv(positive(rng, 9))
    curvature, gradient = walked(rng, hessian, n_points)
    assert len(curvature.moves) == min(n_points - 1, MEMORY)
    step = curvature.step(gradient, lambda right: start @ right)
    np.testing.assert_allclose(step, -dense_inverse(curvature, start) @ gradient, rtol=1e-9, atol=1e-12)


def test_a_right_matrix_needs_no_memory():
    """With the true matrix, what is remembered changes nothing: the step leads to the minimum."""
    rng = np.random.default_rng(5)
    hessian = positive(rng, 7)
    curvature, gradient = walked(rng, hessian, 4)
    step = curvature.step(gradient, lambda right: np.linalg.solve(hessian, right))
    np.testing.assert_allclose(hessian @ step, -gradient, atol=1e-9)


def test_moves_over_which_the_objective_bends_down_are_forgotten():
    curvature = Curvature().seen(np.zeros(3), np.array([1.0, 0, 0])).seen(np.array([1.0, 0, 0]), np.zeros(3))
    assert curvature.moves == ()
    again = curvature.seen(np.array([2.0, 0, 0]), np.array([1.0, 0, 0]))
    np.testing.assert_allclose(again.moves[0], [1, 0, 0])


def test_what_is_remembered_keeps_its_values_when_arrays_are_written_over():
    at, gradient = np.ones(3), np.ones(3)
    curvature = Curvature().seen(at, gradient)
    at += 1
    gradient += 2
    np.testing.assert_allclose(curvature.seen(at, gradient).changes[0], [2, 2, 2])
