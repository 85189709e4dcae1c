"""Inverse kinematics keeps joints within limits, knees and elbows on their side, and bones in one piece."""

from dataclasses import replace

import numpy as np
import pytest
from tests.constraints.joints import ARM, joint_positions

from motionloom.constraints.ik import IkSettings, OrientationTarget, PositionTarget, solve_ik
from motionloom.features.joint_limits import learn_limits
from motionloom.motion import Motion, hinges, kinematics, rotations


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
