"""Laws of retargeting: what must hold for any two bodies."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import (
    BARE,
    LOOSE,
    at,
    below_a_root,
    degrees,
    limb_directions,
    lowered_arms,
    renamed,
    trunk_directions,
    with_spine,
)

from motionloom.features.contacts import detect_contacts
from motionloom.motion import Motion, Placement, kinematics, mirror, rest_pose, rotations
from motionloom.motion.placement import place
from motionloom.retarget import RetargetSettings, plan_retarget, retarget_motion


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    return make.demo_take("walk/normal_1").motion


@pytest.fixture(scope="module")
def wild(make) -> Motion:
    return make.motion(50, seed=3, wildness=0.5, hinged=True)


def test_the_same_skeleton_gives_the_same_motion(walk):
    contacts = detect_contacts(walk, 0.0)
    for settings in (BARE, LOOSE, RetargetSettings()):
        same = retarget_motion(walk, walk.skeleton, contacts=contacts, settings=settings).motion
        assert np.abs(kinematics.world_positions(same) - kinematics.world_positions(walk)).max() < 1e-9


@pytest.mark.parametrize("rig", RIGS)
def test_bones_of_limbs_and_neck_point_where_those_of_the_source_do(wild, rig):
    carried = retarget_motion(wild, RIGS[rig](), settings=BARE).motion
    assert degrees(limb_directions(carried), limb_directions(wild)).max() < 1e-5
    assert degrees(trunk_directions(carried), trunk_directions(wild))[:, 1].max() < 1e-5


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_the_trunk_points_where_the_source_does_over_any_number_of_joints(walk, n):
    carried = retarget_motion(walk, with_spine(n), settings=BARE).motion
    assert degrees(trunk_directions(carried), trunk_directions(walk))[:, 0].max() < 3.0


@pytest.mark.parametrize("rig", RIGS)
def test_rotations_are_unit_and_the_skeleton_is_the_one_asked_for(wild, rig):
    target = RIGS[rig]()
    carried = retarget_motion(wild, target, settings=BARE).motion
    assert carried.skeleton == target
    assert np.allclose(np.linalg.norm(carried.local_rotations, axis=-1), 1.0)


@pytest.mark.parametrize("rig", RIGS)
def test_limbs_come_back_from_another_skeleton(wild, rig):
    there = retarget_motion(wild, RIGS[rig](), settings=BARE).motion
    back = retarget_motion(there, wild.skeleton, settings=BARE).motion
    assert degrees(limb_directions(back), limb_directions(wild)).max() < 1e-5
    skeleton = wild.skeleton
    joints = [skeleton.index(f"{side}_{role}") for side in ("left", "right") for role in ("knee", "foot", "elbow")]
    off = rotations.angle_between(back.local_rotations[:, joints], wild.local_rotations[:, joints])
    assert np.degrees(off).max() < 1e-4


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_chest_and_head_come_back_from_a_spine_of_any_number_of_joints(wild, n):
    there = retarget_motion(wild, with_spine(n), settings=BARE).motion
    back = retarget_motion(there, wild.skeleton, settings=BARE).motion
    ends = [wild.skeleton.index(role) for role in ("chest", "head", "hips")]
    turned, again = (kinematics.world(motion)[1][:, ends] for motion in (wild, back))
    assert np.degrees(rotations.angle_between(turned, again)).max() < 1e-4


@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_a_larger_target_gets_the_same_motion_larger(walk, factor):
    target, contacts = RIGS["a_pose"](), detect_contacts(walk, 0.0)
    one, other = (
        retarget_motion(walk, target.scaled(size), contacts=contacts, settings=LOOSE).motion for size in (1.0, factor)
    )
    np.testing.assert_allclose(other.root_positions, factor * one.root_positions, atol=1e-9)
    np.testing.assert_allclose(other.local_rotations, one.local_rotations, atol=1e-9)


@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_the_feet_of_a_larger_target_are_planted_in_the_same_places_larger(walk, factor):
    target, contacts = RIGS["a_pose"](), detect_contacts(walk, 0.0)
    places = [
        kinematics.world_positions(retarget_motion(walk, target.scaled(size), contacts=contacts).motion)
        for size in (1.0, factor)
    ]
    assert np.abs(places[1] / factor - places[0]).max() < 0.01  # heels are measured in each one's own size


@pytest.mark.parametrize("rig", RIGS)
def test_turning_and_sliding_the_source_turns_and_slides_the_result(walk, rig):
    target = RIGS[rig]()
    ratio = target.leg_length / walk.skeleton.leg_length
    move, scaled = (Placement(0.8, factor * np.array([1.5, -0.7])) for factor in (1.0, ratio))
    expected = place(retarget_motion(walk, target, settings=LOOSE).motion, scaled)
    found = retarget_motion(place(walk, move), target, settings=LOOSE).motion
    places = kinematics.world_positions(expected), kinematics.world_positions(found)
    np.testing.assert_allclose(places[1], places[0], atol=1e-7)


@pytest.mark.parametrize("rig", RIGS)
def test_names_do_not_matter(walk, rig):
    target = RIGS[rig]()
    contacts = detect_contacts(walk, 0.0)
    expected = retarget_motion(walk, target, contacts=contacts).motion
    source = replace(walk, skeleton=renamed(walk.skeleton))
    found = retarget_motion(source, renamed(target), contacts=contacts).motion
    assert np.array_equal(found.local_rotations, expected.local_rotations)
    assert np.array_equal(found.root_positions, expected.root_positions)


@pytest.mark.parametrize("rig", ["a_pose", "child"])
def test_the_mirror_image_of_a_motion_becomes_the_mirror_image_of_the_result(walk, rig):
    target = RIGS[rig]()
    expected = mirror(retarget_motion(walk, target, settings=LOOSE).motion, keep_skeleton=True)
    found = retarget_motion(mirror(walk, keep_skeleton=True), target, settings=LOOSE).motion
    places = kinematics.world_positions(expected), kinematics.world_positions(found)
    np.testing.assert_allclose(places[1], places[0], atol=1e-6)


@pytest.mark.parametrize("angle", [-0.4, 0.7, 1.3])
def test_the_rest_pose_of_either_skeleton_does_not_matter(wild, angle):
    target = with_spine(3)
    expected = kinematics.world_positions(retarget_motion(wild, target, settings=BARE).motion)
    other = rest_pose.rebase(wild, lowered_arms(wild.skeleton, angle))
    np.testing.assert_allclose(kinematics.world_positions(other), kinematics.world_positions(wild), atol=1e-9)
    from_other = retarget_motion(other, target, settings=BARE).motion
    np.testing.assert_allclose(kinematics.world_positions(from_other), expected, atol=1e-9)
    lowered = rest_pose.rebase_skeleton(target, lowered_arms(target, angle))
    to_other = retarget_motion(wild, lowered, settings=BARE).motion
    np.testing.assert_allclose(kinematics.world_positions(to_other), expected, atol=1e-9)


def test_a_joint_above_the_hips_stays_upright_below_them(walk):
    target = with_spine(3)
    plain, below = (retarget_motion(walk, body, settings=BARE).motion for body in (target, below_a_root(target)))
    for role in target.roles:
        np.testing.assert_allclose(at(below, role), at(plain, role), atol=1e-9)
    up = rotations.rotate(below.local_rotations[:, 0], np.array([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(up, np.broadcast_to([0.0, 1.0, 0.0], up.shape), atol=1e-9)


def test_a_motion_below_a_root_is_carried_with_it(walk):
    source = retarget_motion(walk, below_a_root(walk.skeleton), settings=BARE).motion
    back = retarget_motion(source, walk.skeleton, settings=BARE).motion
    np.testing.assert_allclose(kinematics.world_positions(back), kinematics.world_positions(walk), atol=1e-9)


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("twist", [0.0, 1.0])
def test_joints_inside_the_bones_of_the_source_do_not_matter(make, n, twist):
    motion = make.motion(30, seed=5, hinged=True)
    with_joints = make.with_twist_joints(motion, n, twist)
    carried = retarget_motion(with_joints, RIGS["a_pose"](), settings=BARE).motion
    assert degrees(limb_directions(carried), limb_directions(motion)).max() < 1e-4


def test_joints_inside_the_bones_of_the_target_do_not_matter(make, wild):
    target = make.with_twist_joints(wild, 2).skeleton
    carried = retarget_motion(wild, target, settings=BARE).motion
    assert degrees(limb_directions(carried), limb_directions(wild)).max() < 1e-5


def test_a_plan_serves_many_motions(walk):
    target = RIGS["twist"]()
    plan = plan_retarget(walk.skeleton, target)
    once, again = (retarget_motion(walk, target, settings=BARE, plan=each).motion for each in (plan, None))
    assert np.array_equal(once.local_rotations, again.local_rotations)


def test_places_scale_with_the_legs_or_as_asked(walk):
    target = RIGS["child"]()
    ratio = target.leg_length / walk.skeleton.leg_length
    for scale in (None, 0.8):
        carried = retarget_motion(walk, target, settings=BARE, scale=scale).motion
        before, after = (at(motion, "left_hip", "right_hip") for motion in (walk, carried))
        expected = ratio if scale is None else scale
        np.testing.assert_allclose(after[:, [0, 2]], expected * before[:, [0, 2]], atol=1e-9)
        np.testing.assert_allclose(np.diff(after[:, 1]), ratio * np.diff(before[:, 1]), atol=1e-9)


def test_fingers_of_other_numbers_of_joints_bend_as_those_of_the_same_name(make):
    source = RIGS["a_pose"]()
    turns = np.zeros((5, source.n_joints, 3))
    bent = source.names.index("mixamorig:LeftHandIndex2")
    turns[:, bent, 2] = -np.linspace(0.0, 1.0, 5)
    motion = Motion(source, np.tile([0.0, 0.95, 0.0], (5, 1)), rotations.exp(turns), 30.0)
    carried = retarget_motion(motion, RIGS["twist"](), settings=BARE).motion
    angles = rotations.angle(carried.local_rotations)  # (F, J)
    changed = np.flatnonzero(np.abs(angles - angles[0]).max(axis=0) > 1e-6)
    assert [carried.skeleton.names[joint] for joint in changed] == ["index_02_l"]
    relative = rotations.angle_between(carried.local_rotations[:, changed[0]], carried.local_rotations[:1, changed[0]])
    np.testing.assert_allclose(relative, np.linspace(0.0, 1.0, 5), atol=1e-6)
