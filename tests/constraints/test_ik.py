"""Inverse kinematics: targets are met with the smallest change, and what cannot be met is reported."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.constraints.ik import IkSettings, OrientationTarget, PositionTarget, solve_ik, usual_stiffness
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.joint_limits import JointLimits, learn_limits
from motionloom.motion import Motion, cut, hinges, kinematics, rotations

ARM = ("left_shoulder", "left_elbow")


def joint_positions(motion, joint):
    return kinematics.world_positions(motion)[:, motion.skeleton.index(joint)]


def joint_rotations(motion, joint):
    return kinematics.world(motion)[1][:, motion.skeleton.index(joint)]


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


def test_stiffness_is_how_far_the_body_moves_with_a_joint_and_more_for_the_trunk(make):
    skeleton = make.skeleton()
    rest, stiffness = skeleton.rest_positions, usual_stiffness(skeleton)
    points = [(joint, rest[joint]) for joint in range(skeleton.n_joints)]
    points += [(p, rest[p] + offset) for p, offset in zip(skeleton.end_parents, skeleton.end_offsets)]
    for role, times in (("left_elbow", 1.0), ("left_shoulder", 1.0), ("left_knee", 1.0), ("chest", 5.0), ("hips", 5.0)):
        joint = skeleton.index(role)
        carried = [point for carrier, point in points if joint in skeleton.chain(int(carrier))]
        expected = 0.1**2 + sum(np.sum((point - rest[joint]) ** 2) for point in carried)
        assert stiffness[joint] == pytest.approx(times * expected)


def test_a_joint_that_the_motion_turns_beyond_its_limits_may_stay_there(make):
    calm, wild = make.motion(60, wildness=0.1), make.motion(20, seed=4, wildness=0.6)
    limits = learn_limits(calm.skeleton, calm.local_rotations)
    assert limits.excess(wild.local_rotations).max() > 0.3
    solved = solve_ik(wild, [PositionTarget("left_hand", [5, 12]), OrientationTarget("head", 9)], limits=limits)
    np.testing.assert_array_equal(solved.motion.local_rotations, wild.local_rotations)
    assert solved.report.all_met


def test_within_limits_a_target_is_missed_by_as_little_as_a_plain_search_finds(make):
    """The twin: scipy's bounded least squares over the turns from the mean rotations."""
    from scipy.optimize import least_squares

    motion = make.motion(40, wildness=0.15)
    limits = learn_limits(motion.skeleton, motion.local_rotations)
    joints = [motion.skeleton.index(joint) for joint in ARM]
    goal = joint_positions(motion, "left_shoulder")[20] + np.array([0.1, 0.3, 0.2])

    def miss(turns):
        local = motion.local_rotations[20:21].copy()
        local[0, joints] = rotations.multiply(limits.means[joints], rotations.exp(turns.reshape(-1, 3)))
        return (
            joint_positions(Motion(motion.skeleton, motion.root_positions[20:21], local, 60.0), "left_hand")[0] - goal
        )

    bounds = limits.low[joints].ravel(), limits.high[joints].ravel()
    start = np.clip(limits.turns(motion.local_rotations[20])[joints].ravel(), *bounds)
    twin = least_squares(miss, start, bounds=bounds, xtol=1e-12, ftol=1e-12, gtol=1e-12)
    solved = solve_ik(motion, [PositionTarget("left_hand", 20, goal)], settings=IkSettings(joints=ARM), limits=limits)
    assert solved.report.outcomes[0].misses[0] <= 1.001 * np.linalg.norm(twin.fun)


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


def test_a_motion_in_single_precision_is_solved_in_double(make):
    motion = make.motion(5, wildness=0.2)
    single = Motion(
        motion.skeleton, motion.root_positions.astype(np.float32), motion.local_rotations.astype(np.float32), 60.0
    )
    goal = joint_positions(motion, "left_hand")[2] + 0.03
    solved = solve_ik(single, [PositionTarget("left_hand", 2, goal)])
    assert solved.motion.local_rotations.dtype == float
    np.testing.assert_allclose(joint_positions(solved.motion, "left_hand")[2], goal, atol=1e-4)


