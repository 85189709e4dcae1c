"""How far joints turn, learned from frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.joint_limits import LimitSettings, learn_limits
from motionloom.motion import rotations

EVERY_FRAME = LimitSettings(percent=0.0)


def test_no_frame_that_was_learned_from_is_beyond_the_limits(make):
    motion = make.motion(80, wildness=0.8)
    limits = learn_limits(motion.skeleton, motion.local_rotations, EVERY_FRAME)
    np.testing.assert_array_equal(limits.excess(motion.local_rotations), 0.0)
    np.testing.assert_array_equal(limits.clamp(motion.local_rotations), motion.local_rotations)


@given(st.integers(0, 10_000))
def test_clamped_poses_are_within_the_limits_and_as_far_away_as_the_excess_says(make, seed):
    motion = make.motion(60, wildness=0.3)
    limits = learn_limits(motion.skeleton, motion.local_rotations)
    wild = rotations.exp(np.random.default_rng(seed).normal(size=(5, motion.skeleton.n_joints, 3)))
    clamped = limits.clamp(wild)
    assert limits.excess(clamped).max() < 1e-9
    np.testing.assert_allclose(limits.excess(wild), rotations.angle_between(wild, clamped), atol=1e-7)


def test_a_hinge_turned_too_far_comes_back_to_its_border(make):
    skeleton = make.skeleton()
    frames = rotations.identity((101, skeleton.n_joints))
    knee = skeleton.index("left_knee")
    frames[:, knee] = rotations.about_axis(np.array([1.0, 0, 0]), np.linspace(0, 1, 101))
    settings = LimitSettings(percent=0.0, margin=0.05, margin_share=1.0, play=0.01)
    limits = learn_limits(skeleton, frames, settings)
    pose = rotations.identity((1, skeleton.n_joints))
    pose[0, knee] = rotations.about_axis(np.array([1.0, 0, 0]), 1.3)
    np.testing.assert_allclose(limits.excess(pose)[0, knee], 0.24, atol=1e-9)
    border = rotations.about_axis(np.array([1.0, 0, 0]), 1.06)
    np.testing.assert_allclose(rotations.angle_between(limits.clamp(pose)[0, knee], border), 0, atol=1e-9)


def test_joints_that_never_move_stay_nearly_fixed(make):
    skeleton = make.skeleton()
    frames = rotations.identity((20, skeleton.n_joints))
    limits = learn_limits(skeleton, frames)
    widths = limits.high[1:] - limits.low[1:]
    assert (widths > 0).all()
    assert widths.max() < np.radians(1.5)


def test_the_root_may_turn_any_way(make):
    motion = make.motion(30, wildness=0.1)
    limits = learn_limits(motion.skeleton, motion.local_rotations)
    turned = motion.local_rotations.copy()
    turned[:, 0] = rotations.exp(np.random.default_rng(1).normal(scale=3, size=(30, 3)))
    np.testing.assert_array_equal(limits.excess(turned)[:, 0], 0.0)
    np.testing.assert_array_equal(limits.clamp(turned)[:, 0], turned[:, 0])


def test_a_few_spikes_do_not_widen_the_limits(make):
    motion = make.motion(2000, wildness=0.2)
    spiked = motion.local_rotations.copy()
    spiked[700] = rotations.exp(np.full((motion.skeleton.n_joints, 3), 1.5))
    clean, with_spike = (
        learn_limits(motion.skeleton, frames, LimitSettings(percent=0.2)) for frames in (motion.local_rotations, spiked)
    )
    np.testing.assert_allclose(with_spike.high[1:], clean.high[1:], atol=0.01)
    assert learn_limits(motion.skeleton, spiked, EVERY_FRAME).high[1:].min() > 0.8


def test_what_cannot_be_learned_from_is_refused(make):
    motion = make.motion(10)
    broken = motion.local_rotations.copy()
    broken[3, 2] = np.nan
    with pytest.raises(BadInput, match="frame 3"):
        learn_limits(motion.skeleton, broken)
    with pytest.raises(BadInput, match="at least one frame"):
        learn_limits(motion.skeleton, broken[:0])
    with pytest.raises(BadInput, match=r"expected \(F, 21, 4\)"):
        learn_limits(motion.skeleton, broken[:, :4])
    for percent in (-1.0, 50.0, np.nan):
        with pytest.raises(BadInput, match="percent of joint limits must be at least 0 and below 50"):
            learn_limits(motion.skeleton, motion.local_rotations, LimitSettings(percent=percent))
    with pytest.raises(SkeletonMismatch, match=r"expected \(\.\.\., 21, 4\)"):
        learn_limits(motion.skeleton, motion.local_rotations).excess(broken[:, :4])


@pytest.mark.parametrize("name", ["margin", "margin_share", "play"])
@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf])
def test_margins_that_make_no_sense_are_refused(make, name, value):
    motion = make.motion(10)
    with pytest.raises(BadInput, match=f"{name} of joint limits must be 0 or more, got {value}"):
        learn_limits(motion.skeleton, motion.local_rotations, LimitSettings(**{name: value}))
