"""Scaled steps: where feet rest, times a scale."""

import numpy as np
import pytest

from motionloom.methods.dynamics.retargeting.scaled_steps import farthest_away, find_steps

HEEL, BALL = np.array([0.1, 0.0, 1.0]), np.array([0.1, 0.0, 1.2])


def standing(n=20):
    """(F, 4, 3) points of feet that stand, the right one at another place, and (F, 4) contacts of nothing."""
    points = np.zeros((n, 4, 3))
    points[:, 0], points[:, 1] = HEEL, BALL
    points[:, 2], points[:, 3] = HEEL - [0.2, 0, 0], BALL - [0.2, 0, 0]
    return points, np.zeros((n, 4), bool)


def test_a_foot_on_heel_and_ball_is_at_the_middle_of_both_in_the_new_size():
    points, contacts = standing()
    contacts[3:9, 0] = contacts[5:14, 1] = True
    (step,) = find_steps(points, contacts, 0.5)
    assert (step.side, step.start, step.stop, step.columns) == ("left", 3, 14, (0, 1))
    assert step.frames.tolist() == [5, 6, 7, 8]
    np.testing.assert_allclose(step.place, [0.05, 0.55])


def test_a_foot_that_never_rests_on_both_is_where_the_longer_contact_is():
    points, contacts = standing()
    contacts[2:4, 2] = contacts[4:12, 3] = True
    (step,) = find_steps(points, contacts, 2.0)
    assert (step.side, step.columns, step.frames.tolist()) == ("right", (3,), list(range(4, 12)))
    np.testing.assert_allclose(step.place, [-0.2, 2.4])


def test_a_foot_that_turns_while_it_rests_is_where_it_turns_about():
    points, contacts = standing()
    contacts[2:16, 1] = contacts[3:6, 0] = contacts[10:14, 0] = True
    points[7:, 0] += [0.15, 0.0, 0.05]
    (step,) = find_steps(points, contacts, 0.5)
    assert (step.start, step.stop, step.columns) == (2, 16, (1,))
    np.testing.assert_allclose(step.place, [0.05, 0.6])
    assert step.away(0.5 * points) < 1e-12


def test_every_step_has_its_own_place():
    points, contacts = standing()
    contacts[1:5, :2] = contacts[9:15, :2] = contacts[4:10, 2:] = True
    points[7:, :2] += [0.0, 0.0, 1.4]
    steps = find_steps(points, contacts, 1.0)
    assert [(step.side, step.start) for step in steps] == [("left", 1), ("left", 9), ("right", 4)]
    np.testing.assert_allclose([step.place[1] for step in steps], [1.1, 2.5, 1.1])


def test_a_shift_brings_a_step_to_its_place_and_away_is_what_is_left():
    points, contacts = standing()
    contacts[2:10, :2] = True
    (step,) = find_steps(points, contacts, 1.0)
    moved = points + [0.03, 0.2, -0.04]
    np.testing.assert_allclose(step.shift(moved), [-0.03, 0.04])
    assert farthest_away([step], moved) == pytest.approx(0.05)
    moved[4, :2] += [0.03, 0.0, -0.04]
    assert farthest_away([step], moved) == pytest.approx(0.10), "the worst frame counts"
    assert farthest_away([], moved) == 0.0


def test_feet_that_a_skeleton_does_not_have_take_no_steps():
    points, contacts = standing()
    contacts[:] = True
    points[:, 2:] = np.nan
    assert [step.side for step in find_steps(points, contacts, 1.0)] == ["left"]
