"""Cutting, joining, resampling, mirroring, placing and rebasing motions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import (
    Motion,
    Placement,
    PointMotion,
    compose,
    concatenate,
    cut,
    invert,
    kinematics,
    mirror,
    place,
    place_points,
    resample,
    rest_pose,
    sample,
)
from motionloom.motion import rotations as r

PLACES = st.builds(lambda h, x, z: Placement(h, np.array([x, z])), st.floats(-7, 7), st.floats(-9, 9), st.floats(-9, 9))


def test_cut_pieces_joined_again_are_the_motion(make):
    motion = make.motion(30)
    again = concatenate([cut(motion, 0, 11), cut(motion, 11, 30)])
    np.testing.assert_array_equal(again.local_rotations, motion.local_rotations)
    np.testing.assert_array_equal(again.root_positions, motion.root_positions)


@pytest.mark.parametrize("frames", [(-1, 5), (5, 5), (6, 5), (0, 31)])
def test_cutting_frames_that_are_not_there_is_refused(make, frames):
    with pytest.raises(BadInput, match=r"range: the motion has 30 frames"):
        cut(make.motion(30), *frames)


def test_joining_other_skeletons_or_rates_is_refused(make):
    motion = make.motion(5)
    with pytest.raises(SkeletonMismatch):
        concatenate([motion, replace(motion, skeleton=make.skeleton(seed=1))])
    with pytest.raises(BadInput, match="resample one"):
        concatenate([motion, replace(motion, fps=30.0)])


def test_wrong_shapes_are_refused_with_both_shapes(make):
    motion = make.motion(5)
    with pytest.raises(BadInput, match=r"\(4, 21, 4\).*expected \(F, 3\) and \(F, 21, 4\)"):
        Motion(motion.skeleton, motion.root_positions, motion.local_rotations[:4], 60.0)


@pytest.mark.parametrize("fps", [0.0, -1.0, np.inf, np.nan])
def test_rates_that_no_motion_has_are_refused(make, fps):
    with pytest.raises(BadInput, match="frame rate must be finite and above 0"):
        replace(make.motion(5), fps=fps)
    with pytest.raises(BadInput, match="frame rate must be finite and above 0"):
        resample(make.motion(5), fps)
    with pytest.raises(BadInput, match="frame rate must be finite and above 0"):
        PointMotion(("a",), np.zeros((2, 1, 3)), fps)


def test_motions_cannot_be_changed_and_whoever_gave_the_arrays_still_can(make):
    root, local = np.zeros((5, 3)), r.identity((5, 21))
    motion = Motion(make.skeleton(), root, local, 60.0)
    piece = cut(motion, 1, 3)
    for array in (motion.root_positions, motion.local_rotations, piece.root_positions, piece.local_rotations):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    assert np.shares_memory(motion.local_rotations, local)
    local[0] = root[0] = 0.5
    points = PointMotion(("a",), np.zeros((2, 1, 3)), 60.0)
    with pytest.raises(ValueError, match="read-only"):
        points.positions[0] = 1.0


def test_lists_of_numbers_become_arrays(make):
    whole = np.zeros((2, 3), int)
    motion = Motion(make.skeleton(), whole.tolist(), r.identity((2, 21)).tolist(), 60.0)
    assert motion.root_positions.dtype == float and motion.local_rotations.shape == (2, 21, 4)
    assert Motion(make.skeleton(), whole, r.identity((2, 21)), 60.0).root_positions.dtype == float
    assert PointMotion(("a",), [[[0, 1, 2]]], 60.0).positions.dtype == float


def test_nothing_cannot_be_joined_and_no_time_cannot_be_read(make):
    with pytest.raises(BadInput, match="no motions"):
        concatenate([])
    with pytest.raises(BadInput, match="time 1 of 3 is nan"):
        sample(make.motion(5), np.array([0.0, np.nan, 2.0]))


def test_kinematics_are_compiled_once_whoever_owns_the_arrays(make):
    from motionloom.motion._kernels import forward_kinematics

    motion = make.motion(5)
    kinematics.forward(motion.skeleton, motion.root_positions, motion.local_rotations)
    before = len(forward_kinematics.signatures)
    kinematics.forward(motion.skeleton, motion.root_positions.copy(), motion.local_rotations.copy())
    assert len(forward_kinematics.signatures) == before


def test_doubling_the_rate_keeps_every_source_frame(make):
    motion = make.motion(30)
    double = resample(motion, 120)
    assert double.n_frames == 59
    np.testing.assert_allclose(double.root_positions[::2], motion.root_positions, atol=1e-12)
    np.testing.assert_allclose(r.angle_between(double.local_rotations[::2], motion.local_rotations), 0, atol=1e-7)


def test_halving_the_rate_keeps_every_second_frame(make):
    motion = make.motion(31)
    half = resample(motion, 30)
    assert half.n_frames == 16
    np.testing.assert_allclose(half.root_positions, motion.root_positions[::2], atol=1e-12)


@pytest.mark.parametrize("fps", [23.976, 25, 50, 59.94, 90, 144])
def test_resampling_follows_the_motion_between_frames(make, fps):
    fine = make.motion(961, fps=960.0)  # 1 s
    coarse = resample(fine, 60)
    again = resample(coarse, fps)
    truth = resample(fine, fps)
    n = min(again.n_frames, truth.n_frames)
    assert abs(again.n_frames - truth.n_frames) <= 1
    error = kinematics.world_positions(again)[:n] - kinematics.world_positions(truth)[:n]
    assert np.linalg.norm(error, axis=-1).max() < 2e-3
    assert np.median(np.linalg.norm(error, axis=-1)) < 1e-4


def test_resampling_does_not_mind_the_signs_of_quaternions(make):
    motion = make.motion(20)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(20, motion.skeleton.n_joints, 1))
    flipped = replace(motion, local_rotations=motion.local_rotations * signs)
    np.testing.assert_allclose(
        r.angle_between(resample(flipped, 90).local_rotations, resample(motion, 90).local_rotations), 0, atol=1e-7
    )


def test_one_frame_can_be_resampled(make):
    assert resample(make.motion(1), 30).n_frames == 1


def test_mirroring_reflects_every_joint_onto_its_partner(make):
    skeleton = make.skeleton(seed=5)
    motion = replace(make.motion(20, wildness=1.0), skeleton=skeleton)
    reflected = kinematics.world_positions(motion)[:, skeleton.mirror_indices] * np.array([-1, 1, 1])
    np.testing.assert_allclose(kinematics.world_positions(mirror(motion)), reflected, atol=1e-12)


def test_mirroring_twice_changes_nothing(make):
    motion = replace(make.motion(20, wildness=1.0), skeleton=make.skeleton(seed=5))
    again = mirror(mirror(motion))
    assert again.skeleton == motion.skeleton
    np.testing.assert_allclose(again.local_rotations, motion.local_rotations, atol=1e-12)


def test_mirroring_may_stay_on_its_skeleton(make):
    motion = make.motion(20, wildness=1.0)
    kept = mirror(motion, keep_skeleton=True)
    assert kept.skeleton == motion.skeleton
    np.testing.assert_allclose(kinematics.world_positions(kept), kinematics.world_positions(mirror(motion)), atol=1e-12)


@given(PLACES, PLACES)
def test_placements_compose_and_invert(first, second):
    points = np.random.default_rng(0).normal(size=(5, 3))
    both = place_points(points, compose(second, first))
    np.testing.assert_allclose(both, place_points(place_points(points, first), second), atol=1e-9)
    np.testing.assert_allclose(place_points(place_points(points, first), invert(first)), points, atol=1e-9)


def test_placing_a_motion_moves_its_joints_and_keeps_its_speeds(make):
    motion, placement = make.motion(20, wildness=1.0), Placement(2.1, np.array([3.0, -1.0]))
    before, after = kinematics.world_positions(motion), kinematics.world_positions(place(motion, placement))
    np.testing.assert_allclose(after, place_points(before, placement), atol=1e-12)
    speed = lambda x: np.linalg.norm(np.diff(x, axis=0), axis=-1)  # noqa: E731
    np.testing.assert_allclose(speed(after), speed(before), atol=1e-12)


def test_a_positive_heading_turns_forward_to_the_left():
    ahead = np.array([0.0, 0.0, 1.0])
    np.testing.assert_allclose(place_points(ahead, Placement(np.pi / 2, np.zeros(2))), [1, 0, 0], atol=1e-12)


def test_a_new_rest_pose_changes_no_position(make):
    motion = replace(make.motion(20, wildness=1.0), skeleton=make.skeleton(seed=4))
    rest = r.normalize(np.random.default_rng(2).normal(size=(motion.skeleton.n_joints, 4)))
    np.testing.assert_allclose(
        kinematics.world_positions(rest_pose.rebase(motion, rest)), kinematics.world_positions(motion), atol=1e-12
    )


def test_the_t_pose_stands_upright_whatever_the_zero_pose_was(make):
    motion = replace(make.motion(3), skeleton=make.skeleton(seed=4))
    odd = rest_pose.rebase(motion, r.normalize(np.random.default_rng(2).normal(size=(motion.skeleton.n_joints, 4))))
    upright = rest_pose.rebase(odd, rest_pose.t_pose(odd.skeleton)).skeleton
    rest = upright.rest_positions
    for side, out in (("left", 1), ("right", -1)):
        hip, foot = rest[upright.index(f"{side}_hip")], rest[upright.index(f"{side}_foot")]
        np.testing.assert_allclose(hip[[0, 2]], foot[[0, 2]], atol=1e-9)
        assert foot[1] < hip[1] - 0.6
        shoulder, hand = rest[upright.index(f"{side}_shoulder")], rest[upright.index(f"{side}_hand")]
        np.testing.assert_allclose(shoulder[1:], hand[1:], atol=1e-9)
        assert out * (hand[0] - shoulder[0]) > 0.4
    assert rest[upright.index("head")][1] > rest[upright.index("hips")][1] + 0.3


def test_turning_the_world_turns_every_joint(make):
    motion = make.motion(10, wildness=1.0)
    turn = r.about_axis(np.array([1.0, 0, 0]), -np.pi / 2)
    turned = rest_pose.turn_world(motion, turn)
    np.testing.assert_allclose(
        kinematics.world_positions(turned), r.rotate(turn, kinematics.world_positions(motion)), atol=1e-12
    )
    np.testing.assert_allclose(
        turned.skeleton.rest_positions, r.rotate(turn, motion.skeleton.rest_positions), atol=1e-12
    )


def test_point_motions_check_their_shape():
    points = PointMotion(("a", "b"), np.zeros((7, 2, 3)), 100.0)
    assert points.n_frames == 7
    assert points.duration == pytest.approx(0.07)
    with pytest.raises(BadInput, match=r"expected \(F, 2, 3\)"):
        PointMotion(("a", "b"), np.zeros((7, 3, 3)), 100.0)
    with pytest.raises(BadInput, match="unique"):
        PointMotion(("a", "a"), np.zeros((7, 2, 3)), 100.0)
