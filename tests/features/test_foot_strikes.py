"""When feet come down."""

import numpy as np

from motionloom.features.contacts import detect_contacts
from motionloom.features.foot_strikes import LEFT, RIGHT, find_strikes


def test_a_foot_comes_down_with_its_heel_or_its_ball_whichever_is_first():
    contacts = np.zeros((20, 4), bool)
    contacts[5:9, 0] = True  # left heel
    contacts[7:12, 1] = True  # left ball, while the heel still rests
    contacts[10:15, 3] = True  # right ball
    contacts[0:3, 2] = True  # right heel, from before the take
    contacts[16:18, 0] = True
    assert find_strikes(contacts).tolist() == [[5, LEFT], [10, RIGHT], [16, LEFT]]


def test_nobody_steps_where_nothing_rests():
    assert find_strikes(np.zeros((5, 4), bool)).shape == (0, 2)


def test_a_walk_steps_left_and_right_in_turn_once_per_half_cycle(make_walk):
    walk = make_walk(seconds=6.0)
    strikes = find_strikes(detect_contacts(walk.motion, 0.0))
    assert (np.diff(strikes[:, 1]) != 0).all()
    np.testing.assert_allclose(np.diff(strikes[:, 0]) / 60.0, 0.55, atol=2 / 60)
