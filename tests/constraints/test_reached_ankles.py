"""Reached ankles: feet at their places, the root within reach."""

import numpy as np

from motionloom.constraints.reached_ankles import reach_ankles
from motionloom.motion import cut, kinematics, rotations


def walk_of(make):
    motion = cut(make.demo_take("walk/normal_1").motion, 60, 160)
    positions, turned = kinematics.world(motion)
    joints = {side: motion.skeleton.index(f"{side}_foot") for side in ("left", "right")}
    ankles = {side: positions[:, joint].copy() for side, joint in joints.items()}
    return motion, joints, ankles, {side: turned[:, joint] for side, joint in joints.items()}


def test_ankles_within_reach_leave_the_root_where_it_is(make):
    motion, joints, ankles, turns = walk_of(make)
    ankles["left"] += [0.0, 0.03, 0.0]
    made = reach_ankles(motion, ankles, turns)
    np.testing.assert_array_equal(made.root_positions, motion.root_positions)
    positions, turned = kinematics.world(made)
    for side, joint in joints.items():
        np.testing.assert_allclose(positions[:, joint], ankles[side], atol=1e-6)
        assert np.degrees(rotations.angle_between(turned[:, joint], turns[side])).max() < 1e-3


def test_the_root_follows_ankles_that_are_out_of_reach_but_not_in_held_frames(make):
    motion, joints, ankles, turns = walk_of(make)
    for side in ankles:
        ankles[side][30:60] -= [0.0, 0.1, 0.0]
    made = reach_ankles(motion, ankles, turns)
    positions = kinematics.world_positions(made)
    for side, joint in joints.items():
        np.testing.assert_allclose(positions[:, joint], ankles[side], atol=1e-4)
    assert (made.root_positions[30:60, 1] < motion.root_positions[30:60, 1] - 0.02).all()
    held = np.zeros(motion.n_frames, bool)
    held[40:45] = True
    stays = reach_ankles(motion, ankles, turns, held=held)
    np.testing.assert_array_equal(stays.root_positions[held], motion.root_positions[held])


def test_without_ankles_nothing_changes(make):
    motion = make.motion(8)
    made = reach_ankles(motion, {}, {})
    np.testing.assert_array_equal(made.local_rotations, motion.local_rotations)
    np.testing.assert_array_equal(made.root_positions, motion.root_positions)
