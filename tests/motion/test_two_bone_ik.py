"""Legs and arms reach their targets exactly, keep their bones, and bend the right way."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Skeleton, kinematics, mirror, rest_pose, two_bone_ik
from motionloom.motion import rotations as r


@pytest.mark.parametrize("limb", list(two_bone_ik.LIMBS))
def test_a_limb_reaches_any_target_within_its_length(make, limb):
    motion = make.motion(60, wildness=0.6)
    upper, middle, end = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    positions, turned = kinematics.world(motion)
    length = sum(np.linalg.norm(motion.skeleton.offsets[j]) for j in (middle, end))
    rng = np.random.default_rng(1)
    direction = rng.normal(size=(60, 3))
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    targets = positions[:, upper] + direction * rng.uniform(0.1, 0.999, (60, 1)) * length
    local, missed = two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, limb, targets)
    new_positions, new_turned = kinematics.forward(motion.skeleton, motion.root_positions, local)
    np.testing.assert_allclose(new_positions[:, end], targets, atol=1e-8)
    np.testing.assert_allclose(missed, 0, atol=1e-8)
    np.testing.assert_allclose(r.angle_between(new_turned[:, end], turned[:, end]), 0, atol=1e-6)
    others = [j for j in range(motion.skeleton.n_joints) if j not in (upper, middle, end)]
    np.testing.assert_array_equal(local[:, others], motion.local_rotations[:, others])


def test_reaching_where_the_foot_already_is_changes_nothing(make):
    motion = make.motion(20, wildness=0.6)
    positions, _ = kinematics.world(motion)
    targets = positions[:, motion.skeleton.index("left_foot")]
    local, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, "left_leg", targets)
    np.testing.assert_allclose(r.angle_between(local, motion.local_rotations), 0, atol=1e-6)


def test_a_target_out_of_reach_is_approached_and_the_miss_is_returned(make):
    motion = make.motion(10)
    positions, _ = kinematics.world(motion)
    hip = positions[:, motion.skeleton.index("left_hip")]
    targets = hip + np.array([0.0, -1.0, 0.0])  # the leg is 0.83 m long
    local, missed = two_bone_ik.reach(
        motion.skeleton, motion.root_positions, motion.local_rotations, "left_leg", targets
    )
    new_positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    np.testing.assert_allclose(missed, 0.17, atol=1e-6)
    np.testing.assert_allclose(new_positions[:, motion.skeleton.index("left_foot")], hip + [0, -0.83, 0], atol=1e-5)


@pytest.mark.parametrize(("limb", "forward"), [("left_leg", 1.0), ("right_leg", 1.0), ("left_arm", -1.0)])
def test_a_straight_limb_bends_as_a_body_does(make, limb, forward):
    motion = make.motion(1, wildness=0.0)
    upper, middle, end = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    positions, _ = kinematics.world(motion)
    targets = positions[:, upper] + 0.8 * (positions[:, end] - positions[:, upper])
    local, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, limb, targets)
    new_positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    assert forward * (new_positions[0, middle, 2] - positions[0, middle, 2]) > 0.1


def swept(make, limb, start, stop, n_frames=201, aside=0.0):
    """A standing person whose knee or elbow goes from one bend to another, radians; negative is the wrong way."""
    still = make.motion(n_frames, wildness=0.0)
    motion = replace(still, root_positions=np.tile([0.0, 0.94, 0.0], (n_frames, 1)))
    upper, middle, _ = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    bends = np.linspace(start, stop, n_frames)[:, None]
    axis = (
        np.array([1.0, 0, 0]) if limb.endswith("leg") else np.array([0.0, -1.0 if limb.startswith("left") else 1.0, 0])
    )
    local = motion.local_rotations.copy()
    local[:, upper] = r.multiply(r.exp(np.array([0.0, aside, 0.0])), r.exp(-bends / 2 * axis))
    local[:, middle] = r.exp(bends * axis)
    return motion, local


@pytest.mark.parametrize("limb", list(two_bone_ik.LIMBS))
@pytest.mark.parametrize("shift", [0.0, 0.03, 0.2])
def test_a_limb_that_goes_through_straight_into_overstretching_bends_on_as_a_body_does(make, limb, shift):
    motion, local = swept(make, limb, np.radians(25), np.radians(-3))
    upper, middle, end = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    to_start = positions[:, upper] - positions[:, end]
    targets = positions[:, end] + shift * to_start
    new, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, local, limb, targets)
    new_positions, new_turned = kinematics.forward(motion.skeleton, motion.root_positions, new)
    np.testing.assert_allclose(new_positions[:, end], targets, atol=1e-7)
    out = (new_positions[:, middle] - (new_positions[:, upper] + new_positions[:, end]) / 2)[:, 2]
    assert ((out if limb.endswith("leg") else -out) > -1e-4).all()
    steps = np.linalg.norm(np.diff(new_positions[:, middle], axis=0), axis=-1)
    assert steps.max() < 0.006  # metres in frames of 0.14 degrees; knees that turn round jump by tens of centimetres
    assert r.angle_between(new_turned[1:, upper], new_turned[:-1, upper]).max() < np.radians(1)


@pytest.mark.parametrize("bend", [3, 15, 60, 120])
@pytest.mark.parametrize("aside", [0.0, 0.8])
def test_properly_bent_limbs_keep_their_plane(make, bend, aside):
    motion, local = swept(make, "left_leg", np.radians(bend), np.radians(bend), n_frames=2, aside=aside)
    positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    targets = positions[:, motion.skeleton.index("left_foot")]
    new, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, local, "left_leg", targets)
    np.testing.assert_allclose(r.angle_between(new, local), 0, atol=1e-6)


def bends_of(skeleton, local, limb):
    """(F,) radians that the lower bone of the test person is turned from the upper one; negative beyond straight."""
    _, middle, end = (skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    upper, lower = skeleton.offsets[middle], r.rotate(local[:, middle], skeleton.offsets[end])
    axis = np.array([1.0, 0, 0]) if limb.endswith("leg") else np.array([0.0, -np.sign(upper[0]), 0])
    return np.arctan2(np.cross(upper, lower) @ axis, lower @ upper)


def odd_limbs(make, limb, seed, n_frames=40):
    """Bodies of random sizes anywhere in the world, limbs turned and twisted at random, from -20 to 30 degrees bent."""
    rng = np.random.default_rng(seed)
    skeleton = make.skeleton()
    offsets = np.array(skeleton.offsets)
    _, middle, end = (skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    offsets[[middle, end]] *= rng.uniform(0.3, 2.5, (2, 1))
    motion = replace(make.motion(n_frames, seed=seed, wildness=1.0), skeleton=replace(skeleton, offsets=offsets))
    axis = np.array([1.0, 0, 0]) if limb.endswith("leg") else np.array([0.0, -1.0 if limb.startswith("left") else 1, 0])
    local = motion.local_rotations.copy()
    local[:, middle] = r.exp(np.radians(rng.uniform(-20, 30, (n_frames, 1))) * axis)
    return replace(motion, root_positions=rng.normal(scale=20, size=(n_frames, 3)), local_rotations=local), rng


@pytest.mark.parametrize("limb", list(two_bone_ik.LIMBS))
@pytest.mark.parametrize("seed", range(6))
def test_no_limb_leaves_the_side_on_which_it_bends(make, limb, seed):
    motion, rng = odd_limbs(make, limb, seed)
    upper, middle, end = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    positions = kinematics.world_positions(motion)
    length = sum(np.linalg.norm(motion.skeleton.offsets[j]) for j in (middle, end))
    least = abs(np.diff([np.linalg.norm(motion.skeleton.offsets[j]) for j in (middle, end)])[0])
    near = positions[:, end] + rng.normal(scale=0.05 * length, size=(40, 3))
    line = near - positions[:, upper]
    targets = positions[:, upper] + line * rng.uniform(0.6, 1.05, (40, 1))
    local, missed = two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, limb, targets)
    assert bends_of(motion.skeleton, local, limb).min() > -1e-6
    new = kinematics.world_positions(replace(motion, local_rotations=local))
    away = np.linalg.norm(targets - positions[:, upper], axis=-1)
    inside = (away < length - 1e-6) & (away > least + 1e-6)
    assert inside.sum() > 10
    np.testing.assert_allclose(new[inside, end], targets[inside], atol=1e-7)
    np.testing.assert_allclose(missed, np.linalg.norm(new[:, end] - targets, axis=-1), atol=1e-7)


@pytest.mark.parametrize("limb", list(two_bone_ik.LIMBS))
@pytest.mark.parametrize("shift", [0.0, 0.02, 0.1])
def test_shortening_an_overstretched_limb_never_bends_it_the_wrong_way_or_lets_it_jump(make, limb, shift):
    motion, local = swept(make, limb, np.radians(30), np.radians(-20), n_frames=501)
    upper, middle, end = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS[limb])
    positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    targets = positions[:, end] + shift * (positions[:, upper] - positions[:, end])
    new, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, local, limb, targets)
    assert bends_of(motion.skeleton, new, limb).min() > -1e-6
    knees = kinematics.forward(motion.skeleton, motion.root_positions, new)[0][:, middle]
    assert np.linalg.norm(np.diff(knees, axis=0), axis=-1).max() < 0.006  # metres in frames of 0.1 degrees


@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_body_reaches_as_in_a_mirror(make, seed):
    motion, rng = odd_limbs(make, "left_leg", seed)
    foot = motion.skeleton.index("left_foot")
    targets = kinematics.world_positions(motion)[:, foot] + rng.normal(scale=0.05, size=(40, 3))
    copy, flip = mirror(motion), np.array([-1.0, 1, 1])
    args = motion.skeleton, motion.root_positions, motion.local_rotations
    left = replace(motion, local_rotations=two_bone_ik.reach(*args, "left_leg", targets)[0])
    args = copy.skeleton, copy.root_positions, copy.local_rotations
    right = replace(copy, local_rotations=two_bone_ik.reach(*args, "right_leg", targets * flip)[0])
    np.testing.assert_allclose(kinematics.world_positions(right), kinematics.world_positions(mirror(left)), atol=1e-7)


def test_a_straight_leg_bends_forwards_also_where_the_zero_pose_looks_elsewhere(make):
    motion = rest_pose.rebase(make.motion(1, wildness=0.0), np.broadcast_to(r.about_y(2.0), (21, 4)))
    upper, middle, end = (motion.skeleton.index(role) for role in two_bone_ik.LIMBS["left_leg"])
    positions, _ = kinematics.world(motion)
    targets = positions[:, upper] + 0.8 * (positions[:, end] - positions[:, upper])
    local, _ = two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, "left_leg", targets)
    new_positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    assert new_positions[0, middle, 2] - positions[0, middle, 2] > 0.1


def test_the_knee_points_in_the_given_direction(make):
    motion = make.motion(8, wildness=0.3)
    positions, _ = kinematics.world(motion)
    hip, knee = motion.skeleton.index("left_hip"), motion.skeleton.index("left_knee")
    targets = positions[:, hip] + np.array([0.0, -0.6, 0.0])
    towards = np.array([1.0, 0.0, 0.0])
    local, _ = two_bone_ik.reach(
        motion.skeleton, motion.root_positions, motion.local_rotations, "left_leg", targets, bend_towards=towards
    )
    new_positions, _ = kinematics.forward(motion.skeleton, motion.root_positions, local)
    out = new_positions[:, knee] - positions[:, hip]
    assert (out[:, 0] > 0.2).all()
    np.testing.assert_allclose(out[:, 2], 0, atol=1e-9)


def test_the_foot_gets_the_given_orientation(make):
    motion = make.motion(4, wildness=0.3)
    positions, _ = kinematics.world(motion)
    foot = motion.skeleton.index("left_foot")
    wanted = np.broadcast_to(r.about_y(0.7), (4, 4))
    local, _ = two_bone_ik.reach(
        motion.skeleton,
        motion.root_positions,
        motion.local_rotations,
        "left_leg",
        positions[:, foot],
        end_rotations=wanted,
    )
    _, turned = kinematics.forward(motion.skeleton, motion.root_positions, local)
    np.testing.assert_allclose(r.angle_between(turned[:, foot], wanted), 0, atol=1e-7)


def test_a_limb_that_is_no_limb_lists_the_limbs(make):
    motion = make.motion(2)
    with pytest.raises(BadInput, match="no limb 'tail'; the limbs are left_leg"):
        two_bone_ik.reach(motion.skeleton, motion.root_positions, motion.local_rotations, "tail", np.zeros((2, 3)))
    roles = {"left_shoulder": "a", "left_elbow": "b", "left_hand": "c"}
    broken = Skeleton(("hips", "a", "b", "c", "d"), np.array([-1, 0, 1, 1, 3]), np.ones((5, 3)), roles=roles)
    with pytest.raises(BadInput, match="are not a chain"):
        two_bone_ik.reach(broken, np.zeros((1, 3)), r.identity((1, 5)), "left_arm", np.zeros((1, 3)))
