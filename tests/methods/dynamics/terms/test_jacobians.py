"""Jacobians of every term beside central differences: anywhere, without any turn, and near half a turn."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.dynamics.terms.point_terms import DistanceTerm, OrientationTerm, View2D
from motionloom.methods.dynamics.trajectory.normal_equations import Sums
from motionloom.methods.dynamics.trajectory.posed import PosedBodies, Spot, left_jacobian_inverse
from motionloom.motion import rotations

KINDS = (
    "pose", "place", "heading", "point", "points", "orientation", "distance", "distance from a point", "projection",
    "rest", "rest of an edit",
)  # fmt: skip
N = 9


class Bodies:
    """Poses at N samples as a function of the unknowns."""

    def __init__(self, make, randomly, angle, seed=0):
        rng = np.random.default_rng([seed, 11])
        self.prior = randomly.learnt(make, seed=seed).prior
        codec = self.prior.vectors
        turns = rng.normal(size=(N, (codec.size - 4) // 3, 3))
        if angle is not None:
            turns *= angle / np.linalg.norm(turns, axis=-1, keepdims=True)
        ground = rng.normal(scale=0.2, size=(N, 4))
        self.vectors = np.concatenate([ground, turns.reshape(N, -1)], axis=1)
        self.places = rng.normal(size=(N, 3))

    def posed(self, unknowns):
        size = self.prior.size
        directions = self.prior.subspace.directions
        vectors = self.vectors + unknowns[:, :size] @ directions.T
        return PosedBodies(self.prior.vectors, directions, vectors, self.places + unknowns[:, size:])

    @property
    def still(self):
        return np.zeros((N, self.prior.size + 3))


def differences(function, at, step=1e-6):
    """(..., n) of the values of a function by its numbers."""
    columns = []
    for number in range(at.size):
        change = np.zeros(at.size)
        change[number] = step
        change = change.reshape(at.shape)
        columns.append((np.asarray(function(at + change)) - np.asarray(function(at - change))) / (2 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("angle", [None, 0.0, 1e-9, 1e-5, np.pi - 1e-3, np.pi, np.pi + 0.2])
@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_of_every_term_is_that_of_differences(make, randomly, kind, angle):
    bodies = Bodies(make, randomly, angle)
    term = randomly.terms(bodies.prior, N, N)[kind]
    sums = Sums.zeros(N, N, bodies.prior.size + 3)
    term.add_to(sums, bodies.posed(bodies.still))
    wanted = differences(lambda unknowns: term.cost(bodies.posed(unknowns)), bodies.still).reshape(N, -1)
    np.testing.assert_allclose(sums.gradient, wanted, rtol=2e-5, atol=1e-6 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "distance" not in kind and kind != "projection"])
@pytest.mark.parametrize("angle", [None, 0.0, np.pi])
def test_the_matrix_of_a_term_is_made_of_the_slopes_of_its_residuals(make, randomly, kind, angle):
    bodies = Bodies(make, randomly, angle)
    term = randomly.terms(bodies.prior, N, N)[kind]
    u = bodies.prior.size + 3
    sums = Sums.zeros(N, N, u)
    term.add_to(sums, bodies.posed(bodies.still))
    slopes = differences(lambda unknowns: term._residuals(bodies.posed(unknowns)).ravel(), bodies.still)
    dense = (slopes.T @ slopes).reshape(N, u, N, u)
    scale = np.abs(dense).max()
    for n in range(N):
        np.testing.assert_allclose(sums.blocks[n], dense[n, :, n], atol=1e-5 * scale)
    for n in range(N - 1):
        np.testing.assert_allclose(sums.crossing[n], dense[n, :, n + 1], atol=1e-5 * scale)


@pytest.mark.parametrize("angle", [None, 0.0, 1e-5, np.pi - 1e-6, np.pi])
def test_points_and_orientations_move_as_their_jacobians_say(make, randomly, angle):
    bodies = Bodies(make, randomly, angle)
    rows = np.arange(N)
    n_joints = bodies.prior.vectors.skeleton.n_joints
    spots = [Spot(joint, (0.1, -0.2, 0.05)) for joint in range(n_joints)]
    moving = bodies.posed(bodies.still).jacobian(spots, rows)
    turning = bodies.posed(bodies.still).jacobian([replace(spot, is_position=False) for spot in spots], rows)
    own = bodies.posed(bodies.still).orientations(spots, rows)
    step = 1e-6
    for column in range(bodies.prior.size + 3):
        change = bodies.still
        change[:, column] = step
        ahead, behind = bodies.posed(change), bodies.posed(-change)
        points = (ahead.points(spots, rows) - behind.points(spots, rows)) / (2 * step)
        np.testing.assert_allclose(moving[..., column], points, atol=1e-7)
        turned = [
            rotations.log(rotations.multiply(rotations.inverse(own), posed.orientations(spots, rows)))
            for posed in (ahead, behind)
        ]
        np.testing.assert_allclose(turning[..., column], (turned[0] - turned[1]) / (2 * step), atol=1e-7)


@pytest.mark.parametrize("angle", [1e-9, 1e-6, 0.3, 2.0, np.pi - 1e-3, np.pi - 1e-6])
def test_orientations_far_from_their_targets_are_pulled_the_right_way(make, randomly, angle):
    """Residuals up to half a turn, where the direction of the shorter way changes."""
    bodies = Bodies(make, randomly, None)
    spot = Spot(11, is_position=False)
    rows = np.arange(N)
    own = bodies.posed(bodies.still).orientations([spot], rows)[:, 0]
    axes = np.random.default_rng(0).normal(size=(N, 3))
    away = rotations.exp(angle * axes / np.linalg.norm(axes, axis=1, keepdims=True))
    term = OrientationTerm(rows, spot, rotations.multiply(own, away), 0.1)
    sums = Sums.zeros(N, N, bodies.prior.size + 3)
    term.add_to(sums, bodies.posed(bodies.still))
    np.testing.assert_allclose(term.cost(bodies.posed(bodies.still)), 0.5 * N * (angle / 0.1) ** 2, rtol=1e-5)
    step = min(1e-6, 0.1 * (np.pi - angle))
    wanted = differences(lambda unknowns: term.cost(bodies.posed(unknowns)), bodies.still, step).reshape(N, -1)
    np.testing.assert_allclose(sums.gradient, wanted, rtol=1e-3, atol=1e-4 * np.abs(wanted).max() + 1e-9)


def test_left_jacobians_say_how_logarithms_change():
    rng = np.random.default_rng(2)
    for scale in (0.0, 1e-6, 1e-3, 1.0, 3.1):
        turn = rng.normal(size=3)
        turn *= scale / np.linalg.norm(turn)
        found = left_jacobian_inverse(turn)

        def moved(change, turn=turn):
            return rotations.log(rotations.multiply(rotations.exp(change), rotations.exp(turn)))

        np.testing.assert_allclose(found, differences(moved, np.zeros(3)), atol=1e-5)


def test_points_at_no_distance_do_not_break_a_distance(make, randomly):
    bodies = Bodies(make, randomly, None)
    same = Spot(4)
    term = DistanceTerm(np.arange(N), same, same, np.full(N, 0.2), 0.1)
    sums = Sums.zeros(N, N, bodies.prior.size + 3)
    term.add_to(sums, bodies.posed(bodies.still))
    assert np.isfinite(sums.gradient).all() and np.isfinite(sums.blocks).all()


@pytest.fixture
def camera():
    axes = rotations.to_matrix(rotations.exp(np.array([[0.1, 0.4, -0.2]])))[0]
    return View2D(np.array([0.2, 1.5, -3.0]), axes, np.array([800.0, 750.0]), np.array([640.0, 360.0]))


def test_points_along_a_line_of_sight_are_seen_at_one_place(camera):
    pixel = np.array([100.0, 500.0])
    right, up, forward = camera.axes
    flat = (pixel - camera.centre) / camera.focal
    ray = flat[0] * right - flat[1] * up + forward
    for depth in (0.1, 1.0, 20.0):
        seen, found = camera.see(camera.position + depth * ray)
        np.testing.assert_allclose(seen, pixel, atol=1e-9)
        np.testing.assert_allclose(found, depth)


def test_what_a_camera_sees_moves_as_its_jacobian_says(camera):
    rng = np.random.default_rng(0)
    points = camera.position + (rng.normal(size=(20, 3)) + [0, 0, 3.0]) @ camera.axes
    wanted = np.stack([differences(lambda p: camera.see(p)[0], point) for point in points])
    np.testing.assert_allclose(camera.jacobian(points), wanted, rtol=1e-5, atol=1e-4)


def test_points_behind_a_camera_are_known_by_their_depth_and_stay_finite(camera):
    behind = camera.position - 2.0 * camera.axes[2] + 0.3 * camera.axes[0]
    seen, depth = camera.see(behind)
    np.testing.assert_allclose(depth, -2.0)
    assert np.isfinite(seen).all() and np.isfinite(camera.jacobian(behind)).all()
    np.testing.assert_allclose(
        camera.jacobian(behind), differences(lambda p: camera.see(p)[0], behind), rtol=1e-5, atol=1e-4
    )