def test_the_change_is_as_small_as_a_plain_constrained_search_finds(make):
    """The twin: scipy's search for the least change under equality constraints, with no Jacobian given."""
    from scipy.optimize import minimize

    motion = make.motion(1, wildness=0.3)
    skeleton = motion.skeleton
    joints = [skeleton.index(role) for role in ("chest", "left_clavicle", "left_shoulder", "left_elbow")]
    goal = joint_positions(motion, "left_hand")[0] + np.array([-0.08, 0.1, 0.06])
    stiffness = usual_stiffness(skeleton)[joints]

    def turned(turns):
        local = motion.local_rotations.copy()
        local[0, joints] = rotations.multiply(local[0, joints], rotations.exp(turns.reshape(-1, 3)))
        return Motion(skeleton, motion.root_positions, local, 60.0)

    def cost(turns):
        return float((stiffness * (turns.reshape(-1, 3) ** 2).sum(axis=1)).sum())

    met = {"type": "eq", "fun": lambda turns: joint_positions(turned(turns), "left_hand")[0] - goal}
    twin = minimize(cost, np.full(12, 0.01), constraints=[met], options={"ftol": 1e-14, "maxiter": 300})
    chosen = IkSettings(joints=("chest", "left_clavicle", "left_shoulder", "left_elbow"))
    solved = solve_ik(motion, [PositionTarget("left_hand", 0, goal)], settings=chosen)
    between = rotations.multiply(rotations.inverse(motion.local_rotations), solved.motion.local_rotations)
    assert cost(rotations.log(between)[0, joints]) <= 1.0001 * twin.fun
    np.testing.assert_allclose(joint_positions(solved.motion, "left_hand")[0], goal, atol=1e-4)


def test_frames_apart_are_solved_as_if_each_were_alone(make):
    motion = make.motion(24, wildness=0.4)
    frames = np.arange(0, 24, 4)
    goals = joint_positions(motion, "left_hand")[frames] + np.array([0.0, 0.08, 0.05])
    together = solve_ik(motion, [PositionTarget("left_hand", frames, goals)], settings=IkSettings(window=0.01))
    for frame, goal in zip(frames, goals):
        alone = solve_ik(cut(motion, frame, frame + 1), [PositionTarget("left_hand", 0, goal)])
        np.testing.assert_allclose(
            kinematics.world_positions(alone.motion)[0],
            kinematics.world_positions(together.motion)[frame],
            atol=1e-4,
        )


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


def test_limits_are_kept_and_named_where_they_stand_in_the_way(make):
    motion = make.motion(40, wildness=0.15)
    limits = learn_limits(motion.skeleton, motion.local_rotations)
    goal = joint_positions(motion, "left_shoulder")[20] + np.array([0.0, 0.45, 0.1])
    free = solve_ik(motion, [PositionTarget("left_hand", 20, goal)], settings=IkSettings(joints=ARM))
    assert free.report.all_met
    assert limits.excess(free.motion.local_rotations).max() > 0.5
    held = solve_ik(motion, [PositionTarget("left_hand", 20, goal)], settings=IkSettings(joints=ARM), limits=limits)
    assert held.report.outcomes[0].reasons == ("held by joint limits",)
    excess = limits.excess(held.motion.local_rotations) - limits.excess(motion.local_rotations)
    assert excess.max() < 1e-6
    before = np.linalg.norm(joint_positions(motion, "left_hand")[20] - goal)
    assert held.report.outcomes[0].misses[0] < 0.98 * before


def test_limits_that_are_not_in_the_way_change_nothing_but_the_way_there(make):
    motion = make.motion(40, wildness=0.5)
    limits = learn_limits(motion.skeleton, motion.local_rotations)
    goal = joint_positions(motion, "left_hand")[20] + np.array([0.0, 0.02, 0.02])
    solved = solve_ik(motion, [PositionTarget("left_hand", 20, goal)], limits=limits)
    assert solved.report.all_met
    assert (
        limits.excess(solved.motion.local_rotations[20]).max() < 1e-6 + limits.excess(motion.local_rotations[20]).max()
    )


