"""When feet rest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from motionloom.errors import BadInput
from motionloom.features.contacts import (
    CONTACT_POINTS,
    ContactSettings,
    contacts_from_points,
    detect_contacts,
    find_runs,
)
from motionloom.features.contacts import _hysteresis as hold
from motionloom.features.contacts import _set_borders as set_borders
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
        assert agreement(contacts[:, k], truth, 3) == 1.0
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


@pytest.mark.parametrize("floor_height", [-3.0, -0.4, 0.4, 3.0])
def test_feet_that_never_come_near_the_floor_do_not_rest_on_it(make_walk, floor_height):
    assert not detect_contacts(make_walk().motion, floor_height).any()


@pytest.mark.parametrize("wrong_by", [-0.15, -0.08, 0.08, 0.15])
def test_contacts_are_found_although_the_floor_is_a_hand_off(make_walk, wrong_by):
    walk = make_walk()
    contacts = detect_contacts(walk.motion, wrong_by)
    for k in range(4):
        assert agreement(contacts[:, k], walk.standing[:, k // 2], 5) == 1.0


def standing_on_one_leg(n_frames: int, lift: float) -> np.ndarray:
    """(F, 4, 3) metres: left heel and ball on the floor, the right ones held up and still."""
    points = np.zeros((n_frames, 4, 3))
    points[:, :, 0] = [0.1, 0.1, -0.1, -0.1]
    points[:, :, 1] = [0.02, 0.01, lift + 0.02, lift + 0.01]
    return points


@pytest.mark.parametrize("floor_height", [0.0, -0.1])
@pytest.mark.parametrize("lift", [0.2, 0.6])
def test_a_foot_that_is_held_up_all_the_time_does_not_rest(lift, floor_height):
    contacts = contacts_from_points(standing_on_one_leg(60, lift), np.zeros((60, 3)), 60.0, floor_height)
    assert contacts[:, :2].all()
    assert not contacts[:, 2:].any()


def test_what_is_no_number_is_refused_with_its_frame(make_walk):
    motion = make_walk().motion
    root = motion.root_positions.copy()
    root[7, 1] = np.nan
    with pytest.raises(BadInput, match="frame 7"):
        detect_contacts(replace(motion, root_positions=root), 0.0)
    for floor_height in (np.nan, np.inf):
        with pytest.raises(BadInput, match="floor height must be finite"):
            detect_contacts(motion, floor_height)


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


def test_a_foot_that_jumps_aside_in_a_tenth_of_a_second_makes_two_contacts():
    x = np.concatenate([np.zeros(30), np.linspace(0, 0.06, 6), np.full(30, 0.06)])
    point = np.stack([x, np.full_like(x, 0.01), np.zeros_like(x)], axis=-1)[:, None]
    assert len(find_runs(contacts_from_points(point, np.zeros((66, 3)), 60.0, 0.0)[:, 0])) == 2


def test_a_sliding_foot_has_left_when_it_is_faster_than_any_that_rests():
    speed = np.concatenate([np.full(60, 0.1), np.linspace(0.1, 1.0, 90), np.full(30, 1.0)])
    point = np.stack([np.cumsum(speed) / 60, np.full(180, 0.01), np.zeros(180)], axis=-1)[:, None]
    ((start, stop),) = find_runs(contacts_from_points(point, np.zeros((180, 3)), 60.0, 0.0)[:, 0])
    assert start == 0
    assert speed[stop] == pytest.approx(ContactSettings().rest_fast, abs=0.02)


def test_a_foot_that_rests_low_is_believed_although_the_other_sinks():
    points = standing_on_one_leg(60, 0.14)
    assert contacts_from_points(points, np.zeros((60, 3)), 60.0, floor_height=0.08).all()


def test_an_exact_foot_leaves_with_its_first_move_and_a_creeping_one_when_it_stands_out(stepping):
    exact, creeping = stepping(creep=0.0), stepping(creep=0.05)
    for point, late in ((exact, 2), (creeping, 5)):  # frames
        ((start, stop),) = find_runs(contacts_from_points(point, np.zeros((120, 3)), 60.0, 0.0)[:, 0])
        assert abs(start - 40) <= 1
        assert 80 <= stop <= 80 + late


def test_a_heel_that_rises_slowly_has_left_the_floor_before_it_is_three_centimetres_up():
    times = np.arange(120) / 60
    height = (
        0.02 + np.clip(times - 1, 0, None) * 0.12
    )  # at 0.12 m/s, too slow to be distinguished from creeping by speed
    point = np.stack([np.zeros(120), height, 0.03 * times], axis=-1)[:, None]
    ((start, stop),) = find_runs(contacts_from_points(point, np.zeros((120, 3)), 60.0, 0.0)[:, 0])
    assert start == 0
    assert 0.02 < height[stop - 1] < 0.05


def test_someone_in_a_single_frame_rests_where_the_feet_touch_the_floor(make_walk):
    motion = make_walk().motion
    still = replace(motion, root_positions=motion.root_positions[20:21], local_rotations=motion.local_rotations[20:21])
    low = float(foot_points(still, 0.0)[..., 1].min())
    contacts = detect_contacts(still, low)
    assert contacts.shape == (1, 4) and contacts.any()


@pytest.fixture
def stepping():
    """A point that comes fast, rests in frames 40 to 79 and goes fast; at rest it creeps so many metres per second."""

    def make_one(creep: float) -> np.ndarray:
        speed = np.concatenate([np.full(40, 2.0), np.full(40, creep), np.linspace(creep, 2.0, 12), np.full(28, 2.0)])
        height = np.concatenate([np.full(40, 0.01), np.full(40, 0.01), 0.01 + np.linspace(0, 0.2, 40)])
        return np.stack([np.cumsum(speed) / 60, height, np.zeros(120)], axis=-1)[:, None]

    return make_one


@given(st.data())
def test_borders_are_what_a_loop_over_frames_makes_them(data):
    n = data.draw(st.integers(1, 40))
    firm = data.draw(hnp.arrays(bool, n))
    speed, height, fastest = (data.draw(hnp.arrays(float, n, elements=st.floats(0, top))) for top in (1.0, 0.1, 1.0))
    settings = ContactSettings(slide=data.draw(st.floats(0, 10)))
    found = set_borders(firm, speed, height, fastest, settings)
    runs = find_runs(firm)
    walls = [-1, *(stop + int(speed[stop:start].argmax()) for (_, stop), (start, _) in zip(runs, runs[1:])), n]
    expected = np.zeros(n, bool)
    for (start, stop), before, after in zip(runs, walls, walls[1:]):
        slide = settings.slide * np.percentile(speed[start:stop], 25)
        top = min(np.percentile(height[start:stop], 25) + settings.rest_rise, settings.leave_higher)
        come, go = (
            [v < min(slow + slide, most) and h < top for v, h, most in zip(speed, height, fastest)]
            for slow in (settings.come_slow, settings.go_slow)
        )
        begin = start if start == 0 else outermost(come, range(start, before, -1), range(start, stop))
        last = stop - 1 if stop == n else outermost(go, range(stop - 1, after), range(stop - 1, start - 1, -1))
        expected[begin : last + 1] = True
    np.testing.assert_array_equal(found, expected)
    assert len(find_runs(found)) == len(runs)  # contacts move their ends; none appears, vanishes or joins another


def outermost(rests, outwards, inwards):
    """The last frame of those that rest without a break from the first of `outwards` on; else the first inwards."""
    if not rests[outwards[0]]:
        return next((frame for frame in inwards if rests[frame]), outwards[0])
    reached = outwards[0]
    for frame in outwards:
        if not rests[frame]:
            break
        reached = frame
    return reached


@given(hnp.arrays(bool, st.integers(1, 40)), st.data())
def test_holding_is_what_a_loop_over_frames_does(comes, data):
    leaves = data.draw(hnp.arrays(bool, len(comes)))
    state, expected = False, []
    for come, leave in zip(comes, leaves):
        state = (state or come) and not leave
        expected.append(state)
    np.testing.assert_array_equal(hold(comes, leaves), expected)
