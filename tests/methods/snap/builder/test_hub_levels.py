"""Heights of hubs, and supports of takes at exactly these heights."""

import numpy as np
import pytest

from motionloom.methods.snap.builder.hub_levels import SupportedTake, cover_passages, hold_planted, settle_levels
from motionloom.methods.snap.builder.hub_poses import Passage
from motionloom.methods.snap.builder.linked_stances import Link
from motionloom.motion import Box, Footing, Placement, Support

HERE = Placement(0.0, np.zeros(2))
LEFT = np.array([True, True, False, False])


def take(*steps, rests=(0, 40), height=None):
    """A take of 40 frames whose left foot rests; each step is its top, and its first and last frame."""
    supports = tuple(Support(Box((0.0, 0.0), (0.2, 0.2), 0.0, top, 0.0), start, stop) for top, start, stop in steps)
    points = np.zeros((40, 4, 3))
    points[:, 1, 2] = 0.1
    for top, start, stop in steps:
        points[start:stop, :, 1] = top
    if height is not None:
        points[..., 1] = height
    contacts = np.zeros((40, 4), bool)
    contacts[rests[0] : rests[1]] = LEFT
    return SupportedTake(Footing(supports=supports), points, contacts)


def test_takes_that_meet_in_a_hub_share_the_average_height():
    takes = [take((0.30, 0, 40)), take((0.32, 10, 40))]
    levels = settle_levels(takes, [[Passage(0, 20, HERE)]] * 2, [[], []], [LEFT], 60.0)
    assert levels.hubs[0] == pytest.approx([0.31, 0.31, 0.0, 0.0])
    assert [footing.supports[0].box.top for footing in levels.footings] == pytest.approx([0.31, 0.31])
    assert [(s.start, s.stop) for footing in levels.footings for s in footing.supports] == [(0, 40), (10, 40)]


def test_where_the_floor_is_among_what_hubs_stand_on_it_is_the_floor():
    takes = [take((0.03, 0, 40)), take()]
    levels = settle_levels(takes, [[Passage(0, 20, HERE)]] * 2, [[], []], [LEFT], 60.0)
    assert not levels.hubs.any()
    assert all(footing.is_flat for footing in levels.footings)


def test_hubs_that_stand_on_one_step_or_are_linked_share_their_height():
    both = take((0.30, 0, 40))
    passages = [[Passage(0, 10, HERE), Passage(1, 30, HERE)], [Passage(1, 20, HERE)], [Passage(2, 20, HERE)]]
    takes = [both, take((0.34, 0, 40)), take((0.50, 0, 40))]
    levels = settle_levels(takes, passages, [[], [], []], [LEFT] * 3, 60.0)
    assert levels.hubs[:, 0] == pytest.approx([0.32, 0.32, 0.5])
    linked = [[Passage(0, 10, HERE), Passage(2, 30, HERE)], *passages[1:]]
    away = take((0.30, 0, 15), rests=(0, 15))  # nothing is known below its second passage
    levels = settle_levels([away, *takes[1:]], linked, [[Link(0, LEFT)], [], []], [LEFT] * 3, 60.0)
    assert levels.hubs[:, 0] == pytest.approx([0.40, 0.34, 0.40])


def test_steps_that_no_hub_stands_on_stay_as_they_are():
    one = take((0.30, 0, 15), (0.15, 20, 40))
    levels = settle_levels([one], [[Passage(0, 8, HERE)]], [[]], [LEFT], 60.0)
    assert levels.footings[0] == one.footing


def test_a_foot_that_comes_down_late_has_a_step_below_it_all_the_same():
    late = take((0.30, 25, 40), rests=(25, 40), height=0.3)
    contacts = late.contacts.copy()
    contacts[19:25] = LEFT  # imposed by the hub
    levels = np.array([[0.30, 0.30, 0.0, 0.0]])
    covered = cover_passages(late.footing, late.points, contacts, [Passage(0, 20, HERE)], levels)
    assert [(support.start, support.stop) for support in covered.supports] == [(19, 25), (25, 40)]
    assert covered.under(late.points, contacts)[19:, :2] == pytest.approx(0.30)


def test_a_foot_that_never_came_down_gets_a_step():
    never = take(rests=(0, 0), height=0.35)
    contacts = never.contacts.copy()
    contacts[19:22] = LEFT
    levels = np.array([[0.30, 0.30, 0.0, 0.0]])
    (support,) = cover_passages(never.footing, never.points, contacts, [Passage(0, 20, HERE)], levels).supports
    assert (support.start, support.stop, support.box.top, support.box.bottom) == (19, 22, 0.30, 0.0)
    assert support.box.covers(never.points[20, :2][:, [0, 2]], margin=-0.04).all()


def test_a_support_is_below_every_planted_point_for_as_long_as_it_is_planted():
    one = take((0.30, 10, 30), rests=(8, 33), height=0.3)
    points = one.points.copy()
    points[:, 0, 2] = -0.26  # a heel that the recording had in the air, behind the step
    (held,) = hold_planted(one.footing, points, one.contacts).supports
    assert (held.start, held.stop, held.box.top) == (8, 33, 0.30)
    under = Footing(supports=(held,)).under(points, one.contacts)
    assert under[8:33, :2] == pytest.approx(0.30)


def test_supports_below_what_is_planted_and_those_far_away_stay_as_they_are():
    one = take((0.30, 0, 40))
    far = Support(Box((5.0, 0.0), (0.2, 0.2), 0.0, 0.30, 0.0), 3, 9)
    both = Footing(supports=(*one.footing.supports, far))
    assert hold_planted(both, one.points, one.contacts) == both
