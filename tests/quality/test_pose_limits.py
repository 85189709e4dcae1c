"""Pose limits against poses that leave them by a known angle."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.joint_limits import JointLimits, learn_limits
from motionloom.motion import Motion, Skeleton, rotations
from motionloom.quality import measure_limits


@pytest.fixture(scope="module")
def limits(make):
    """20 degrees to either side about every axis of every joint but the root."""
    skeleton = make.skeleton()
    high = np.full((skeleton.n_joints, 3), np.radians(20.0))
    high[0] = np.inf
    return JointLimits(skeleton.names, rotations.identity((skeleton.n_joints,)), -high, high)


def bent(make_standing, n_frames, bends):
    """A statue with some joints bent about x: {(frame, joint): degrees}."""
    motion = make_standing(np.zeros((n_frames, 3)))
    turns = np.zeros((n_frames, motion.skeleton.n_joints, 3))
    for (frame, joint), degrees in bends.items():
        turns[frame, motion.skeleton.index(joint), 0] = np.radians(degrees)
    return replace(motion, local_rotations=rotations.exp(turns))


def test_joints_beyond_their_limits_are_counted_and_the_worst_is_named(make_standing, limits):
    bends = {(3, "LeftLeg"): 31.0, (4, "LeftLeg"): 19.0, (7, "Head"): -25.0, (7, "LeftLeg"): 22.0}
    found = measure_limits(bent(make_standing, 10, bends), limits)
    assert (found.worst_joint, found.worst_frame) == ("LeftLeg", 3)
    assert found.worst_degrees == pytest.approx(11.0)
    assert found.share_of_frames == pytest.approx(2 / 10)
    assert found.share_of_joints == pytest.approx(3 / 210)
    assert "worst LeftLeg by 11.0 degrees at frame 3" in found.describe()


def test_the_root_is_free(make_standing, limits):
    found = measure_limits(bent(make_standing, 5, {(2, "Hips"): 170.0}), limits)
    assert (found.share_of_frames, found.worst_degrees, found.worst_joint) == (0, 0, None)
    assert found.describe() == "every joint stays within its limits"


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_the_measure_is_what_a_plain_loop_finds(make, seed):
    motion = make.motion(25, seed=seed)
    limits = learn_limits(motion.skeleton, make.motion(40, seed=seed + 1).local_rotations)
    worst, beyond, frames = (0.0, None, None), 0, set()
    for f in range(25):
        excess = limits.excess(motion.local_rotations[f])
        for j, name in enumerate(limits.names):
            if excess[j] > np.radians(1e-4):
                beyond, frames = beyond + 1, frames | {f}
                worst = max(worst, (np.degrees(excess[j]), name, f), key=lambda found: found[0])
    found = measure_limits(motion, limits)
    assert found.share_of_frames == pytest.approx(len(frames) / 25)
    assert found.share_of_joints == pytest.approx(beyond / (25 * 21))
    assert found.worst_degrees == pytest.approx(worst[0])
    assert (found.worst_joint, found.worst_frame) == worst[1:]


def test_clamped_poses_are_within_limits_even_in_single_precision(make, limits):
    motion = make.motion(30)
    assert measure_limits(motion, limits).share_of_frames > 0.5
    clamped = limits.clamp(motion.local_rotations).astype(np.float32)
    assert measure_limits(replace(motion, local_rotations=clamped), limits).share_of_frames == 0


def test_a_single_frame_can_be_measured(make, limits):
    assert measure_limits(make.motion(1, wildness=0.0), limits).share_of_joints == 0


def test_bad_input_is_refused_in_one_sentence(make, with_nan, limits):
    with pytest.raises(BadInput, match="frame 2 of the motion has values"):
        measure_limits(with_nan(make.motion(5), 2), limits)
    stick = Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3)), name="stick")
    with pytest.raises(SkeletonMismatch, match=r"joints of skeleton 'stick' .* differ from the expected 21"):
        measure_limits(Motion(stick, np.zeros((9, 3)), rotations.identity((9, 2)), 60.0), limits)
