"""Reached places: ankles where they should be."""

import numpy as np

from motionloom.methods.dynamics.retargeting.reached_places import AnkleGoal, reach_places
from motionloom.motion import kinematics, rotations


def goal_of(motion, side, frames, shift):
    positions, turned = kinematics.world(motion)
    ankle = motion.skeleton.index(f"{side}_foot")
    return AnkleGoal(frames, positions[frames, ankle] + shift, turned[frames, ankle])


def test_ankles_come_to_their_goals_and_the_rest_stays(walk):
    motion, _ = walk
    frames = np.arange(60, 90)
    goal = goal_of(motion, "left", frames, np.array([0.03, 0.02, -0.02]))
    made = reach_places(motion, {"left": goal}, 0.2)
    positions, turned = kinematics.world(made)
    ankle = motion.skeleton.index("left_foot")
    np.testing.assert_allclose(positions[frames, ankle], goal.positions, atol=1e-6)
    assert np.degrees(rotations.angle_between(turned[frames, ankle], goal.orientations)).max() < 1e-3
    far = np.r_[0:40, 110 : motion.n_frames]
    np.testing.assert_allclose(made.local_rotations[far], motion.local_rotations[far], atol=1e-9)
    joint = motion.skeleton.index("left_hand")
    moved = np.linalg.norm(positions[:, joint] - kinematics.world_positions(motion)[:, joint], axis=1)
    assert moved.max() < 0.02, "the root moves only as far as legs need it"


def test_the_root_goes_down_for_a_place_that_legs_do_not_reach(walk):
    motion, _ = walk
    frames = np.arange(60, 80)
    goal = goal_of(motion, "left", frames, np.array([0.0, -0.12, 0.0]))
    made = reach_places(motion, {"left": goal}, 0.2)
    ankles = kinematics.world_positions(made)[frames, motion.skeleton.index("left_foot")]
    np.testing.assert_allclose(ankles, goal.positions, atol=1e-4)
    assert (made.root_positions[frames, 1] < motion.root_positions[frames, 1] - 0.02).all()


def test_no_goals_change_nothing(walk):
    motion, _ = walk
    made = reach_places(motion, {}, 0.2)
    np.testing.assert_array_equal(made.root_positions, motion.root_positions)
    np.testing.assert_array_equal(made.local_rotations, motion.local_rotations)
