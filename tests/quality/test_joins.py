"""Joins beside untouched windows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Skeleton, rotations
from motionloom.quality import MotionBars, compare_joins, compare_within, learn_bars, measure_joins
from motionloom.quality.acceleration_bars import motion_sizes
from motionloom.quality.joins import whole_windows, window_frames, window_peaks


@pytest.fixture
def bars(make):
    names = make.skeleton().names
    return MotionBars(names, np.full(len(names), 10.0), np.full(len(names), 200.0), 99.9, 1000)


def falls(n_frames, starts, acceleration, fps=60.0):
    """(F, 3) metres at rest but for stretches of 20 frames with a steady acceleration to the side."""
    pushed = np.zeros(n_frames)
    for start in starts:
        pushed[start : start + 20] = acceleration
    return np.stack([np.cumsum(np.cumsum(pushed)) / fps**2, 0 * pushed, 0 * pushed], axis=-1)


def test_the_peak_at_a_join_is_its_acceleration_over_the_bar(make_standing, bars):
    motion = make_standing(falls(120, [50], 15.0))
    (peak,) = measure_joins(motion, [60], bars)
    assert peak.acceleration == pytest.approx(1.5)
    far, near = measure_joins(motion, [20, 34], bars, window_seconds=0.5)
    assert far.acceleration == pytest.approx(0.0, abs=1e-9)  # 15 frames to either side: none of them pushed
    assert 0 < near.acceleration < 1.5  # the window reaches into the ramp of the five-frame difference


def test_the_joint_with_the_hardest_moment_is_named(make, bars):
    motion = make.motion(80)
    arms = np.array(motion.local_rotations)
    jolt = rotations.exp(np.array([0.0, 0.0, 1.0]))
    hand_parent = motion.skeleton.index("LeftForeArm")
    arms[40:, hand_parent] = rotations.multiply(arms[40:, hand_parent], jolt)
    jolted = Motion(motion.skeleton, motion.root_positions, arms, motion.fps)
    (peak,) = measure_joins(jolted, [40], bars)
    assert peak.acceleration_joint == peak.jerk_joint == "LeftHand"
    assert peak.acceleration > measure_joins(motion, [40], bars)[0].acceleration


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(0, 1.2))
def test_window_peaks_are_what_a_plain_loop_finds(make, seed, seconds):
    motion = make.motion(37, seed=seed)
    bars = learn_bars([motion])
    acceleration, jerk = motion_sizes(motion)
    half = window_frames(seconds, 60.0) // 2
    peaks = window_peaks(motion, bars, seconds)
    for frame in range(37):
        inside = range(max(frame - half, 0), min(frame + half + 1, 37))
        hardest = max(acceleration[f, j] / bars.accelerations[j] for f in inside for j in range(21))
        jerkiest = max(jerk[f, j] / bars.jerks[j] for f in inside for j in range(21))
        assert peaks[:, frame] == pytest.approx([hardest, jerkiest])
    joins = measure_joins(motion, np.arange(37), bars, seconds)
    np.testing.assert_allclose([(join.acceleration, join.jerk) for join in joins], peaks.T)


def test_joins_are_counted_beside_untouched_windows(make_standing, bars):
    motion = make_standing(falls(600, [100, 300], 15.0))
    compared = compare_joins([(motion, [110, 310, 450])], bars)
    assert compared.acceleration_at_joins.n_windows == 3
    assert compared.acceleration_at_joins.share_above == pytest.approx(2 / 3)
    assert compared.acceleration_at_joins.highest == pytest.approx(1.5)
    assert compared.acceleration_untouched.share_above == 0  # the pushes are near the joins
    assert compared.acceleration_excess == pytest.approx(200 / 3)
    assert "66.7 % of 3 joins" in compared.describe()


def test_one_motion_is_held_against_the_rest_of_itself(make_standing, bars):
    motion = make_standing(falls(600, [100, 300], 15.0))
    assert compare_within(motion, [110, 310], bars) == compare_joins([(motion, [110, 310])], bars)
    alone = compare_within(motion, [110, 310], bars, window_seconds=8.0)
    assert alone.acceleration_untouched.n_windows == 0
    assert alone.acceleration_at_joins.share_above == 1
    assert "no untouched window of 8 s to compare with" in alone.describe()


def test_the_same_frames_before_the_joins_can_be_the_untouched_windows(make_standing, bars):
    before, after = make_standing(falls(300, [100, 200], 15.0)), make_standing(falls(300, [100], 15.0))
    compared = compare_joins([(after, [110, 210])], bars, [(before, [110, 210])])
    assert compared.acceleration_at_joins.share_above == 0.5
    assert compared.acceleration_untouched.share_above == 1.0
    assert compared.acceleration_excess == pytest.approx(-50)


def test_joins_that_are_no_joins_are_no_harder_than_the_rest(make):
    motions = [make.motion(400, seed=seed) for seed in range(4)]
    bars = learn_bars(motions)
    every_frame = [(motion, whole_windows(400, 31)) for motion in motions]
    compared = compare_joins(every_frame, bars, motions)
    assert compared.acceleration_at_joins == compared.acceleration_untouched
    assert compared.jerk_at_joins == compared.jerk_untouched
    assert compared.acceleration_excess == compared.jerk_excess == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 120), st.integers(0, 20), st.lists(st.integers(0, 119), max_size=4))
def test_whole_windows_are_those_that_fit_and_touch_no_join(n_frames, half, joins):
    def fits(centre):
        window = set(range(centre - half, centre + half + 1))
        near_joins = {f for join in joins for f in range(join - half, join + half + 1)}
        return min(window) >= 0 and max(window) < n_frames and not window & near_joins

    assert whole_windows(n_frames, 2 * half + 1, joins).tolist() == [f for f in range(n_frames) if fits(f)]


def test_windows_are_as_long_at_every_rate():
    assert [window_frames(0.5, fps) for fps in (24, 30, 60, 120)] == [13, 17, 31, 61]
    assert window_frames(0.0, 60) == 1


def test_no_joins_are_no_jolts_and_reported_so(make):
    motion = make.motion(60)
    bars = learn_bars([motion])
    compared = compare_joins([(motion, [])], bars)
    assert compared.acceleration_at_joins.n_windows == 0
    assert compared.acceleration_at_joins.share_above == 0
    assert compared.describe() == "no joins"
    assert measure_joins(motion, [], bars) == ()


def test_a_motion_of_one_frame_has_no_jolt(make, bars):
    (peak,) = measure_joins(make.motion(1), [0], bars)
    assert peak.acceleration == peak.jerk == 0


def test_bad_input_is_refused_in_one_sentence(make, with_nan, bars):
    motion = make.motion(40)
    with pytest.raises(BadInput, match=r"frame 40 is out of range: the motion has 40 frames"):
        measure_joins(motion, [3, 40], bars)
    with pytest.raises(BadInput, match="type float64, expected a list of integers"):
        measure_joins(motion, [3.5], bars)
    with pytest.raises(BadInput, match="window_seconds must be 0 or more, got nan"):
        measure_joins(motion, [3], bars, np.nan)
    with pytest.raises(BadInput, match="no untouched window of 2 s"):
        compare_joins([(motion, [20])], bars, window_seconds=2.0)
    with pytest.raises(BadInput, match="frame 5 of the motion has values"):
        compare_joins([(with_nan(motion, 5), [20])], bars)
    stick = Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3)), name="stick")
    with pytest.raises(SkeletonMismatch, match="joints of skeleton 'stick'"):
        measure_joins(Motion(stick, np.zeros((9, 3)), rotations.identity((9, 2)), 60.0), [3], bars)
