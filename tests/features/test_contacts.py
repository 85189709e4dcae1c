"""When feet rest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from motionloom.features.contacts import CONTACT_POINTS, contacts_from_points, detect_contacts, find_runs
from motionloom.features.contacts import _hold as hold
from motionloom.features.feet import foot_points
from motionloom.motion import Placement, mirror, place


def agreement(found, truth, tolerance):
    """Share of frames, away from the borders of the truth, in which both say the same."""
    borders = np.zeros(len(truth), bool)
    for start, stop in find_runs(truth):
        for border in (start, stop):
            borders[max(0, border - tolerance) : border + tolerance] = True
    return (found == truth)[~borders].mean()


@pytest.mark.parametrize("speed", [0.5, 1.0, 1.15])
@pytest.mark.parametrize("floor_height", [0.0, -0.8, 2.0])
def test_the_contacts_of_a_known_walk_are_found_to_three_frames(make_walk, speed, floor_height):
    walk = make_walk(speed, floor_height=floor_height)
    contacts = detect_contacts(walk.motion, floor_height)
    assert contacts.shape == (walk.motion.n_frames, len(CONTACT_POINTS))
    for k in range(4):
        truth = walk.standing[:, k // 2]
        assert agreement(contacts[:, k], truth, 4) == 1.0
        assert len(find_runs(contacts[:, k])) == len(find_runs(truth))


@pytest.mark.parametrize("fps", [30.0, 50.0, 120.0, 240.0])
def test_the_rate_of_a_recording_hardly_changes_its_contacts(make_walk, fps):
    walk = make_walk(fps=fps)
    contacts = detect_contacts(walk.motion, 0.0)
    for k in range(4):
        assert agreement(contacts[:, k], walk.standing[:, k // 2], round(0.07 * fps)) == 1.0


def test_noise_like_that_of_markers_does_not_break_contacts(make_walk):
    walk = make_walk()
    noise = np.random.default_rng(0).normal(scale=0.0005, size=walk.motion.root_positions.shape)
    contacts = detect_contacts(replace(walk.motion, root_positions=walk.motion.root_positions + noise), 0.0)
    for k in range(4):
        assert agreement(contacts[:, k], walk.standing[:, k // 2], 5) == 1.0


def test_contacts_do_not_depend_on_where_the_walk_is_or_looks(make_walk):
    motion = make_walk().motion
    moved = place(motion, Placement(2.0, np.array([3.0, -4.0])))
    np.testing.assert_array_equal(detect_contacts(moved, 0.0), detect_contacts(motion, 0.0))


def test_a_mirrored_walk_has_mirrored_contacts(make_walk):
    motion = make_walk().motion
    np.testing.assert_array_equal(detect_contacts(mirror(motion), 0.0), detect_contacts(motion, 0.0)[:, [2, 3, 0, 1]])


def test_someone_who_stands_still_rests_all_the_time_and_someone_in_the_air_never(make_walk):
    motion = make_walk(speed=1.0).motion
    frame = 20
    still = replace(
        motion,
        root_positions=np.repeat(motion.root_positions[frame : frame + 1], 50, axis=0),
        local_rotations=np.repeat(motion.local_rotations[frame : frame + 1], 50, axis=0),
    )
    lowest = float(foot_points(still, 0.0)[..., 1].min())
    on_floor = detect_contacts(still, lowest)
    assert on_floor[:, :2].all() or on_floor[:, 2:].all()
    flying = replace(still, root_positions=still.root_positions + np.linspace(2.0, 5.0, 50)[:, None] * [0, 1, 0])
    assert not detect_contacts(flying, 0.0).any()


def test_feet_that_a_skeleton_does_not_have_never_rest(make):
    motion = make.motion()
    footless = replace(motion.skeleton, names=tuple(f"j{i}" for i in range(21)), roles={})
    assert not detect_contacts(replace(motion, skeleton=footless), 0.0).any()


def test_a_foot_that_is_dragged_between_two_rests_makes_two_contacts():
    x = np.concatenate([np.zeros(30), np.linspace(0, 0.12, 24), np.full(30, 0.12)])
    point = np.stack([x, np.full_like(x, 0.01), np.zeros_like(x)], axis=-1)[:, None]
    contacts = contacts_from_points(point, np.zeros((len(x), 3)), 60.0, 0.0)
    assert len(find_runs(contacts[:, 0])) == 2


def test_a_short_twitch_of_a_resting_foot_does_not_end_its_contact():
    x = np.zeros(60)
    x[30:33] = [0.01, 0.015, 0.008]
    point = np.stack([x, np.full_like(x, 0.01), np.zeros_like(x)], axis=-1)[:, None]
    assert contacts_from_points(point, np.zeros((60, 3)), 60.0, 0.0).all()


@given(hnp.arrays(bool, st.integers(1, 40)), st.data())
def test_holding_is_what_a_loop_over_frames_does(comes, data):
    leaves = data.draw(hnp.arrays(bool, len(comes)))
    state, expected = False, []
    for come, leave in zip(comes, leaves):
        state = (state or come) and not leave
        expected.append(state)
    np.testing.assert_array_equal(hold(comes, leaves), expected)


@given(hnp.arrays(bool, st.integers(0, 40)))
def test_runs_rebuild_the_flags_they_came_from(flags):
    rebuilt = np.zeros_like(flags)
    for start, stop in find_runs(flags):
        assert start < stop
        rebuilt[start:stop] = True
    np.testing.assert_array_equal(rebuilt, flags)
