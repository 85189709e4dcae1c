"""Foot skate against motions whose slides are known."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, foot_points
from motionloom.motion import Placement, place
from motionloom.quality import measure_skate


def along(n_frames, velocity, fps=60.0):
    """(F, 3) metres at a steady velocity."""
    return np.arange(n_frames)[:, None] / fps * np.asarray(velocity, float)


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0])
def test_feet_that_slide_at_three_cm_per_second_skate_by_exactly_that(make_standing, fps):
    motion = make_standing(along(50, [0.018, 0.0, 0.024], fps), fps)
    skate = measure_skate(motion, np.ones((50, 4), bool))
    assert skate.cm_per_second == pytest.approx(3.0)
    assert skate.point_cm_per_second == pytest.approx((3.0,) * 4)
    assert skate.contact_seconds == pytest.approx(4 * 49 / fps)
    assert skate.farthest_mm == pytest.approx(30 / fps)


def test_going_up_is_no_skate_but_counts_in_space(make_standing):
    skate = measure_skate(make_standing(along(30, [0.0, 0.06, 0.0])), np.ones((30, 4), bool))
    assert skate.cm_per_second == pytest.approx(0.0, abs=1e-9)
    assert skate.farthest_mm == pytest.approx(1.0)


def test_only_steps_with_contact_in_both_frames_count(make_standing):
    contacts = np.zeros((40, 4), bool)
    contacts[10:20, 1] = True
    contacts[30, 2] = True  # a single frame: nowhere to go from
    moves = np.zeros((40, 3))
    moves[15:, 0] = 0.002  # one jump of 2 mm inside the contact
    moves[20:, 2] = 0.5  # and a stride at its end
    skate = measure_skate(make_standing(moves), contacts)
    assert skate.point_seconds == pytest.approx((0, 9 / 60, 0, 0))
    assert skate.cm_per_second == pytest.approx(0.2 / (9 / 60))
    assert (skate.farthest.frame, skate.farthest.point) == (15, "left_ball")
    assert skate.farthest_mm == pytest.approx(2.0)


def test_points_are_pooled_by_their_contact_time(make_standing):
    contacts = np.zeros((61, 4), bool)
    contacts[:31, 0] = True  # half a second at rest
    contacts[30:, 3] = True  # half a second at 4 cm/s
    moves = np.zeros((61, 3))
    moves[30:, 2] = np.arange(31) / 60 * 0.04
    assert measure_skate(make_standing(moves), contacts).cm_per_second == pytest.approx(2.0)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_the_measure_is_what_a_plain_loop_finds(make, seed, n_frames):
    motion = make.motion(n_frames, seed=seed)
    contacts = np.random.default_rng(seed).random((n_frames, 4)) < 0.7
    points = foot_points(motion, 0.0)
    path, pairs, farthest = 0.0, 0, (0.0, None, None)
    for f in range(1, n_frames):
        for k in range(4):
            if contacts[f, k] and contacts[f - 1, k]:
                dx, dy, dz = points[f, k] - points[f - 1, k]
                path, pairs = path + (dx**2 + dz**2) ** 0.5, pairs + 1
                farthest = max(farthest, ((dx**2 + dy**2 + dz**2) ** 0.5, f, POINTS[k]), key=lambda found: found[0])
    skate = measure_skate(motion, contacts)
    assert skate.contact_seconds == pytest.approx(pairs / 60)
    if pairs:
        assert skate.cm_per_second == pytest.approx(100 * path / (pairs / 60))
        assert skate.farthest_mm == pytest.approx(1000 * farthest[0])
        assert (skate.farthest.frame, skate.farthest.point) == farthest[1:]


@settings(max_examples=30, deadline=None)
@given(st.floats(-7, 7), st.floats(-50, 50))
def test_where_on_the_ground_a_motion_plays_does_not_matter(make, heading, x):
    motion, contacts = make.motion(20), np.ones((20, 4), bool)
    moved = place(motion, Placement(heading, np.array([x, 3.0])))
    before, after = measure_skate(motion, contacts), measure_skate(moved, contacts)
    assert after.cm_per_second == pytest.approx(before.cm_per_second)
    assert after.farthest_mm == pytest.approx(before.farthest_mm)


def test_no_contacts_are_no_skate_and_reported_so(make):
    skate = measure_skate(make.motion(20), np.zeros((20, 4), bool))
    assert (skate.cm_per_second, skate.contact_seconds, skate.farthest, skate.farthest_mm) == (0, 0, None, 0)
    assert "no contacts" in skate.describe()


def test_one_frame_has_no_skate(make):
    assert measure_skate(make.motion(1), np.ones((1, 4), bool)).contact_seconds == 0


def test_points_that_are_known_can_be_given(make_standing):
    motion = make_standing(np.zeros((5, 3)))
    points = foot_points(motion, 0.0) + np.arange(5)[:, None, None] * np.array([0.001, 0, 0])
    assert measure_skate(motion, np.ones((5, 4), bool), points=points).cm_per_second == pytest.approx(6.0)


def test_one_foot_is_measured_without_the_other(make):
    motion = make.motion(20)
    motion = replace(motion, skeleton=motion.skeleton.with_roles({"right_foot": None, "right_ball": None}))
    contacts = np.zeros((20, 4), bool)
    contacts[:, :2] = True
    assert measure_skate(motion, contacts).point_seconds[2:] == (0, 0)
    with pytest.raises(BadInput, match="contacts of right_heel are given, but the skeleton has no joint"):
        measure_skate(motion, np.ones((20, 4), bool))


def test_bad_input_is_refused_in_one_sentence(make, with_nan, footless):
    motion, contacts = make.motion(10), np.ones((10, 4), bool)
    with pytest.raises(BadInput, match="has no feet to measure"):
        measure_skate(footless, contacts)
    with pytest.raises(BadInput, match=r"contacts have shape \(9, 4\), expected \(10, 4\)"):
        measure_skate(motion, contacts[:9])
    with pytest.raises(BadInput, match="contacts have type float64, expected bool"):
        measure_skate(motion, contacts * np.nan)
    with pytest.raises(BadInput, match="frame 7 of the motion has values"):
        measure_skate(with_nan(motion, 7), contacts)
    with pytest.raises(BadInput, match="floor height must be finite, got nan"):
        measure_skate(motion, contacts, np.nan)