def test_only_joints_that_may_move_move(make):
    motion = make.motion(10, wildness=0.3)
    goal = joint_positions(motion, "left_hand")[5] + np.array([-0.1, 0.0, -0.1])
    solved = solve_ik(motion, [PositionTarget("left_hand", 5, goal)], settings=IkSettings(joints=ARM))
    moved = rotations.angle_between(solved.motion.local_rotations, motion.local_rotations).max(axis=0) > 1e-9
    assert set(np.flatnonzero(moved)) <= {motion.skeleton.index(joint) for joint in ARM}
    assert solved.report.all_met


def test_a_stiffer_joint_turns_less(make):
    motion = make.motion(1, wildness=0.3)
    chest = motion.skeleton.index("chest")
    target = PositionTarget("left_hand", 0, joint_positions(motion, "left_hand")[0] + np.array([0.02, 0.06, 0.02]))
    turned = [
        rotations.angle_between(
            solve_ik(motion, [target], settings=IkSettings(stiffness={"chest": times})).motion.local_rotations[
                0, chest
            ],
            motion.local_rotations[0, chest],
        )
        for times in (0.1, 1.0, 100.0)
    ]
    assert turned[0] > turned[1] > 10 * turned[2]


def test_frames_beyond_the_window_stay_and_the_change_fades_without_a_kink(make):
    motion = make.motion(121, wildness=0.2)
    goal = joint_positions(motion, "left_hand")[60] + np.array([0.1, 0.15, 0.05])
    solved = solve_ik(motion, [PositionTarget("left_hand", 60, goal)], settings=IkSettings(window=0.5))
    far = np.r_[0:31, 90:121]
    np.testing.assert_array_equal(solved.motion.local_rotations[far], motion.local_rotations[far])
    change = rotations.log(rotations.multiply(rotations.inverse(motion.local_rotations), solved.motion.local_rotations))
    largest = np.abs(change).max()
    np.testing.assert_allclose(largest, np.abs(change[60]).max())
    assert np.abs(np.diff(change, axis=0)).max() < 2.5 * largest / 30  # a straight line down would have 1 / 30
    assert np.abs(np.diff(change, 2, axis=0)).max() < 12 * largest / 30**2


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


@pytest.mark.parametrize("limb", list(hinges.LIMBS))
@pytest.mark.parametrize("seed", range(4))
def test_knees_and_elbows_stay_on_the_side_on_which_they_bend(make, limb, seed):
    """Hands and feet are drawn near from a straight limb, which could bend either way."""
    rng = np.random.default_rng(seed)
    motion = make.motion(61, seed=seed, wildness=0.0)
    local = motion.local_rotations.copy()
    upper, _, end = (motion.skeleton.index(role) for role in hinges.LIMBS[limb])
    local[:, upper] = rotations.exp(rng.normal(scale=0.4, size=3))
    motion = replace(motion, local_rotations=local)
    positions = kinematics.world_positions(motion)[30]
    nearer = positions[upper] + rng.uniform(0.7, 0.95) * (positions[end] - positions[upper])
    goal = nearer + rng.normal(scale=0.03, size=3)
    solved = solve_ik(motion, [PositionTarget(hinges.LIMBS[limb][2], 30, goal)])
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)
    assert hinges.flexion(motion.skeleton, solved.motion.local_rotations, limb, axis).min() > np.radians(-0.2)
    assert solved.report.all_met


@pytest.mark.parametrize("n", [1, 3])
def test_joints_inside_bones_stay_rigid_and_knees_on_their_side(make, n):
    motion = make.with_twist_joints(make.motion(30, seed=2, hinged=True), n, 0.4)
    hip, foot = (joint_positions(motion, role)[15] for role in ("left_hip", "left_foot"))
    target = PositionTarget("left_foot", 15, hip + 0.8 * (foot - hip))
    solved = solve_ik(motion, [target])
    assert solved.report.all_met
    inner = sorted(hinges.inner_joints(motion.skeleton))
    np.testing.assert_array_equal(solved.motion.local_rotations[:, inner], motion.local_rotations[:, inner])
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, "left_leg")
    assert hinges.flexion(motion.skeleton, solved.motion.local_rotations, "left_leg", axis).min() > -1e-6
    named = solve_ik(motion, [target], settings=IkSettings(joints=tuple(motion.skeleton.names[i] for i in inner)))
    assert (named.motion.local_rotations[15, inner] != motion.local_rotations[15, inner]).any()
