"""Inverse kinematics: targets that can be met are met, by the joints that may move, in any frames."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constraints.joints import ARM, joint_positions, joint_rotations

from motionloom.constraints.ik import IkSettings, OrientationTarget, PositionTarget, solve_ik
from motionloom.features.joint_limits import learn_limits
from motionloom.motion import Motion, kinematics, rotations


def perturbed(motion, seed, size):
    """The motion with every joint turned at random, the same in all frames, and the root moved."""
    rng = np.random.default_rng(seed)
    turns = rotations.exp(rng.normal(scale=size, size=(1, motion.skeleton.n_joints, 3)))
    root = motion.root_positions + rng.normal(scale=size / 5, size=3)
    return Motion(motion.skeleton, root, rotations.multiply(motion.local_rotations, turns), motion.fps)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_targets_that_some_pose_meets_are_met(make, seed, moves_root):
    motion = make.motion(30, seed=seed % 7, wildness=0.4)
    goal = perturbed(motion, seed, 0.25)
    if not moves_root:
        goal = Motion(
            goal.skeleton,
            motion.root_positions,
            np.concatenate([motion.local_rotations[:, :1], goal.local_rotations[:, 1:]], axis=1),
            goal.fps,
        )
    frames = np.array([4, 5, 6, 20])
    hand, head = joint_positions(goal, "left_hand")[frames], joint_rotations(goal, "head")[frames]
    targets = [
        PositionTarget("left_hand", frames, hand),
        PositionTarget("right_foot", 20, joint_positions(goal, "right_foot")[20]),
        OrientationTarget("head", frames, head),
    ]
    solved = solve_ik(motion, targets, settings=IkSettings(moves_root=moves_root))
    assert solved.report.all_met
    assert solved.report.sentences() == []
    np.testing.assert_allclose(joint_positions(solved.motion, "left_hand")[frames], hand, atol=1e-4)
    off = rotations.angle_between(joint_rotations(solved.motion, "head")[frames], head)
    assert off.max() < np.radians(0.01)
    if not moves_root:
        np.testing.assert_array_equal(solved.motion.root_positions, motion.root_positions)
        np.testing.assert_array_equal(solved.motion.local_rotations[:, 0], motion.local_rotations[:, 0])


def test_a_pose_that_meets_its_targets_already_is_not_touched(make):
    motion = make.motion(20)
    there = joint_positions(motion, "right_hand")[[0, 19]]
    turned = -joint_rotations(motion, "head")[[7]]  # the same rotation by its other name
    targets = [
        PositionTarget("left_hand", [3, 4]),
        OrientationTarget("right_foot", 10),
        PositionTarget("right_hand", [0, 19], there),
        OrientationTarget("head", [7], turned),
    ]
    limits = learn_limits(motion.skeleton, motion.local_rotations)
    for moves_root, kept in ((False, None), (True, None), (False, limits)):
        solved = solve_ik(motion, targets, settings=IkSettings(moves_root=moves_root), limits=kept)
        np.testing.assert_array_equal(solved.motion.local_rotations, motion.local_rotations)
        np.testing.assert_array_equal(solved.motion.root_positions, motion.root_positions)
        assert solved.report.all_met


@pytest.mark.parametrize("weight", [1e-9, 1.0, 1e9])
def test_a_target_that_can_be_met_is_met_whatever_its_weight(make, weight):
    motion = make.motion(1, wildness=0.2)
    goal = joint_positions(motion, "left_hand")[0] + np.array([-0.05, 0.05, 0.1])
    targets = [PositionTarget("left_hand", 0, goal, weight=weight), OrientationTarget("head", 0)]
    assert solve_ik(motion, targets).report.all_met


@pytest.mark.parametrize("axis", np.eye(3).tolist())
def test_a_joint_turns_round_by_half_a_turn(make, axis):
    motion = make.motion(1, wildness=0.2)
    goal = rotations.multiply(joint_rotations(motion, "left_hand")[0], rotations.exp(np.pi * np.array(axis)))
    assert solve_ik(motion, [OrientationTarget("left_hand", 0, goal)]).report.all_met


def test_a_root_that_may_move_also_turns(make):
    motion = make.motion(5)
    goal = rotations.multiply(rotations.about_y(0.4), joint_rotations(motion, "hips")[2])
    targets = [OrientationTarget("hips", 2, goal), PositionTarget("left_foot", 2), PositionTarget("right_foot", 2)]
    solved = solve_ik(motion, targets, settings=IkSettings(moves_root=True))
    assert solved.report.all_met
    assert rotations.angle_between(solved.motion.local_rotations[2, 0], motion.local_rotations[2, 0]) > 0.39


def test_a_motion_in_single_precision_is_solved_in_double(make):
    motion = make.motion(5, wildness=0.2)
    single = Motion(
        motion.skeleton, motion.root_positions.astype(np.float32), motion.local_rotations.astype(np.float32), 60.0
    )
    goal = joint_positions(motion, "left_hand")[2] + 0.03
    solved = solve_ik(single, [PositionTarget("left_hand", 2, goal)])
    assert solved.motion.local_rotations.dtype == float
    np.testing.assert_allclose(joint_positions(solved.motion, "left_hand")[2], goal, atol=1e-4)


def test_many_keys_for_one_joint_are_the_same_as_one_target_with_many_frames(make):
    motion = make.motion(30, wildness=0.3)
    frames = [2, 9, 17]
    goals = joint_positions(motion, "right_hand")[frames] + np.array([0.02, 0.05, 0.0])
    one = solve_ik(motion, [PositionTarget("right_hand", frames, goals)])
    many = solve_ik(motion, [PositionTarget("right_hand", f, goal) for f, goal in zip(frames, goals)])
    np.testing.assert_allclose(one.motion.local_rotations, many.motion.local_rotations, atol=1e-12)
    assert [float(outcome.misses[0]) for outcome in many.report.outcomes] == pytest.approx(
        one.report.outcomes[0].misses.tolist(), abs=1e-12
    )


def test_a_point_on_a_joint_is_brought_to_its_target(make):
    motion = make.motion(5, wildness=0.3)
    tip = np.array([0.15, 0.02, 0.0])
    positions, turned = kinematics.world(motion)
    hand = np.array([motion.skeleton.index("left_hand")])
    goal = kinematics.attached_positions(positions, turned, hand, tip[None])[2, 0] + np.array([0.0, 0.1, 0.0])
    solved = solve_ik(motion, [PositionTarget("left_hand", 2, goal, offset=tip)])
    reached = kinematics.attached_positions(*kinematics.world(solved.motion), hand, tip[None])[2, 0]
    np.testing.assert_allclose(reached, goal, atol=1e-4)
    np.testing.assert_allclose(solved.report.outcomes[0].reached[0], reached, atol=1e-9)


def test_only_joints_that_may_move_move(make):
    motion = make.motion(10, wildness=0.3)
    goal = joint_positions(motion, "left_hand")[5] + np.array([-0.1, 0.0, -0.1])
    solved = solve_ik(motion, [PositionTarget("left_hand", 5, goal)], settings=IkSettings(joints=ARM))
    moved = rotations.angle_between(solved.motion.local_rotations, motion.local_rotations).max(axis=0) > 1e-9
    assert set(np.flatnonzero(moved)) <= {motion.skeleton.index(joint) for joint in ARM}
    assert solved.report.all_met


def test_a_hand_that_follows_a_moving_target_moves_smoothly(make):
    motion = make.motion(90, wildness=0.2)
    circle = np.linspace(0, 2 * np.pi, 90)
    path = joint_positions(motion, "left_shoulder") + 0.3 * np.array([1.0, 0.2, 0.8])
    path = path + 0.1 * np.stack([np.cos(circle), np.sin(circle), np.zeros(90)], axis=-1)
    solved = solve_ik(motion, [PositionTarget("left_hand", np.arange(90), path)])
    assert solved.report.all_met
    steps = rotations.angle_between(solved.motion.local_rotations[1:], solved.motion.local_rotations[:-1])
    assert steps.max() < 0.1


def test_joints_that_lie_on_their_parent_and_never_move_stay_still(make):
    person = make.skeleton()
    still = person.index("LeftShoulder")
    offsets = person.offsets.copy()
    offsets[still + 1] = offsets[still] + offsets[still + 1]
    offsets[still] = 0.0
    skeleton = type(person)(person.names, person.parents, offsets)
    base = make.motion(10, wildness=0.2)
    local = base.local_rotations.copy()
    local[:, still] = rotations.IDENTITY
    motion = Motion(skeleton, base.root_positions, local, 60.0)
    goal = joint_positions(motion, "left_hand")[5] + np.array([0.03, 0.05, 0.05])
    solved = solve_ik(motion, [PositionTarget("left_hand", 5, goal)])
    assert solved.report.all_met
    np.testing.assert_array_equal(solved.motion.local_rotations[:, still], motion.local_rotations[:, still])


def test_no_targets_leave_the_motion_as_it_is(make):
    motion = make.motion(5)
    solved = solve_ik(motion, [])
    assert solved.motion is motion
    assert solved.report.all_met
