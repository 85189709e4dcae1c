"""Badges say what is wrong with motions whose faults are known."""

import numpy as np
import pytest

from motionloom.quality.badges import LIMITS, Badges, measure_badges

PLANTED = np.ones((60, 4), bool)


def above_limits(badges: Badges) -> list[str]:
    """The names of the badges above their limits."""
    values = {"skate": badges.skate, "floor": badges.floor, "spikes": badges.spikes}
    return [name for name, value in values.items() if value is not None and abs(value) > LIMITS[name].most]


def test_someone_who_stands_still_on_the_floor_wants_nothing(make_standing):
    badges = measure_badges(make_standing(np.zeros((60, 3))), PLANTED)
    assert badges.skate == pytest.approx(0.0)
    assert badges.spikes == 0
    assert above_limits(badges) == []


def test_feet_that_slide_skate_by_how_fast_they_slide(make_standing):
    moves = np.arange(60)[:, None] / 60 * np.array([0.2, 0.0, 0.0])
    badges = measure_badges(make_standing(moves), PLANTED)
    assert badges.skate == pytest.approx(20.0)
    assert above_limits(badges) == ["skate"]


@pytest.mark.parametrize(("height", "sign"), [(-0.06, -1), (0.08, 1)])
def test_feet_off_the_floor_are_below_or_above_it(make_standing, height, sign):
    moves = np.zeros((60, 3))
    moves[:, 1] = height
    badges = measure_badges(make_standing(moves), PLANTED)
    assert np.sign(badges.floor) == sign
    assert "floor" in above_limits(badges)


def test_a_single_deep_frame_makes_no_floor_wrong(make_standing):
    moves = np.zeros((200, 3))
    moves[50, 1] = -0.08
    assert "floor" not in above_limits(measure_badges(make_standing(moves), np.ones((200, 4), bool)))


def test_a_body_without_feet_has_spikes_alone(footless):
    badges = measure_badges(footless, np.zeros((10, 4), bool))
    assert (badges.skate, badges.floor, badges.spikes) == (None, None, 0)


def test_feet_that_never_rest_do_not_skate(make_standing):
    assert measure_badges(make_standing(np.zeros((60, 3))), np.zeros((60, 4), bool)).skate is None
