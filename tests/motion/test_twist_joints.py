"""Limbs with joints inside their bones: the knee is the knee, and those joints are parts of the bone."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import hinges, kinematics, mirror, two_bone_ik
from motionloom.motion import rotations as r

CASES = [(n, twist, seed) for n in (1, 2, 3) for twist in (0.0, 1.5) for seed in (0, 1)]


def places(motion, local=None):
    """World positions of the roles of a motion, by role."""
    positions = kinematics.forward(
        motion.skeleton, motion.root_positions, motion.local_rotations if local is None else local
    )[0]
    return {role: positions[:, motion.skeleton.index(role)] for role in motion.skeleton.roles}


def same_places(one, other, atol):
    for role, positions in one.items():
        np.testing.assert_allclose(other[role], positions, atol=atol, err_msg=role)


@pytest.mark.parametrize(("n", "twist", "seed"), CASES)
@pytest.mark.parametrize("limb", list(hinges.LIMBS))
def test_the_bend_is_measured_at_the_knee_whatever_is_inside_the_bones(make, limb, n, twist, seed):
    motion = make.motion(60, seed=seed, hinged=True, wildness=0.7)
    twisted = make.with_twist_joints(motion, n, twist, seed)
    same_places(places(motion), places(twisted), 1e-9)
    assert hinges.hinged_limbs(twisted.skeleton) == tuple(hinges.LIMBS)
    for measure in (hinges.flexion, hinges.bend_offsets):
        values = []
        for each in (motion, make.with_twist_joints(motion, n, 0.0, seed)):
            axis = hinges.hinge_axis(each.skeleton, each.local_rotations, limb)
            values.append(measure(each.skeleton, each.local_rotations, limb, axis))
        np.testing.assert_allclose(values[1], values[0], atol=1e-9)
    plain, own = (hinges.limb_bones(each.skeleton, each.local_rotations, limb) for each in (motion, twisted))
    for one, other in zip(plain, own):
        np.testing.assert_allclose(hinges.bone_length(other), hinges.bone_length(one), atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("limb", ["left_leg", "right_arm"])
def test_the_side_of_a_limb_whose_twist_is_all_inside_its_bone_is_found(make, limb, n):
    """The upper joint only swings; the twist of the limb, by up to half a turn, is in the joint above the knee."""
    motion = make.motion(200, seed=3, hinged=True, wildness=0.5)
    twisted = make.with_twist_joints(motion, n)
    above = int(twisted.skeleton.parents[twisted.skeleton.index(hinges.LIMBS[limb][1])])
    bone = twisted.skeleton.offsets[above] / np.linalg.norm(twisted.skeleton.offsets[above])
    local = twisted.local_rotations.copy()
    turns = r.exp(np.linspace(-1.6, 1.6, 200)[:, None] * bone)
    local[:, above] = r.multiply(turns, local[:, above])
    axis = hinges.hinge_axis(twisted.skeleton, local, limb)
    usual = hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)
    np.testing.assert_allclose(axis, usual, atol=1e-9)
    assert (hinges.flexion(twisted.skeleton, local, limb, axis) > 0).all()


@pytest.mark.parametrize(("n", "twist", "seed"), CASES)
@pytest.mark.parametrize("limb", list(hinges.LIMBS))
def test_limbs_reach_as_those_without_joints_inside_and_keep_them_rigid(make, limb, n, twist, seed):
    rng = np.random.default_rng(seed)
    motion = make.motion(50, seed=seed, hinged=True, wildness=0.6)
    twisted = make.with_twist_joints(motion, n, twist, seed)
    upper = hinges.LIMBS[limb][0]
    directions = rng.normal(size=(50, 3))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    length = sum(hinges.rest_lengths(motion.skeleton, limb))
    targets = places(motion)[upper] + directions * rng.uniform(0.2, 1.1, (50, 1)) * length
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)
    solved = [
        two_bone_ik.reach(each.skeleton, each.root_positions, each.local_rotations, limb, targets, axis=axis)
        for each in (motion, make.with_twist_joints(motion, n, 0.0, seed))
    ]
    same_places(places(motion, solved[0][0]), places(make.with_twist_joints(motion, n, 0.0, seed), solved[1][0]), 1e-8)
    local, missed = two_bone_ik.reach(twisted.skeleton, twisted.root_positions, twisted.local_rotations, limb, targets)
    np.testing.assert_allclose(missed, solved[0][1], atol=1e-8)
    end = hinges.LIMBS[limb][2]
    np.testing.assert_allclose(places(twisted, local)[end], places(motion, solved[0][0])[end], atol=1e-8)
    turned = kinematics.world(twisted)[1], kinematics.forward(twisted.skeleton, twisted.root_positions, local)[1]
    hand = twisted.skeleton.index(end)
    np.testing.assert_allclose(r.angle_between(turned[0][:, hand], turned[1][:, hand]), 0, atol=1e-6)
    changed = {twisted.skeleton.index(role) for role in hinges.LIMBS[limb]}
    others = [joint for joint in range(twisted.skeleton.n_joints) if joint not in changed]
    np.testing.assert_array_equal(local[:, others], twisted.local_rotations[:, others])


@pytest.mark.parametrize("seed", range(4))
def test_joints_inside_bones_that_bend_them_are_rigid_too(make, seed):
    """Not only twists: a bone that its inner joints bend is as long as they make it, in each frame."""
    rng = np.random.default_rng(seed)
    twisted = make.with_twist_joints(make.motion(40, seed=seed, hinged=True), 2)
    local = twisted.local_rotations.copy()
    for joint in hinges.inner_joints(twisted.skeleton):
        local[:, joint] = r.exp(rng.normal(scale=0.3, size=3) * np.linspace(0, 1, 40)[:, None])
    bent = replace(twisted, local_rotations=local)
    at = places(bent)
    targets = at["left_hip"] + 0.9 * (at["left_foot"] - at["left_hip"])
    new, missed = two_bone_ik.reach(bent.skeleton, bent.root_positions, local, "left_leg", targets)
    after = places(bent, new)
    np.testing.assert_allclose(missed, 0, atol=1e-9)
    np.testing.assert_allclose(after["left_foot"], targets, atol=1e-9)
    for one, other in (("left_hip", "left_knee"), ("left_knee", "left_foot")):
        lengths = [np.linalg.norm(where[one] - where[other], axis=-1) for where in (at, after)]
        np.testing.assert_allclose(lengths[1], lengths[0], atol=1e-9)


def test_inner_joints_are_those_between_the_joints_of_limbs_and_mirror_as_they_do(make):
    motion = make.motion(10, hinged=True)
    assert hinges.inner_joints(motion.skeleton) == frozenset()
    twisted = make.with_twist_joints(motion, 2, 0.7)
    inner = hinges.inner_joints(twisted.skeleton)
    assert {twisted.skeleton.names[joint] for joint in inner} == {
        name for name in twisted.skeleton.names if "Twist" in name
    }
    same_places(places(mirror(motion)), places(mirror(twisted)), 1e-9)
