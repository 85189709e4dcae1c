"""Problems of an edit of which only the knots of some frames may change."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.methods.dynamics.trajectory.problem import dense_of
from motionloom.methods.dynamics.trajectory.windowed import window

N_FRAMES = 40  # with samples between frames at 1.5 and 38.25
WINDOWS = [(0, 11), (4, 16), (14, 24), (24, 35), (27, 39)]


@pytest.fixture
def problem(randomly, make):
    return randomly.problem(make, is_source=True, n_frames=N_FRAMES)


def moved(windowed, randomly, scale: float = 0.1):
    """Knots of a windowed problem, those that may change elsewhere."""
    knots, (head, tail) = windowed.part, windowed.problem.fixed
    free = slice(head, len(knots) - tail)
    knots[free] += randomly.knots(windowed.problem, scale, seed=3)[free]
    return knots


@pytest.mark.parametrize(("first", "last"), WINDOWS)
def test_a_windowed_problem_is_the_whole_one_along_the_knots_that_may_change(problem, randomly, first, last):
    """Objective, gradient and matrix, wherever these knots are; all others are as they were."""
    knots = randomly.knots(problem)
    windowed = window(problem, knots, first, last)
    part, here = windowed.problem, moved(windowed, randomly)
    assert part.n_frames < problem.n_frames
    whole = windowed.widened(here)
    free = np.arange(windowed.start + part.fixed[0], windowed.start + part.basis.n_knots - part.fixed[1])
    assert set(range(first, last + 1)) <= set(free.tolist())
    others = np.setdiff1d(np.arange(N_FRAMES), free)
    np.testing.assert_array_equal(whole[others], knots[others])
    assert part.objective(here) + windowed.apart == pytest.approx(problem.objective(whole))

    (bands, gradient), (all_bands, all_gradient) = part.linearize(here), problem.linearize(whole)
    u = problem.n_unknowns
    own, every = ((number[:, None] * u + np.arange(u)).ravel() for number in (free - windowed.start, free))
    np.testing.assert_allclose(gradient[own], all_gradient[every], atol=1e-9 * np.abs(all_gradient).max())
    np.testing.assert_allclose(part.gradient(here), gradient)
    matrix, all_matrix = dense_of(bands), dense_of(all_bands)
    np.testing.assert_allclose(
        matrix[np.ix_(own, own)], all_matrix[np.ix_(every, every)], atol=1e-9 * np.abs(all_matrix).max()
    )
    stay = np.setdiff1d(np.arange(len(gradient)), own)
    assert not gradient[stay].any()
    np.testing.assert_array_equal(matrix[np.ix_(stay, own)], 0)
    np.testing.assert_array_equal(matrix[np.ix_(stay, stay)], np.eye(len(stay)))


def test_a_descent_leaves_other_knots_and_lowers_the_whole_objective(problem, randomly):
    knots = randomly.knots(problem, 0.05)
    windowed = window(problem, knots, 14, 24)
    *_, found = descend(windowed.problem, windowed.part, most=6)
    whole = windowed.widened(found.knots)
    changed = np.flatnonzero((whole != knots).any(axis=1))
    assert changed.min() == 14 and changed.max() == 24
    assert problem.objective(whole) == pytest.approx(found.objective + windowed.apart)
    assert problem.objective(whole) < problem.objective(knots)


def test_windows_of_all_frames_of_splines_and_of_motions_that_are_nowhere_are_the_problem_itself(
    problem, randomly, make
):
    splines = randomly.problem(make, is_source=True, n_frames=N_FRAMES, spacing=4.0)
    for whole, first, last in ((problem, 0, 39), (splines, 14, 24), (replace(problem, is_placed=False), 14, 24)):
        knots = randomly.knots(whole)
        windowed = window(whole, knots, first, last)
        assert windowed.problem is whole
        np.testing.assert_array_equal(windowed.widened(windowed.part), knots)


def test_matrices_are_kept_for_as_long_as_the_frames_are_the_same(problem, randomly):
    knots = randomly.knots(problem)
    first, again = (window(problem, knots, 14, 24).problem for _ in range(2))
    assert again.prior is first.prior and again.kept is first.kept
    other = window(problem, knots, 14, 25).problem
    assert other.prior is not first.prior and other.kept is not first.kept
