"""The parts of planting: least squares over frames against dense ones, bounds, roots that reach, feet that turn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.constraints._kernels import bend_turns, turn_foot
from motionloom.constraints.banded_least_squares import CLOSED, Bounds, smallest_change
from motionloom.constraints.footplant_demands import PlantRules, demand_plants
from motionloom.constraints.root_reach import move_root
from motionloom.motion import rotations


def dense_matrix(n_frames, n, spread, fps):
    """The plain twin: size and bend of a change as one matrix."""
    bend = np.zeros((max(n_frames - 2, 0), n_frames))
    for f in range(n_frames - 2):
        bend[f, f : f + 3] = 1, -2, 1
    return np.kron(np.eye(n_frames) + (spread * fps) ** 4 * bend.T @ bend, np.eye(n))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.integers(1, 4), st.integers(0, 10_000))
def test_banded_equations_are_the_dense_ones(n_frames, n, seed):
    rng = np.random.default_rng(seed)
    current = rng.normal(size=(n_frames, n))
    equations = smallest_change(current, 0.05, 60.0)
    matrix = dense_matrix(n_frames, n, 0.05, 60.0)
    right = -matrix @ current.ravel()
    frames = np.flatnonzero(rng.random(n_frames) < 0.5)
    rows, values = rng.normal(size=(len(frames), n)), rng.normal(size=len(frames))
    equations.add(frames, rows, values, 7.0)
    for frame, row, value in zip(frames, rows, values):
        whole = np.zeros((n_frames, n))
        whole[frame] = row
        matrix += 7.0 * np.outer(whole, whole)
        right += 7.0 * value * whole.ravel()
    if n_frames > 1:
        steps = np.flatnonzero(rng.random(n_frames - 1) < 0.5)
        first, second = rng.normal(size=(2, len(steps), 3, n))
        asked = rng.normal(size=(len(steps), 3))
        equations.add_steps(steps, first, second, asked, 11.0)
        for k, frame in enumerate(steps):
            for i in range(3):
                whole = np.zeros((n_frames, n))
                whole[frame], whole[frame + 1] = -first[k, i], second[k, i]
                matrix += 11.0 * np.outer(whole, whole)
                right += 11.0 * asked[k, i] * whole.ravel()
    held = np.flatnonzero(rng.random(n_frames) < 0.3)
    equations.hold(held, np.ones((len(held), n)), 5.0)
    for frame in held:
        for i in range(n):
            matrix[frame * n + i, frame * n + i] += 5.0
            right[frame * n + i] += 5.0
    np.testing.assert_allclose(equations.solve().ravel(), np.linalg.solve(matrix, right), rtol=1e-6, atol=1e-9)


def test_a_change_fades_out_of_a_demand_in_value_and_slope():
    equations = smallest_change(np.zeros((400, 1)), 0.1, 60.0)
    equations.add(np.array([200]), np.ones((1, 1)), np.ones(1), 1e7)
    change = equations.solve()[:, 0]
    assert change[200] == pytest.approx(1.0, abs=1e-5)
    assert np.abs(np.diff(change)).max() < 0.15
    assert np.abs(change[200 + 60 :]).max() < 0.01


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_bounds_are_met_and_push_only_where_they_bind(seed):
    """The conditions of a least change above a curve: gaps and forces not negative, and one of the two zero."""
    rng = np.random.default_rng(seed)
    n_frames = 80
    curve = np.convolve(rng.normal(size=n_frames + 8), np.ones(9) / 9, mode="valid") - 0.1
    change = np.zeros((n_frames, 1))
    rows = np.ones((n_frames, 1, 1))
    bounds = Bounds.of(-curve[:, None], np.ones((n_frames, 1), bool))
    for _ in range(60):
        gaps = change - curve[:, None]
        equations = smallest_change(change, 0.05, 60.0)
        bounds.push(equations, rows, gaps)
        step = equations.solve()
        change = change + step * bounds.follow(rows, gaps, step)
        if np.abs(step).max() < 1e-7 and bounds.openness < CLOSED:
            break
    gaps = change[:, 0] - curve
    pushes = dense_matrix(n_frames, 1, 0.05, 60.0) @ change[:, 0]  # the force that bends the change like this
    assert gaps.min() > -1e-5
    assert pushes.min() > -1e-2
    assert np.abs(gaps * pushes).max() < 1e-3


def legs_of(rng, n_frames=50, n_legs=2):
    hips = np.tile(rng.normal(size=(1, n_legs, 3)) * 0.1 + [0, 0.9, 0], (n_frames, 1, 1))
    sway = 0.2 * np.sin(np.arange(n_frames)[:, None, None] / 9 + rng.normal(size=(1, n_legs, 3)))
    return hips, hips - [0, 0.75, 0] + sway


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_a_moved_root_reaches_all_feet(seed):
    hips, ankles = legs_of(np.random.default_rng(seed))
    reaches = np.full(hips.shape[:2], 0.8)
    move = move_root(hips, ankles, reaches, np.zeros(50, bool), fps=60.0, spread=0.1)
    lengths = np.linalg.norm(hips + move[:, None] - ankles, axis=-1)
    assert lengths.max() < 0.8 + 5e-4


def test_a_root_that_need_not_move_stays():
    hips, ankles = legs_of(np.random.default_rng(0))
    move = move_root(hips, ankles, np.full(hips.shape[:2], 2.0), np.zeros(50, bool), fps=60.0, spread=0.1)
    assert not move.any()


def test_a_root_moves_no_farther_than_one_leg_asks():
    hips = np.tile([0.0, 0.9, 0.0], (200, 1, 1))
    ankles = np.zeros((200, 1, 3))
    ankles[100, 0] = [0, -0.05, 0]  # in one frame the leg would be 0.95 long
    move = move_root(hips, ankles, np.full((200, 1), 0.92), np.zeros(200, bool), fps=60.0, spread=0.1)
    assert move[100, 1] == pytest.approx(-0.03, abs=5e-4)
    assert move[:, 1].min() > -0.0305
    assert np.abs(move[:, [0, 2]]).max() < 1e-4
    assert np.linalg.norm(move[160:], axis=-1).max() < 1e-3


def test_held_frames_keep_their_root():
    hips, ankles = legs_of(np.random.default_rng(3))
    held = np.zeros(50, bool)
    held[20:23] = True
    move = move_root(hips, ankles, np.full(hips.shape[:2], 0.8), held, fps=60.0, spread=0.1)
    assert not move[20:23].any()
    assert np.linalg.norm(move[23]) < 0.02


def turned_points(ankle, axes, arms, change, levers):
    """The plain twin: where the (K, 3) points of one foot are after a (6,) change."""
    turn = rotations.to_matrix(rotations.exp(levers @ change[3:]))
    return ankle + change[:3] + arms @ (axes @ turn).T


@pytest.mark.parametrize("size", [0.0, 1e-6, 0.3, 2.0])
def test_points_of_a_turned_foot_and_how_they_change(size):
    rng = np.random.default_rng(5)
    ankles, arms, change = rng.normal(size=(4, 3)), rng.normal(size=(4, 2, 3)), size * rng.normal(size=(4, 6))
    axes = rotations.to_matrix(rotations.exp(rng.normal(size=(4, 3))))
    levers = rng.normal(size=(3, 3))
    points, rows, turners = np.empty((4, 2, 3)), np.empty((4, 2, 3, 6)), np.empty((4, 3, 3))
    turn_foot(ankles, axes, arms, change, levers, points, rows, turners)
    for f in range(4):
        place = (ankles[f], axes[f], arms[f])
        np.testing.assert_allclose(points[f], turned_points(*place, change[f], levers), atol=1e-9)
        for i, step in enumerate(1e-6 * np.eye(6)):
            ahead, behind = (turned_points(*place, change[f] + sign * step, levers) for sign in (1, -1))
            np.testing.assert_allclose(rows[f, :, :, i], (ahead - behind) / 2e-6, atol=1e-5)


def test_pulls_bend_turns_by_their_positive_curvature():
    rng = np.random.default_rng(6)
    turners, arms, pulls = rng.normal(size=(9, 3, 3)), rng.normal(size=(9, 2, 3)), rng.normal(size=(9, 2, 3))
    pulls[0] = 0.0
    bending = np.empty((9, 3, 3))
    bend_turns(turners, arms, pulls, bending)
    for f in range(9):
        curve = np.zeros((3, 3))
        for g, a in zip(pulls[f], arms[f]):
            curve += g @ a * np.eye(3) - (np.outer(g, a) + np.outer(a, g)) / 2
        values, vectors = np.linalg.eigh(turners[f].T @ curve @ turners[f])
        np.testing.assert_allclose(bending[f], vectors * np.maximum(values, 0) @ vectors.T, atol=1e-9)


RULES = PlantRules(clearance=0.002, other_support=0.03, short_swing=0.15, lock_fade=0.1, spread=0.15)


def contacts_at(heights):
    """(120, 4, 3) metres, world, of a left ball that stands at heights above a floor at 1 m, and its contacts."""
    points, contacts = np.zeros((120, 4, 3)), np.zeros((120, 4), bool)
    points[:, 1, 1] = 0.3
    for (start, stop), height in heights.items():
        contacts[start:stop, 1] = True
        points[start:stop, 1, 1] = height
    return points + [0, 1.0, 0], contacts


def asked_of(heights):
    """What is asked of such a ball: metres above the floor for each of its plants, and whether it stands elsewhere."""
    points, contacts = contacts_at(heights)
    demands = demand_plants(points, contacts, np.zeros(0, int), 60.0, 1.0, RULES)
    assert (np.isnan(demands.heights) == ~contacts).all()
    asked = [demands.heights[start:stop, 1] - 1.0 for start, stop in heights]
    assert all(np.ptp(values) < 1e-12 for values in asked)
    return [float(values[0]) for values in asked], [bool(demands.elsewhere[start, 1]) for start, _ in heights]


def test_plants_on_something_are_as_high_as_they_are_and_others_as_their_point_rests():
    asked, elsewhere = asked_of({(0, 30): 0.01, (40, 70): 0.02, (80, 100): 0.06})  # the last stands on a step
    assert asked == pytest.approx([0.01, 0.01, 0.06])
    assert elsewhere == [False, False, True]


def test_no_plant_is_lifted_to_where_its_point_lingers():
    asked, _ = asked_of({(0, 30): 0.004, (40, 110): 0.085})  # flat on the floor, then on tiptoe for longer
    assert asked == pytest.approx([0.004, 0.085])


def test_plants_below_the_floor_are_lifted_above_it():
    asked, _ = asked_of({(0, 30): -0.05, (40, 70): -0.01})
    assert asked == pytest.approx([0.002, 0.002])


def test_plants_with_hardly_a_swing_between_them_have_one_height():
    asked, elsewhere = asked_of({(0, 40): 0.004, (43, 63): 0.05, (90, 110): 0.05})  # the last after a swing
    assert asked == pytest.approx([0.004, 0.004, 0.05])
    assert elsewhere == [False, False, True]


def test_feet_farther_apart_than_legs_reach_leave_the_root_between_them():
    hips = np.tile(np.array([[0.1, 0.9, 0.0], [-0.1, 0.9, 0.0]]), (60, 1, 1))
    ankles = hips * np.array([1.0, 0.1, 1.0])
    away = np.linspace(0, 10, 60)
    ankles[:, 0, 0] += away  # one foot is dragged off while the other stays
    move = move_root(hips, ankles, np.full((60, 2), 0.85), np.zeros(60, bool), fps=60.0, spread=0.08)
    assert (move[:, 0] > -0.5).all()
    assert (move[:, 0] < away + 0.5).all()
    assert np.abs(move[:, 1:]).max() < 1.0
