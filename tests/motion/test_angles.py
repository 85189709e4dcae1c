"""Wrapped angles: within half a turn, and the same angle."""

import numpy as np
import pytest

from motionloom.motion.angles import wrap_angle, wrap_angle_outside, wrap_angles, wrap_outside

_RANDOM = np.random.default_rng(0).normal(scale=20, size=500)
ANGLES = np.concatenate([_RANDOM, np.pi * np.arange(-9, 10), [1e-300, -0.0]])


@pytest.mark.parametrize("wrap", [wrap_angles, wrap_outside])
def test_a_wrapped_angle_is_within_half_a_turn_and_points_the_same_way(wrap):
    wrapped = wrap(ANGLES)
    assert (wrapped >= -np.pi).all() and (wrapped <= np.pi).all()
    np.testing.assert_allclose(np.exp(1j * wrapped), np.exp(1j * ANGLES), atol=1e-12)


def test_the_ends_are_half_a_turn_to_the_right():
    assert wrap_angle(np.pi) == wrap_angle(-np.pi) == wrap_angle_outside(np.pi) == wrap_angle_outside(-np.pi) == -np.pi


def test_one_angle_is_wrapped_as_in_an_array():
    assert [wrap_angle(float(angle)) for angle in ANGLES] == wrap_angles(ANGLES).tolist()
    assert [wrap_angle_outside(float(angle)) for angle in ANGLES] == wrap_outside(ANGLES).tolist()


def test_angles_inside_stay_bit_for_bit_where_that_is_wanted():
    inside = ANGLES[np.abs(ANGLES) < 3.1]
    np.testing.assert_array_equal(wrap_outside(inside), inside)
    np.testing.assert_allclose(wrap_angles(inside), inside, atol=1e-15)
