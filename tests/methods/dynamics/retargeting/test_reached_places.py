"""Reached places: ankles where they should be."""

from dataclasses import replace

import numpy as np

from motionloom.features.feet import foot_points
from motionloom.methods.dynamics.retargeting.comparison import farthest_step
from motionloom.methods.dynamics.retargeting.reached_places import AnkleGoal, find_goals, raise_feet, reach_places
from motionloom.methods.dynamics.retargeting.scaled_steps import farthest_away, find_steps
from motionloom.motion import find_runs, kinematics, rotations


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


def test_points_that_slide_in_the_motion_stay_in_its_goals(walk):
    motion, contacts = walk
    root = motion.root_positions.copy()
    root[:, 0] += 0.003 * np.sin(np.arange(motion.n_frames))  # everything slides by millimetres
    motion = replace(motion, root_positions=root)
    points, source = foot_points(motion, 0.0), foot_points(walk[0], 0.0)
    steps = find_steps(source, contacts, 1.0)
    assert farthest_step(points, contacts) > 2e-3 and farthest_away(steps, points) > 2e-3
    made = reach_places(motion, find_goals(motion, points, contacts, steps), 0.2)
    reached = foot_points(made, 0.0, like=motion)
    assert farthest_away(steps, reached) < 1e-4
    assert farthest_step(reached, contacts) < 1e-3


def test_a_foot_that_is_planted_again_turned_is_turned_back_to_its_place(walk):
    motion, contacts = walk[0], walk[1].copy()
    both = max(find_runs(contacts[:, :2].all(axis=1)), key=lambda run: run[1] - run[0])
    middle = sum(both) // 2
    contacts[middle, 1] = False  # the ball leaves the floor and comes back
    ankle, parent = motion.skeleton.index("left_foot"), motion.skeleton.index("left_knee")
    turned = kinematics.world(motion)[1]
    local = motion.local_rotations.copy()
    before = slice(0, middle)
    yawed = rotations.multiply(rotations.about_y(np.radians(3.0)), turned[before, ankle])
    local[before, ankle] = rotations.multiply(rotations.inverse(turned[before, parent]), yawed)
    motion = replace(motion, local_rotations=local)
    points = foot_points(motion, 0.0, like=walk[0])
    steps = find_steps(foot_points(walk[0], 0.0), contacts, 1.0)
    assert farthest_away(steps, points) > 3e-3
    made = reach_places(motion, find_goals(motion, points, contacts, steps), 0.2)
    reached = foot_points(made, 0.0, like=walk[0])
    assert farthest_away(steps, reached) < 5e-4
    assert farthest_step(reached, contacts) < 1e-3


def test_a_point_that_rests_alone_stays_while_its_foot_turns(walk):
    motion, contacts = walk
    points = foot_points(motion, 0.0)
    (step,) = [each for each in find_steps(points, contacts, 1.0) if each.side == "left"][1:2]
    goals = find_goals(motion, points, contacts, [step])
    ankle = kinematics.world_positions(motion)[:, motion.skeleton.index("left_foot")]
    shifts = goals["left"].positions - ankle[goals["left"].frames]
    rests, own = contacts[goals["left"].frames, :2], points[goals["left"].frames, :2] + shifts[:, None]
    for number in (0, 1):
        alone = rests[:, number] & ~rests[:, 1 - number]
        assert alone.any()
        still = own[alone, number]
        assert np.abs(still - still.mean(axis=0)).max() < 1e-9


def test_feet_are_raised_turned_as_they_are_and_others_stay(walk):
    motion, _ = walk
    rises = np.zeros((motion.n_frames, 2))
    rises[40:60, 1] = 0.01
    raised = raise_feet(motion, rises)
    (before, turned), (after, turned_after) = kinematics.world(motion), kinematics.world(raised)
    for number, side in enumerate(("left", "right")):
        ankle = motion.skeleton.index(f"{side}_foot")
        np.testing.assert_allclose(after[:, ankle, 1] - before[:, ankle, 1], rises[:, number], atol=1e-5)
        np.testing.assert_allclose(after[:, ankle, [0, 2]], before[:, ankle, [0, 2]], atol=1e-5)
        assert np.degrees(rotations.angle_between(turned_after[:, ankle], turned[:, ankle])).max() < 1e-3
    assert raise_feet(motion, np.zeros_like(rises)) is motion
