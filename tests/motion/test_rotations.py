"""Rotations obey the laws of rotations, near no turn and near half turns too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.motion import rotations as r

UNIT = st.floats(-1, 1, allow_nan=False)
ANGLES = st.one_of(
    st.floats(0, np.pi), st.sampled_from([0.0, 1e-300, 1e-12, 1e-9, 1e-6, 1e-3, np.pi - 1e-3, np.pi - 1e-9, np.pi])
)


@st.composite
def turns(draw):
    """Rotation vectors of 0 to pi, thick at the singular places."""
    direction = np.array([draw(UNIT), draw(UNIT), draw(UNIT)])
    length = np.linalg.norm(direction)
    direction = direction / length if length > 1e-3 else np.array([0.0, 0.0, 1.0])
    return direction * draw(ANGLES)


quaternions = turns().map(r.exp)
vectors = st.tuples(UNIT, UNIT, UNIT).map(lambda v: np.array(v) * 3)


def same(a, b, tolerance=1e-9):
    return r.angle_between(a, b).max() < tolerance


@given(turns())
def test_exp_gives_unit_quaternions_and_log_takes_it_back(turn):
    q = r.exp(turn)
    assert abs(np.linalg.norm(q) - 1) < 1e-12
    back = r.log(q)
    # a half turn about an axis is also a half turn about its opposite
    assert min(np.abs(back - turn).max(), np.abs(r.exp(back) - q).max(), np.abs(r.exp(back) + q).max()) < 1e-9
    assert np.linalg.norm(back) <= np.pi + 1e-12


@given(turns())
def test_log_of_the_opposite_quaternion_is_the_same_turn(turn):
    q = r.exp(turn)
    assert same(r.exp(r.log(-q)), q)


@given(quaternions, quaternions, quaternions)
def test_multiplication_is_associative_and_inverse_undoes(a, b, c):
    np.testing.assert_allclose(r.multiply(r.multiply(a, b), c), r.multiply(a, r.multiply(b, c)), atol=1e-12)
    np.testing.assert_allclose(r.multiply(a, r.inverse(a)), r.IDENTITY, atol=1e-12)


@given(quaternions, quaternions, vectors)
def test_rotating_twice_is_rotating_by_the_product(a, b, v):
    np.testing.assert_allclose(r.rotate(r.multiply(a, b), v), r.rotate(a, r.rotate(b, v)), atol=1e-12)


@given(quaternions, vectors)
def test_matrices_turn_vectors_as_quaternions_do_and_go_back(q, v):
    matrix = r.to_matrix(q)
    np.testing.assert_allclose(matrix @ v, r.rotate(q, v), atol=1e-12)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix) > 0
    assert same(r.from_matrix(matrix), q, 1e-7)


@given(quaternions, quaternions, st.floats(0, 1))
def test_slerp_starts_at_a_ends_at_b_and_moves_evenly(a, b, t):
    assert same(r.slerp(a, b, 0.0), a, 1e-7)
    assert same(r.slerp(a, b, 1.0), b, 1e-7)
    whole = r.angle_between(a, b)
    assert abs(r.angle_between(a, r.slerp(a, b, t)) - t * whole) < 1e-7


@given(quaternions, vectors.filter(lambda v: np.linalg.norm(v) > 0.1))
def test_swing_and_twist_make_up_the_rotation(q, axis):
    axis = axis / np.linalg.norm(axis)
    swing, twist = r.split_swing_twist(q, axis)
    assert same(r.multiply(swing, twist), q, 1e-7)
    np.testing.assert_allclose(r.rotate(twist, axis), axis, atol=1e-9)
    assert abs(r.log(swing) @ axis) < 1e-6


@pytest.mark.parametrize("order", r.TAIT_BRYAN_ORDERS + r.PROPER_ORDERS)
@given(q=quaternions)
def test_euler_angles_of_every_order_give_the_rotation_back(order, q):
    assert same(r.from_euler(r.to_euler(q, order), order), q, 1e-6)


@pytest.mark.parametrize("order", r.TAIT_BRYAN_ORDERS + r.PROPER_ORDERS)
@pytest.mark.parametrize("middle", [0.0, np.pi / 2, -np.pi / 2, np.pi, 1e-8, np.pi / 2 - 1e-8])
def test_euler_angles_survive_gimbal_lock(order, middle):
    q = r.from_euler(np.array([0.7, middle, -0.4]), order)
    assert same(r.from_euler(r.to_euler(q, order), order), q, 1e-6)


def test_euler_order_is_about_moving_axes_first_letter_outermost():
    angles = np.array([0.3, -0.5, 0.9])
    plain = np.eye(3)
    for letter, angle in zip("ZYX", angles):
        plain = plain @ _matrix_about(letter, angle)
    np.testing.assert_allclose(r.to_matrix(r.from_euler(angles, "ZYX")), plain, atol=1e-12)


def test_fewer_than_three_angles_are_allowed_and_wrong_counts_are_not():
    assert same(r.from_euler(np.array([0.5]), "X"), r.about_axis(np.array([1.0, 0, 0]), 0.5))
    assert same(r.from_euler(np.zeros((0,)), ""), r.IDENTITY)
    with pytest.raises(BadInput, match="2 angles for the rotation order 'XYZ'"):
        r.from_euler(np.zeros(2), "XYZ")
    with pytest.raises(BadInput, match="no rotation order 'XXY'"):
        r.to_euler(r.IDENTITY, "XXY")


def test_mean_ignores_signs_and_finds_the_middle():
    rng = np.random.default_rng(3)
    middle = r.exp(np.array([0.4, -1.0, 2.0]))
    spread = rng.normal(scale=0.1, size=(50, 3))
    samples = r.multiply(middle, r.exp(np.concatenate([spread, -spread])))
    samples *= rng.choice([-1.0, 1.0], size=(100, 1))
    assert same(r.mean(samples), middle, 1e-6)


def test_mean_of_two_is_halfway_and_weights_pull():
    a, b = r.exp(np.array([0.1, 0, 0])), r.exp(np.array([0.9, 0, 0]))
    assert same(r.mean(np.stack([a, b])), r.slerp(a, b, 0.5), 1e-9)
    assert same(r.mean(np.stack([a, b]), weights=np.array([1.0, 0.0])), a, 1e-9)


@given(vectors.filter(lambda v: np.linalg.norm(v) > 0.1), vectors.filter(lambda v: np.linalg.norm(v) > 0.1))
def test_between_vectors_brings_one_direction_to_the_other(a, b):
    turned = r.rotate(r.between_vectors(a, b), a / np.linalg.norm(a))
    np.testing.assert_allclose(turned, b / np.linalg.norm(b), atol=1e-7)


def test_between_opposite_vectors_is_a_half_turn():
    for a in np.vstack([np.eye(3), [[0.6, 0.8, 0.0], [0.48, 0.6, 0.64]]]):
        np.testing.assert_allclose(r.rotate(r.between_vectors(a, -a), a), -a, atol=1e-9)


def test_align_signs_makes_neighbours_near_and_changes_no_rotation():
    smooth = r.exp(np.linspace([0, 0, 0], [0, 9.0, 1.0], 80))
    flipped = smooth * np.random.default_rng(0).choice([-1.0, 1.0], size=(80, 1))
    aligned = r.align_signs(flipped)
    assert np.linalg.norm(np.diff(aligned, axis=0), axis=-1).max() < 0.1
    assert same(aligned, smooth, 1e-7)
    assert r.align_signs(smooth[:1]).shape == (1, 4)


def test_turning_left_takes_forward_to_left():
    np.testing.assert_allclose(r.rotate(r.about_y(np.pi / 2), np.array([0, 0, 1.0])), [1.0, 0, 0], atol=1e-12)


def _matrix_about(letter, angle):
    c, s = np.cos(angle), np.sin(angle)
    return {
        "X": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "Y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "Z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[letter]


def test_the_median_turns_with_the_rotations_and_few_strays_do_not_carry_it_away():
    rng = np.random.default_rng(0)
    near = r.exp(rng.normal(scale=0.05, size=(60, 3)))
    strays = r.exp(rng.normal(scale=0.05, size=(25, 3)) + np.array([2.0, 0.0, 0.0]))
    both = np.concatenate([near, strays])
    assert r.angle(r.median(both)) < 0.06
    assert r.angle(r.mean(both)) > 0.3
    left, right = r.exp(rng.normal(size=(2, 3)))
    turned = r.median(r.multiply(r.multiply(left, both), right))
    assert same(turned, r.multiply(r.multiply(left, r.median(both)), right), 1e-6)
    assert same(r.median(-both), r.median(both), 1e-6)


def test_the_median_weighs_and_no_rotation_is_nearer_in_sum():
    rng = np.random.default_rng(1)
    q, weights = r.exp(rng.normal(scale=0.4, size=(9, 3))), rng.uniform(0.1, 1.0, 9)
    middle = r.median(q, weights, iterations=400)

    def cost(of):
        return float(weights @ r.angle_between(q, np.broadcast_to(of, q.shape)))

    for step in rng.normal(scale=0.02, size=(50, 3)):
        assert cost(middle) <= cost(r.multiply(r.exp(step), middle)) + 1e-9
    heavy = np.where(np.arange(9) == 3, 20.0, 0.1)
    assert same(r.median(q, heavy, iterations=400), q[3], 1e-3)
    assert same(r.median(q[:1]), q[0], 1e-9)
