"""Limbs beyond straight are brought back: the ends stay, nothing jumps, and everything else is left alone."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import correct_overstretch, plant_feet
from motionloom.constraints.overstretch import bring_back, describe_frames
from motionloom.motion import Skeleton, hinges, kinematics, mirror
from motionloom.motion import rotations as r

AXES = {"left_leg": (1, 0, 0), "right_leg": (1, 0, 0), "left_arm": (0, -1, 0), "right_arm": (0, 1, 0)}


def stepping(make, limb="left_leg", seed=0, lowest=-18.0, highest=50.0, n_frames=240, fps=60.0):
    """A body whose limb swings between two bends, in degrees, while the rest of it moves a little."""
    motion = make.motion(n_frames, seed=seed, fps=fps, wildness=0.2)
    phase = np.random.default_rng(seed).uniform(0, 6)
    wave = np.sin(2 * np.pi * np.arange(n_frames) / fps + phase)  # once a second
    degrees = (lowest + highest) / 2 + (highest - lowest) / 2 * wave
    local = motion.local_rotations.copy()
    for other, axis in AXES.items():
        bend = np.radians(degrees if other == limb else np.full(n_frames, 20.0))
        local[:, motion.skeleton.index(hinges.LIMBS[other][1])] = r.exp(bend[:, None] * np.array(axis, float))
    return replace(motion, local_rotations=local)


def bends(motion, limb, source=None):
    like = source or motion
    axis = hinges.hinge_axis(like.skeleton, like.local_rotations, limb)
    return np.degrees(hinges.flexion(motion.skeleton, motion.local_rotations, limb, axis))


@pytest.mark.parametrize("limb", list(AXES))
@pytest.mark.parametrize("seed", range(3))
def test_a_limb_beyond_straight_is_brought_back_and_its_end_stays(make, limb, seed):
    motion = stepping(make, limb, seed)
    straightened = correct_overstretch(motion, [limb])
    assert bends(motion, limb).min() < -17
    assert bends(straightened.motion, limb, motion).min() > -0.11
    end = motion.skeleton.index(hinges.LIMBS[limb][2])
    (before, turned), (after, new_turned) = kinematics.world(motion), kinematics.world(straightened.motion)
    length = np.linalg.norm(motion.skeleton.offsets[[end, motion.skeleton.parents[end]]], axis=-1).sum()
    assert np.linalg.norm(after[:, end] - before[:, end], axis=-1).max() < 0.02 * length
    np.testing.assert_allclose(r.angle_between(turned[:, end], new_turned[:, end]), 0, atol=1e-6)


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0, 300.0])
@pytest.mark.parametrize("lowest", [-20.0, -5.0, -1.0])
def test_knees_come_back_without_a_jump_at_any_rate(make, fps, lowest):
    motion = stepping(make, lowest=lowest, n_frames=round(4 * fps), fps=fps)
    after = correct_overstretch(motion).motion
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, "left_leg")
    offsets = np.abs(hinges.bend_offsets(motion.skeleton, after.local_rotations, "left_leg", axis))
    own = np.abs(hinges.bend_offsets(motion.skeleton, motion.local_rotations, "left_leg", axis))
    assert np.abs(np.diff(offsets)).max() < np.abs(np.diff(own)).max() + 0.005
    knee = motion.skeleton.index("left_knee")
    steps = np.linalg.norm(np.diff(kinematics.world_positions(after)[:, knee], axis=0), axis=-1) * fps
    own_steps = np.linalg.norm(np.diff(kinematics.world_positions(motion)[:, knee], axis=0), axis=-1) * fps
    assert steps.max() < own_steps.max() + 1.5  # metres per second


def test_only_frames_near_those_beyond_straight_change(make):
    motion = stepping(make)
    straightened = correct_overstretch(motion)
    (found,) = straightened.found
    assert (found.limb, found.joint) == ("left_leg", "LeftLeg")
    assert found.degrees == pytest.approx(18, abs=0.1)
    np.testing.assert_array_equal(found.frames, np.flatnonzero(bends(motion, "left_leg") < -0.1))
    away = np.abs(np.arange(240)[:, None] - np.array(found.frames)).min(axis=1)
    same = (straightened.motion.local_rotations == motion.local_rotations).all(axis=(1, 2))
    assert same[away > 12].all() and not same[away == 0].any()
    assert "LeftLeg was overstretched by up to 18 degrees in frames" in straightened.sentences()[0]


def test_a_motion_without_overstretched_limbs_is_returned_as_it_is(make):
    motion = stepping(make, lowest=0.0)
    assert correct_overstretch(motion).motion is motion
    assert correct_overstretch(motion).found == ()


def test_once_is_enough(make):
    once = correct_overstretch(stepping(make)).motion
    assert correct_overstretch(once).motion is once


@pytest.mark.parametrize("seed", range(4))
def test_a_thigh_that_turns_over_does_not_move_its_knee(make, seed):
    """Half a turn about the thigh with the knee bent the other way is the same pose, as recordings have it."""
    motion = stepping(make, seed=seed, lowest=5.0, highest=90.0)
    hip, knee, _ = (motion.skeleton.index(role) for role in hinges.LIMBS["left_leg"])
    local, over = motion.local_rotations.copy(), slice(100, 108)
    about = r.exp(np.pi * motion.skeleton.offsets[knee] / np.linalg.norm(motion.skeleton.offsets[knee]))
    local[over, hip] = r.multiply(local[over, hip], about)
    local[over, knee] = r.multiply(r.inverse(about), local[over, knee])
    flipped = replace(motion, local_rotations=local)
    np.testing.assert_allclose(kinematics.world_positions(flipped), kinematics.world_positions(motion), atol=1e-9)
    assert bends(flipped, "left_leg").min() < -5
    after = correct_overstretch(flipped).motion
    assert bends(after, "left_leg", flipped).min() > 0
    moved = np.linalg.norm(
        kinematics.world_positions(after)[:, knee] - kinematics.world_positions(motion)[:, knee], axis=-1
    )
    assert moved.max() < 0.03


def test_a_mirrored_body_is_brought_back_as_in_a_mirror(make):
    motion = stepping(make)
    left, right = correct_overstretch(motion).motion, correct_overstretch(mirror(motion)).motion
    np.testing.assert_allclose(kinematics.world_positions(right), kinematics.world_positions(mirror(left)), atol=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fps", [24.0, 60.0, 300.0])
def test_bends_are_brought_back_continuously(seed, fps):
    rng = np.random.default_rng(seed)
    time = np.arange(round(3 * fps)) / fps
    bend = np.radians(rng.uniform(-5, 15) + rng.uniform(5, 25) * np.sin(rng.uniform(2, 30) * time))
    wanted = bring_back(bend, fps)
    assert wanted.min() >= -np.radians(0.1)
    assert (wanted >= bend).all()
    tiny = 1e-5
    nudged = bring_back(bend + rng.uniform(-tiny, tiny, len(bend)), fps)
    assert np.abs(nudged - wanted).max() < 20 * tiny


@pytest.mark.parametrize("seed", range(4))
def test_planting_feet_never_bends_a_knee_the_wrong_way(make, seed):
    """Feet that are planted higher than they were shorten a leg: an overstretched one too bends as a body does."""
    motion = stepping(make, seed=seed, lowest=-18.0, highest=10.0)
    contacts = np.zeros((240, 4), bool)
    contacts[20:100, 0] = contacts[130:200, 1] = True
    planted = plant_feet(motion, contacts, floor_height=0.02)
    assert bends(motion, "left_leg").min() < -17
    assert bends(planted.motion, "left_leg", motion).min() > -0.11
    assert planted.report.overstretched[0].joint == "LeftLeg"
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, "left_leg")
    offsets = hinges.bend_offsets(motion.skeleton, planted.motion.local_rotations, "left_leg", axis)
    assert np.abs(np.diff(offsets)).max() < 0.05


def test_a_skeleton_without_knees_and_elbows_is_left_as_it_is(make):
    motion = make.motion(20)
    hinged = {motion.skeleton.index(limb[1]) for limb in hinges.LIMBS.values()}
    names = tuple(f"bone {j}" if j in hinged else name for j, name in enumerate(motion.skeleton.names))
    kneeless = replace(motion, skeleton=Skeleton(names, motion.skeleton.parents, motion.skeleton.offsets))
    assert not kneeless.skeleton.has("left_knee")
    assert correct_overstretch(kneeless).motion is kneeless


def test_frames_are_described_as_ranges():
    assert describe_frames([7]) == "frame 7"
    assert describe_frames([3, 4, 5, 9, 12, 13]) == "frames 3-5, 9 and 12-13"
    assert describe_frames(list(range(0, 20, 2))) == "frames 0, 2, 4, 6 and 6 more"


def plain_places(motion, names):
    positions = kinematics.world_positions(motion)
    return {name: positions[:, motion.skeleton.names.index(name)] for name in names}


@pytest.mark.parametrize("limb", list(AXES))
@pytest.mark.parametrize(("n", "lowest"), [(1, -20.0), (2, -5.0), (3, -20.0)])
def test_limbs_with_joints_inside_their_bones_are_brought_back_as_those_without(make, limb, n, lowest):
    motion = stepping(make, limb, seed=n, lowest=lowest)
    twisted = make.with_twist_joints(motion, n, seed=n)
    plain, own = correct_overstretch(motion), correct_overstretch(twisted)
    assert [found.joint for found in own.found] == [found.joint for found in plain.found]
    assert [found.frames for found in own.found] == [found.frames for found in plain.found]
    assert bends(own.motion, limb, twisted).min() > -0.11
    places = plain_places(own.motion, motion.skeleton.names)
    for name, positions in plain_places(plain.motion, motion.skeleton.names).items():
        np.testing.assert_allclose(places[name], positions, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("limb", list(AXES))
@pytest.mark.parametrize("n", [1, 2, 3])
def test_joints_that_twist_inside_their_bones_do_not_hinder_it(make, limb, n):
    motion = make.with_twist_joints(stepping(make, limb, seed=n, lowest=-20.0), n, 0.6, seed=n)
    inner = sorted(hinges.inner_joints(motion.skeleton))
    after = correct_overstretch(motion).motion
    assert bends(motion, limb).min() < -15
    assert bends(after, limb, motion).min() > -0.11
    np.testing.assert_array_equal(after.local_rotations[:, inner], motion.local_rotations[:, inner])
    end = motion.skeleton.index(hinges.LIMBS[limb][2])
    moved = kinematics.world_positions(after)[:, end] - kinematics.world_positions(motion)[:, end]
    assert np.linalg.norm(moved, axis=-1).max() < 0.02
