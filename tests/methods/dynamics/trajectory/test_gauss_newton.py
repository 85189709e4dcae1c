"""Descents and how far their steps are damped."""

from itertools import islice

import numpy as np

from motionloom.methods.dynamics.trajectory.gauss_newton import descend


class Valley:
    """A bent valley (Rosenbrock's): whole steps leave it, and rise."""

    is_placed = True

    def __init__(self) -> None:
        self.made = 0  # matrices

    def objective(self, knots: np.ndarray) -> float:
        return 0.5 * float((self._residuals(knots) ** 2).sum())

    def empty_bands(self) -> np.ndarray:
        return np.empty((2, 2))

    def linearize(self, knots: np.ndarray, bands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.made += 1
        jacobian = np.array([[-20 * knots[0, 0], 10.0], [-1.0, 0.0]])
        matrix = jacobian.T @ jacobian
        bands[:] = [[matrix[0, 0], matrix[1, 0]], [matrix[1, 1], 0.0]]
        return bands, jacobian.T @ self._residuals(knots)

    @staticmethod
    def _residuals(knots: np.ndarray) -> np.ndarray:
        ((x, y),) = knots
        return np.array([10 * (y - x**2), 1 - x])


START = np.array([[-1.2, 1.0]])


def test_who_begins_anew_does_not_try_again_what_was_damped_too_little():
    valley = Valley()
    first, after = islice(descend(valley, START, damping=1e-6), 2)
    assert valley.made > 2, "its whole step rises"
    assert after.objective < first.objective
    assert after.warm_damping == 10 * after.damping, "as far as it had to be"
    begun = valley.made
    _, again = islice(descend(valley, START, damping=after.warm_damping), 2)
    assert valley.made == begun + 1
    np.testing.assert_allclose(again.knots, after.knots)


def test_damping_that_has_worked_is_lowered():
    _, after = islice(descend(Valley(), START, damping=10.0), 2)
    assert after.warm_damping == after.damping == 1.0


def test_a_descent_that_has_not_begun_is_damped_as_it_was_told():
    (start,) = islice(descend(Valley(), START, damping=0.3), 1)
    assert (start.damping, start.warm_damping) == (0.3, 0.3)
