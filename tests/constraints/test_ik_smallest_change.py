"""Inverse kinematics changes as little as it can: by stiffness, against a plain search, and in no frame far away."""

import numpy as np
import pytest
from tests.constraints.joints import joint_positions

from motionloom.constraints.ik import IkSettings, PositionTarget, solve_ik, usual_stiffness
from motionloom.motion import Motion, cut, kinematics, rotations


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
