"""Pose vectors: there and back at every angle, wherever on the ground; place and heading integrated back."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.methods.dynamics.prior.pose_vectors import (
    JOINTS_AT,
    PoseVectors,
    below_hands,
    check_fits,
    find_places,
    learn_pose_vectors,
    unwrap_turns,
)
from motionloom.motion import Placement, kinematics, mirror, place, rotations
from motionloom.motion.placement import direction_of


def assert_same_motion(one, other, atol=1e-9):
    np.testing.assert_allclose(one.root_positions, other.root_positions, atol=atol)
    assert rotations.angle_between(one.local_rotations, other.local_rotations).max() < 1e-6


@pytest.mark.parametrize("wildness", [0.01, 0.5, 1.5, 3.0])
def test_motions_come_back_as_they_went(make, randomly, wildness):
    motion = make.motion(60, seed=3, wildness=wildness)
    codec = randomly.codec(motion, seed=1)
    vectors, places = codec.encode(motion)
    assert vectors.shape == (60, codec.size) and codec.size == JOINTS_AT + 3 * 20
    assert_same_motion(codec.decode(vectors, places), motion)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 0.1, np.pi / 2, np.pi - 1e-3, np.pi - 1e-8, np.pi, np.pi + 1e-3])
def test_rotations_at_every_angle_from_the_mean_come_back(make, randomly, angle):
    rng = np.random.default_rng(7)
    motion = make.motion(12, seed=1)
    codec = randomly.codec(motion)
    axes = rng.normal(size=(21, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    local = rotations.multiply(codec.means, rotations.exp(np.tile(angle * axes, (12, 1, 1))))
    local[:, 0] = motion.local_rotations[:, 0]  # the root's own is about its heading
    turned = replace(motion, local_rotations=local)
    vectors, places = codec.encode(turned)
    assert_same_motion(codec.decode(vectors, places), turned, atol=1e-9)
    shown = np.linalg.norm(codec.turns(vectors)[:, 1:], axis=-1)
    np.testing.assert_allclose(shown, angle if angle <= np.pi else 2 * np.pi - angle, atol=1e-6)


def test_a_joint_that_turns_past_half_a_turn_does_not_jump(make, randomly):
    """Four whole turns about one axis: the numbers go on growing, and come back."""
    motion = make.motion(200, seed=2)
    codec = randomly.codec(motion)
    axis = np.array([0.6, -0.48, 0.64])
    angles = np.linspace(-4 * np.pi, 4 * np.pi, 200)
    local = np.array(motion.local_rotations)
    local[:, 7] = rotations.multiply(codec.means[7], rotations.exp(angles[:, None] * axis))
    turning = replace(motion, local_rotations=local)
    vectors, places = codec.encode(turning)
    shown = codec.turns(vectors)[:, 7]
    np.testing.assert_allclose(np.linalg.norm(np.diff(shown, axis=0), axis=1), np.diff(angles), atol=1e-6)
    assert_same_motion(codec.decode(vectors, places), turning)


def test_turns_near_others_are_the_same_rotations():
    rng = np.random.default_rng(5)
    turns, like = rng.normal(scale=1.5, size=(30, 4, 3)), rng.normal(scale=6, size=(30, 4, 3))
    near = unwrap_turns(turns, like)
    assert rotations.angle_between(rotations.exp(near), rotations.exp(turns)).max() < 1e-6
    angle = np.linalg.norm(turns, axis=-1, keepdims=True)
    for whole in range(-3, 4):  # none of the same rotation about the same axis is nearer
        other = turns * (1 + 2 * np.pi * whole / angle)
        assert (np.linalg.norm(near - like, axis=-1) <= np.linalg.norm(other - like, axis=-1) + 1e-9).all()


def test_turns_that_do_not_jump_are_left_alone():
    turns = np.cumsum(np.random.default_rng(1).normal(scale=0.02, size=(50, 3, 3)), axis=0)
    np.testing.assert_array_equal(unwrap_turns(turns), turns)


def test_vectors_are_the_same_wherever_a_body_is_and_whichever_way_it_looks(make, randomly):
    motion = make.motion(50, seed=4)
    codec = randomly.codec(motion)
    moved = place(motion, Placement(2.1, np.array([5.0, -3.0])))
    (one, places), (other, placed) = codec.encode(motion), codec.encode(moved)
    np.testing.assert_allclose(other, one, atol=1e-9)
    turn = placed[:, 2] - places[:, 2]
    np.testing.assert_allclose(turn, turn[0], atol=1e-9)
    np.testing.assert_allclose(np.cos(turn[0] - 2.1), 1.0)


def test_place_and_heading_come_back_by_adding_up_velocities(make, randomly):
    motion = make.motion(80, seed=6, wildness=0.8)
    codec = randomly.codec(motion)
    vectors, places = codec.encode(motion)
    x, z, heading = places[0]
    for t in range(79):
        forward, left, turning = (vectors / codec.scales)[t, :3]
        ahead = direction_of(np.array(heading))
        x += (forward * ahead[0] + left * ahead[1]) / codec.fps
        z += (forward * ahead[1] - left * ahead[0]) / codec.fps
        heading += turning / codec.fps
        np.testing.assert_allclose([x, z, heading], places[t + 1], atol=1e-9)


def test_the_mirrored_motion_has_the_mirrored_velocities(make, randomly):
    motion = make.motion(40, seed=8)
    codec = randomly.codec(motion)
    one, other = (codec.velocities(find_places(each)) for each in (motion, mirror(motion)))
    np.testing.assert_allclose(other, one * [1, -1, -1], atol=1e-9)


def test_headings_go_on_past_half_a_turn(make):
    motion = make.motion(100, seed=2, wildness=0.05)
    spin = rotations.about_y(np.linspace(0, 4 * np.pi, 100))
    local = np.array(motion.local_rotations)
    local[:, 0] = rotations.multiply(spin, local[:, 0])
    headings = find_places(replace(motion, local_rotations=local))[:, 2]
    assert np.abs(np.diff(headings)).max() < 0.5
    np.testing.assert_allclose(headings[-1] - headings[0], 4 * np.pi, atol=0.4)


def test_lying_and_upside_down_bodies_come_back(make, randomly):
    motion = make.motion(30, seed=5, wildness=0.3)
    for axis in np.eye(3):
        for angle in (np.pi / 2, np.pi, -np.pi / 2):
            local = np.array(motion.local_rotations)
            local[:, 0] = rotations.multiply(rotations.exp(angle * axis), local[:, 0])
            lying = replace(motion, local_rotations=local)
            codec = randomly.codec(lying)
            vectors, places = codec.encode(lying)
            assert np.isfinite(vectors).all()
            assert_same_motion(codec.decode(vectors, places), lying)


def test_joints_that_are_not_in_the_vectors_are_taken_from_elsewhere(make, randomly):
    motion = make.motion(20, seed=1)
    whole = randomly.codec(motion)
    few = PoseVectors(whole.skeleton, whole.fps, np.array([2, 9]), whole.means)
    vectors, places = few.encode(motion)
    assert vectors.shape == (20, JOINTS_AT + 6)
    back = few.decode(vectors, places, np.asarray(motion.local_rotations))
    assert_same_motion(back, motion)
    rest = [joint for joint in range(1, 21) if joint not in (2, 9)]
    plain = few.decode(vectors, places)
    np.testing.assert_array_equal(plain.local_rotations[:, rest], np.tile(whole.means[rest], (20, 1, 1)))


def test_joints_that_do_not_move_and_fingers_are_left_out(make):
    performed = make.demo_take("walk/normal_1").motion
    codec = learn_pose_vectors([performed])
    names = {performed.skeleton.names[joint] for joint in codec.joints}
    assert {"LeftThigh", "RightShin", "Neck", "LeftUpperArm"} <= names
    assert not names & {"Hips", "LeftFingers", "RightFingers"}
    still = np.array(performed.local_rotations)
    head = performed.skeleton.index("head")
    still[:, head] = still[0, head]
    assert head not in learn_pose_vectors([replace(performed, local_rotations=still)]).joints
    assert below_hands(performed.skeleton) == {performed.skeleton.names.index(f"{s}Fingers") for s in ("Left", "Right")}


def test_decoded_bodies_stand_where_they_stood(make, randomly):
    motion = make.motion(15, seed=9)
    codec = randomly.codec(motion)
    back = codec.decode(*codec.encode(motion))
    np.testing.assert_allclose(kinematics.world_positions(back), kinematics.world_positions(motion), atol=1e-8)


def test_motions_of_two_frames_and_of_one_can_be_written(make, randomly):
    motion = make.motion(2)
    codec = randomly.codec(motion)
    vectors, places = codec.encode(motion)
    np.testing.assert_array_equal(vectors[0, :3], vectors[1, :3])
    assert_same_motion(codec.decode(vectors, places), motion)
    one = replace(motion, root_positions=motion.root_positions[:1], local_rotations=motion.local_rotations[:1])
    assert (codec.encode(one)[0][:, :3] == 0).all()


def test_another_skeleton_or_rate_is_refused_with_a_way_out(make, randomly):
    motion = make.motion(10)
    codec = randomly.codec(motion)
    with pytest.raises(BadInput, match="30 frames per second for a model at 60; resample it first"):
        check_fits(codec, replace(motion, fps=30.0))
    with pytest.raises(SkeletonMismatch, match="conform it"):
        check_fits(codec, replace(motion, skeleton=make.skeleton(seed=1)))
    with pytest.raises(BadInput, match="choose at least one take"):
        learn_pose_vectors([])
