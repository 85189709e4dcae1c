"""Curves that people look at say what the motion does."""

import numpy as np
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.features.motion_curves import find_curves
from motionloom.motion import Motion, rotations


def walker(make, n_frames=90, fps=60.0):
    """A statue that is carried along z at 1.5 m/s while it turns left by 90 degrees per second."""
    skeleton = make.skeleton()
    times = np.arange(n_frames) / fps
    roots = np.stack([np.zeros(n_frames), np.full(n_frames, 0.95), 1.5 * times], axis=1)
    turns = rotations.identity((n_frames, skeleton.n_joints))
    turns[:, 0] = rotations.exp(np.stack([0 * times, np.pi / 2 * times, 0 * times], axis=1))
    return Motion(skeleton, roots, turns, fps)


def test_speed_heading_and_heights_are_those_of_the_motion(make):
    curves = find_curves(walker(make), floor_height=0.0)
    np.testing.assert_allclose(curves["speed"], 1.5, atol=1e-9)
    np.testing.assert_allclose(np.diff(curves["heading"]), 1.5, atol=1e-6)
    np.testing.assert_allclose(curves["left_ball"], curves["right_ball"], atol=1e-6)
    assert abs(curves["left_ball"][0] - 1.0) < 0.1


def test_the_floor_counts_for_heights_alone(make):
    low, high = (find_curves(walker(make), floor_height=floor) for floor in (0.0, 0.01))
    np.testing.assert_allclose(low["left_ball"] - high["left_ball"], 1.0, atol=1e-6)
    np.testing.assert_array_equal(low["speed"], high["speed"])


def test_feet_are_as_high_as_above_the_ground_that_is_given():
    walk = perform_supports("hills", 130)
    above, floor = (find_curves(walk.motion, 0.0, ground)["left_heel"] for ground in (walk.ground, None))
    rests = walk.contacts[:, 0]
    assert np.median(np.abs(above[rests])) < 2.0 < floor[rests].max()
