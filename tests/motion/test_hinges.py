"""The side on which knees and elbows bend: the same wherever the body goes and however its limbs are twisted."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Motion, Skeleton, hinges, mirror, rest_pose
from motionloom.motion import rotations as r

AXES = {"left_leg": (1, 0, 0), "right_leg": (1, 0, 0), "left_arm": (0, -1, 0), "right_arm": (0, 1, 0)}


def bent(make, limb, degrees, seed=0, wildness=0.8):
    """Bodies in random poses with one limb bent by so many degrees in each frame."""
    motion = make.motion(len(degrees), seed=seed, wildness=wildness)
    middle = motion.skeleton.index(hinges.LIMBS[limb][1])
    local = motion.local_rotations.copy()
    local[:, middle] = r.exp(np.radians(degrees)[:, None] * np.array(AXES[limb], float))
    return replace(motion, local_rotations=local)


def degrees_of(motion, limb):
    axis = hinges.hinge_axis(motion.skeleton, motion.local_rotations, limb)
    return np.degrees(hinges.flexion(motion.skeleton, motion.local_rotations, limb, axis))


@pytest.mark.parametrize("limb", list(hinges.LIMBS))
@pytest.mark.parametrize("seed", range(5))
def test_flexion_is_that_of_the_joint_in_any_pose(make, limb, seed):
    degrees = np.random.default_rng(seed).uniform(-20, 150, 60)
    np.testing.assert_allclose(degrees_of(bent(make, limb, degrees, seed), limb), degrees, atol=1.5)


@pytest.mark.parametrize("limb", list(hinges.LIMBS))
def test_limbs_that_are_never_bent_have_the_side_of_the_rest_pose(make, limb):
    degrees = np.linspace(-19, 19, 60)
    np.testing.assert_allclose(degrees_of(bent(make, limb, degrees), limb), degrees, atol=0.2)


@pytest.mark.parametrize("limb", ["left_leg", "right_arm"])
def test_a_slanted_axis_is_measured_in_the_well_bent_frames(make, limb):
    motion = bent(make, limb, np.full(200, 60.0))
    upper, middle = (motion.skeleton.index(role) for role in hinges.LIMBS[limb][:2])
    slant = r.exp(0.4 * motion.skeleton.offsets[middle] / np.linalg.norm(motion.skeleton.offsets[middle]))
    local = motion.local_rotations.copy()
    local[:, middle] = r.multiply(r.multiply(slant, local[:, middle]), r.inverse(slant))
    axis = hinges.hinge_axis(motion.skeleton, local, limb)
    assert axis @ r.rotate(slant, np.array(AXES[limb], float)) > np.cos(np.radians(2))
    assert upper != middle


@pytest.mark.parametrize("turn", [(0, 2.0, 0), (np.pi / 2, 0, 0), (0.3, 1.0, -0.5)])
def test_the_side_is_the_same_in_any_convention_of_the_world(make, turn):
    degrees = np.linspace(-15, 10, 30)
    for limb in hinges.LIMBS:
        motion = bent(make, limb, degrees)
        turned = rest_pose.rebase(motion, np.broadcast_to(r.exp(np.array(turn, float)), (21, 4)))
        np.testing.assert_allclose(degrees_of(turned, limb), degrees_of(motion, limb), atol=1e-6)


@pytest.mark.parametrize("limb", ["left_leg", "left_arm"])
def test_a_mirrored_body_bends_as_in_a_mirror(make, limb):
    motion = bent(make, limb, np.linspace(-15, 100, 50))
    other = limb.replace("left", "right")
    np.testing.assert_allclose(degrees_of(mirror(motion), other), degrees_of(motion, limb), atol=1e-9)


def test_offsets_are_distances_from_the_line_through_the_ends(make):
    motion = bent(make, "left_leg", np.array([-20.0, 0.0, 20.0, 90.0]), wildness=0.0)
    offsets = hinges.bend_offsets(motion.skeleton, motion.local_rotations, "left_leg", np.array([1.0, 0, 0]))
    a, b = 0.42, 0.41
    angles = np.radians([-20, 0, 20, 90])
    chords = np.sqrt(a * a + b * b + 2 * a * b * np.cos(angles))
    np.testing.assert_allclose(offsets, a * b * np.sin(angles) / chords, atol=1e-12)


def test_a_limb_that_bends_about_any_axis_has_no_side(make):
    motion = make.motion(200)
    middle = motion.skeleton.index("left_elbow")
    local = motion.local_rotations.copy()
    local[:, middle] = r.exp(np.random.default_rng(1).normal(scale=1.5, size=(200, 3)))
    assert hinges.hinge_axis(motion.skeleton, local, "left_arm") is None


def test_a_skeleton_without_knees_has_no_hinged_legs():
    names = ("Hips", "LeftUpLeg", "LeftFoot", "RightUpLeg", "RightFoot", "Spine", "Head")
    offsets = [(0, 0, 0), (0.1, 0, 0), (0, -0.8, 0), (-0.1, 0, 0), (0, -0.8, 0), (0, 0.3, 0), (0, 0.3, 0)]
    skeleton = Skeleton(names, np.array([-1, 0, 1, 0, 3, 0, 5]), np.array(offsets, float))
    assert hinges.hinged_limbs(skeleton) == ()


def test_limbs_whose_joints_are_no_chain_or_have_no_length_are_left_out(make):
    skeleton = make.skeleton()
    offsets = np.array(skeleton.offsets)
    offsets[skeleton.index("left_knee")] = 0
    assert hinges.hinged_limbs(skeleton) == tuple(hinges.LIMBS)
    assert "left_leg" not in hinges.hinged_limbs(replace(skeleton, offsets=offsets))
    names, roles = ("hips", "a", "b", "c"), {"left_shoulder": "a", "left_elbow": "b", "left_hand": "c"}
    chain = Skeleton(names, np.array([-1, 0, 1, 2]), np.ones((4, 3)), roles=roles)
    assert hinges.hinged_limbs(chain) == ("left_arm",)
    for parents in ([-1, 0, 1, 1], [-1, 0, 0, 2], [-1, 0, 0, 1]):
        assert hinges.hinged_limbs(replace(chain, parents=np.array(parents))) == ()
    assert hinges.hinged_limbs(chain.with_roles({"left_elbow": "a"})) == ()


def test_a_body_without_a_head_looks_where_its_hips_and_feet_say(make):
    motion = bent(make, "left_leg", np.linspace(-15, 15, 20))
    names = tuple("Skull" if name == "Head" else name for name in motion.skeleton.names)
    roles = {role: joint for role, joint in motion.skeleton.roles.items() if role != "head"}
    skeleton = Skeleton(names, motion.skeleton.parents, motion.skeleton.offsets, roles=roles)
    headless = Motion(skeleton, motion.root_positions, motion.local_rotations, 60.0)
    turned = rest_pose.rebase(headless, np.broadcast_to(r.about_y(2.5), (21, 4)))
    assert not turned.skeleton.has("head")
    np.testing.assert_allclose(degrees_of(turned, "left_leg"), np.linspace(-15, 15, 20), atol=0.2)
