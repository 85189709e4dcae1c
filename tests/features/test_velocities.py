"""How fast things move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.features.velocities import accelerations, jerks, positions_seen_from, seen_from, speeds, velocities
from motionloom.motion import Placement, place_points

rates = st.sampled_from([24.0, 30.0, 60.0, 100.0, 120.0, 240.0])


@given(rates)
def test_a_thrown_point_has_its_velocity_and_gravity(fps):
    times = np.arange(60) / fps
    thrown = np.stack([2 * times, 3 * times - 9.81 / 2 * times**2, 0 * times], axis=-1)
    np.testing.assert_allclose(accelerations(thrown, fps), np.tile([0, -9.81, 0], (60, 1)), atol=1e-6)
    np.testing.assert_allclose(velocities(thrown, fps)[1:-1, 1], (3 - 9.81 * times)[1:-1], atol=1e-9)


@given(rates)
def test_a_point_whose_acceleration_grows_steadily_has_that_jerk(fps):
    times = np.arange(60) / fps
    points = np.stack([2 * times**3, 5 * times**2, -times], axis=-1)
    np.testing.assert_allclose(jerks(points, fps), np.tile([12, 0, 0], (60, 1)), atol=1e-4)


@given(rates)
def test_steady_motion_has_steady_speed(fps):
    times = np.arange(40) / fps
    points = np.stack([3 * times, 4 * times, 0 * times], axis=-1)
    np.testing.assert_allclose(speeds(points, fps), 5.0, atol=1e-9)


@pytest.mark.parametrize("n_frames", [1, 2, 3, 4])
def test_short_motions_have_speeds_and_accelerations_too(n_frames):
    points = np.random.default_rng(0).normal(size=(n_frames, 2, 3))
    assert velocities(points, 60.0).shape == accelerations(points, 60.0).shape == points.shape
    assert speeds(points, 60.0).shape == (n_frames, 2)
    assert np.isfinite(accelerations(points, 60.0)).all()
    assert jerks(points, 60.0).shape == points.shape and not jerks(points, 60.0).any()


@given(st.floats(-7, 7))
def test_the_facing_sees_forwards_along_z_and_left_along_x(heading):
    forwards = np.array([[[np.sin(heading), 0.0, np.cos(heading)]]])
    np.testing.assert_allclose(seen_from(np.array([heading]), forwards)[0, 0], [0, 0, 1], atol=1e-9)
    left = np.array([[[np.cos(heading), 2.0, -np.sin(heading)]]])
    np.testing.assert_allclose(seen_from(np.array([heading]), left)[0, 0], [1, 2, 0], atol=1e-9)


@given(st.floats(-7, 7), st.floats(-5, 5), st.floats(-5, 5), st.floats(-1, 1))
def test_what_the_facing_sees_does_not_depend_on_where_it_is(heading, x, z, floor):
    points = np.random.default_rng(1).normal(size=(1, 6, 3))
    moved = place_points(points, Placement(heading, np.array([x, z]))) + np.array([0, floor, 0])
    seen = positions_seen_from(np.array([heading]), np.array([[x, z]]), floor, moved)
    np.testing.assert_allclose(seen, points, atol=1e-9)
