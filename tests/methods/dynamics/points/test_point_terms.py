"""Terms about points on a head: gradients and matrices beside differences, and problems that are exact."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.learning import LearningSettings, learn
from motionloom.methods.dynamics.terms.linear_terms import PoseTerm
from motionloom.methods.dynamics.terms.point_terms import DistanceTerm, PointTerm, ProjectionTerm, View2D
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.methods.dynamics.trajectory.problem import Problem, Reference, dense_of, usual_times
from motionloom.motion import PointMotion, rotations

T = 9  # frames of the model
M = 6  # points
ROWS = np.array([1, 4, 9])  # the last one between two frames


def terms(rng) -> dict:
    axes = np.array([[-1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
    camera = View2D(np.array([0.1, 0.2, 3.0]), axes, np.full(2, 500.0), np.full(2, 250.0))
    return {
        "pose": PoseTerm(ROWS, np.array([0, 5, 17]), rng.normal(size=(3, 3)), rng.uniform(0.1, 1, 3)),
        "point": PointTerm(ROWS, Spot(2), rng.normal(size=(3, 3)), np.array([0.1, np.inf, 0.2])),
        "distance": DistanceTerm(ROWS, Spot(0), Spot(3), rng.uniform(0.1, 1, 3), 0.1),
        "distance from a place": DistanceTerm(ROWS, Spot(1), rng.normal(size=3), rng.uniform(0.1, 1, 3), 0.1),
        "projection": ProjectionTerm(ROWS, Spot(4), camera, rng.uniform(0, 500, (3, 2)), 20.0),
    }


def problem_of(kinds, is_source=False) -> Problem:
    rng = np.random.default_rng(7)
    moves = rng.normal(scale=0.02, size=(2, 80, M, 3)).cumsum(axis=1) * 0.2
    motions = [PointMotion(tuple("abcdef"), rng.normal(scale=0.3, size=(M, 3)) + part, 30.0) for part in moves]
    prior = learn(motions, LearningSettings(dimensions=5, order=2)).prior
    times = usual_times(T, [2.5])
    heads = np.concatenate([rng.normal(size=(T + 1, 3)), rotations.exp(rng.normal(size=(T + 1, 3)))], axis=1)
    reference = Reference(0.1 * rng.normal(size=(T + 1, 3 * M)), np.zeros((T + 1, 0)), heads, is_source)
    every = terms(rng)
    return Problem(prior, Basis(T), times, reference, tuple(every[kind] for kind in kinds), prior_weight=1.3)


KINDS = ("pose", "point", "distance", "distance from a place", "projection")


@pytest.mark.parametrize("is_source", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_the_objective(kind, is_source):
    problem = problem_of([kind], is_source)
    knots = 0.3 * np.random.default_rng(1).normal(size=(T, problem.n_unknowns))
    assert problem.n_unknowns == 5, "points have no places"
    gradient, step = problem.gradient(knots).reshape(knots.shape), 1e-6
    for place in [(0, 0), (1, 2), (4, 4), (8, 1)]:
        ahead, back = knots.copy(), knots.copy()
        ahead[place] += step
        back[place] -= step
        slope = (problem.objective(ahead) - problem.objective(back)) / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=1e-5, abs=1e-5)


def test_what_is_linear_is_found_in_one_step():
    problem = problem_of(["pose", "point"])
    bands, gradient = problem.linearize(np.zeros((T, 5)))
    found = np.linalg.solve(dense_of(bands), -gradient).reshape(T, 5)
    assert np.abs(problem.gradient(found)).max() < 1e-6 * np.abs(gradient).max()
    *_, best = descend(problem, np.zeros((T, 5)))
    np.testing.assert_allclose(best.knots, found, atol=1e-4)


def test_costs_of_points_say_nothing_of_the_ground():
    problem = problem_of(KINDS)
    knots = np.zeros((T, 5))
    costs = problem.costs(knots)
    assert costs["ground"] == 0 and costs["prior"] > 0 and costs["demands"] > 0
    assert sum(costs.values()) == pytest.approx(problem.objective(knots))
