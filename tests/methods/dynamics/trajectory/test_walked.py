"""Paths that nothing holds on the ground: poses alone say where they lead."""

import numpy as np

from motionloom.methods.dynamics.trajectory.gauss_newton import descend

ENDS = ((0, 200), (2, 330))
KEYS = {"poses": [{"at": f"{at}s", "pose": {"take": "walk/normal_1", "frame": frame}} for at, frame in ENDS]}


def test_free_path_is_found_in_few_steps(desk) -> None:
    optimization = desk.set_up(KEYS)
    assert not optimization.problem.is_placed
    course = list(descend(optimization.problem, optimization.start))
    assert course[-1].is_settled and course[-1].iterations <= 15


def test_ties_after_a_step_are_as_the_line_foresaw(desk) -> None:
    """However far a step bends the path: places are where the new velocities lead."""
    optimization = desk.set_up(KEYS)
    problem, n = optimization.problem, optimization.problem.n_frames
    knots = optimization.start
    step = 0.2 * np.random.default_rng(0).normal(size=knots.shape)
    posed = problem.posed(problem.at_samples(knots))
    here, there = problem._tie_jacobians(posed)
    foreseen = problem._tie_residuals(posed) * problem.tie + np.einsum("tij,tj->ti", here, step[: n - 1])
    foreseen += np.einsum("tij,tj->ti", there, step[1:n])
    walked, straight = problem.walked(knots, step), knots + step
    found = problem._tie_residuals(problem.posed(problem.at_samples(walked))) * problem.tie
    missed = problem._tie_residuals(problem.posed(problem.at_samples(straight))) * problem.tie
    np.testing.assert_allclose(found, foreseen, atol=1e-8)
    assert np.abs(missed - foreseen).max() > 0.1
    np.testing.assert_array_equal(walked[:, : problem.prior.size], straight[:, : problem.prior.size])


def test_all_poses_turned_lead_along_a_turned_path(desk) -> None:
    """A step that turns all frames alike costs the ties nothing, however far: places turn with it."""
    optimization = desk.set_up(KEYS)
    problem = optimization.problem
    *_, best = descend(problem, optimization.start)
    away = problem.posed(problem.at_samples(best.knots)).places[: len(best.knots), :2]
    away = away - away[0]
    step = np.zeros_like(best.knots)
    step[:, -3:] = np.column_stack([away[:, 1], -away[:, 0], np.ones(len(away))])  # as far as a line shows a turn
    before = problem.costs(best.knots)["ground"]
    assert problem.costs(best.knots + step)["ground"] > before + 1
    assert problem.costs(problem.walked(best.knots, step))["ground"] < before + 1
