"""What inverse kinematics cannot meet is reported with its reason; what makes no sense is refused in one sentence."""

import numpy as np
import pytest
from tests.constraints.joints import ARM, joint_positions

from motionloom.constraints.ik import IkSettings, OrientationTarget, PositionTarget, solve_ik
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.joint_limits import JointLimits
from motionloom.motion import Motion, rotations


def test_a_root_that_must_not_move_is_out_of_reach(make):
    motion = make.motion(5)
    away = PositionTarget("hips", 2, motion.root_positions[2] + 0.1)
    held = solve_ik(motion, [away])
    assert held.report.outcomes[0].reasons == ("out of reach",)
    np.testing.assert_array_equal(held.motion.root_positions, motion.root_positions)
    assert solve_ik(motion, [away], settings=IkSettings(moves_root=True)).report.all_met


def test_frames_in_any_order_are_reported_in_that_order(make):
    motion = make.motion(30, wildness=0.2)
    goals = joint_positions(motion, "left_hand")[[20, 3, 11]] + np.array([[0.02], [5.0], [0.02]])
    outcome = solve_ik(motion, [PositionTarget("left_hand", [20, 3, 11], goals)]).report.outcomes[0]
    assert outcome.frames.tolist() == [20, 3, 11]
    assert outcome.met.tolist() == [True, False, True]
    assert outcome.reasons == ("", "out of reach", "")


def test_a_target_out_of_reach_stretches_the_limb_towards_it_and_tells_how_far_it_is(make):
    motion = make.motion(1, wildness=0.3)
    shoulder = joint_positions(motion, "left_shoulder")[0]
    goal = shoulder + np.array([0.6, 0.5, 0.3])
    solved = solve_ik(motion, [PositionTarget("left_hand", 0, goal)], settings=IkSettings(joints=ARM))
    outcome = solved.report.outcomes[0]
    length = sum(np.linalg.norm(motion.skeleton.offsets[motion.skeleton.index(j)]) for j in ("left_elbow", "left_hand"))
    nearest = np.linalg.norm(goal - shoulder) - length
    assert not outcome.met[0]
    assert outcome.misses[0] == pytest.approx(nearest, abs=1e-4)
    assert outcome.reasons == ("out of reach",)
    sentence = solved.report.sentences()[0]
    assert f"{1000 * outcome.misses[0]:.1f} mm" in sentence
    assert "left_hand" in sentence
    assert "out of reach" in sentence


def test_contradicting_targets_get_the_compromise_of_their_weights(make):
    motion = make.motion(1, wildness=0.2)
    there = joint_positions(motion, "left_hand")[0] + np.array([-0.05, 0.05, 0.1])
    apart = np.array([0.04, 0.0, 0.0])
    targets = [
        PositionTarget("left_hand", 0, there - apart, weight=3.0),
        PositionTarget("left_hand", 0, there + apart),
    ]
    solved = solve_ik(motion, targets)
    np.testing.assert_allclose(joint_positions(solved.motion, "left_hand")[0], there - apart / 2, atol=1e-4)
    assert [outcome.reasons for outcome in solved.report.outcomes] == [("contradicts other targets",)] * 2
    assert solved.report.outcomes[0].worst == pytest.approx(20.0, abs=0.2)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (PositionTarget("left_paw", 0, np.zeros(3)), r"no joint 'left_paw'; joints: Hips, .*roles: .*left_hand"),
        (PositionTarget("left_hand", 0, np.full(3, np.nan)), "position is not finite"),
        (PositionTarget("left_hand", 9, np.zeros(3)), r"frame 9 is out of range: the motion has 5 frames"),
        (PositionTarget("left_hand", -1, np.zeros(3)), "frame -1"),
        (PositionTarget("left_hand", [1, 1], np.zeros(3)), "occurs twice"),
        (PositionTarget("left_hand", 0.5, np.zeros(3)), "frame number"),
        (PositionTarget("left_hand", [1, 2], np.zeros((3, 3))), r"\(3, 3\), expected \(3,\) or \(2, 3\)"),
        (PositionTarget("left_hand", 0, np.zeros(3), weight=0.0), "weight must be finite and above 0, got 0"),
        (PositionTarget("left_hand", 0, np.zeros(3), offset=(0, 0)), "offset"),
        (OrientationTarget("head", 0, np.zeros(4)), "rotation is zero"),
        (OrientationTarget("head", 0, np.zeros(3)), r"expected \(4,\)"),
    ],
)
def test_targets_that_make_no_sense_are_refused_in_one_sentence(make, target, message):
    with pytest.raises(BadInput, match=message):
        solve_ik(make.motion(5), [target])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"window": -1.0}, "window must be 0 to 60 seconds, got -1.0"),
        ({"window": np.nan}, "window must be 0 to 60 seconds, got nan"),
        ({"window": 1e6}, "must be 0 to 60 seconds"),
        ({"position_tolerance": 0.0}, "position_tolerance must be finite and above 0, got 0.0"),
        ({"orientation_tolerance": np.inf}, "orientation_tolerance must be finite and above 0, got inf"),
        ({"root_stiffness": 0.0}, "root_stiffness must be finite and above 0, got 0.0"),
        ({"joints": ("paw",)}, "no joint 'paw'; joints: Hips"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make, change, message):
    with pytest.raises(BadInput, match=message):
        solve_ik(make.motion(5), [PositionTarget("left_hand", 0)], settings=IkSettings(**change))


def test_broken_motions_and_limits_of_another_skeleton_are_refused(make):
    motion = make.motion(5)
    root = motion.root_positions.copy()
    root[3] = np.nan
    with pytest.raises(BadInput, match="frame 3"):
        solve_ik(Motion(motion.skeleton, root, motion.local_rotations, 60.0), [PositionTarget("head", 0)])
    other = JointLimits(("a",), rotations.identity((1,)), np.zeros((1, 3)), np.zeros((1, 3)))
    with pytest.raises(SkeletonMismatch, match="learn them on its skeleton"):
        solve_ik(motion, [PositionTarget("head", 0)], limits=other)
    with pytest.raises(BadInput, match="stiffness of 'chest' must be finite and above 0, got -1"):
        solve_ik(motion, [PositionTarget("head", 0)], settings=IkSettings(stiffness={"chest": -1.0}))
