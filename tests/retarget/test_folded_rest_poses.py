"""Rest poses of bones that are all along one axis of their joints: legs point up in them, feet along the shins."""

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import BARE, SIDES, at, degrees, limb_directions, with_spine

from motionloom.features.contacts import detect_contacts
from motionloom.motion import Motion, Skeleton, kinematics, rest_pose, rotations
from motionloom.quality import measure_hinges
from motionloom.retarget import retarget_motion
from motionloom.retarget.neutral_pose import learn_bends

AXES = {"sideways": [0.0, 0.0, 1.0], "ahead": [1.0, 0.0, 0.0], "between": [0.8, 0.0, 0.6]}


def folded_legs(skeleton: Skeleton, axis: list[float], stretched: bool = False) -> np.ndarray:
    """(J, 4) joint to world: the rest pose with legs up, for `rest_pose.rebase`, and feet along them if asked."""
    turned = rotations.identity((skeleton.n_joints,))
    up, half_turn = np.array([0.0, 1.0, 0.0]), rotations.about_axis(np.array(axis), np.pi)
    for side in SIDES:
        hip, ankle = skeleton.index(f"{side}_hip"), skeleton.index(f"{side}_foot")
        turned[_below(skeleton, hip)] = half_turn
        if stretched:
            ball = skeleton.index(f"{side}_ball")
            foot = rotations.between_vectors(rotations.rotate(half_turn, skeleton.offsets[ball]), up)
            turned[_below(skeleton, ankle)] = rotations.multiply(foot, half_turn)
    return turned


def _below(skeleton: Skeleton, top: int) -> list[int]:
    return [joint for joint in range(skeleton.n_joints) if top in skeleton.chain(joint)]


@pytest.fixture(scope="module")
def walk(make) -> Motion:
    return make.demo_take("walk/normal_1").motion


@pytest.mark.parametrize("axis", AXES)
def test_legs_of_a_source_are_turned_as_motions_of_it_bend_them(walk, axis):
    folded = rest_pose.rebase(walk, folded_legs(walk.skeleton, AXES[axis]))
    target = RIGS["a_pose"]()
    found, expected = (retarget_motion(source, target, settings=BARE).motion for source in (folded, walk))
    assert degrees(limb_directions(found), limb_directions(expected)).max() < 1e-4
    joints = [target.index(f"{side}_{role}") for side in SIDES for role in ("hip", "knee", "foot")]
    turned = [kinematics.world(motion)[1][:, joints] for motion in (found, expected)]
    assert np.degrees(rotations.angle_between(*turned)).max() < 12.0  # what knees of walking bodies do not tell


@pytest.mark.parametrize("axis", AXES)
def test_a_target_stands_on_its_feet(walk, axis):
    target = with_spine(3)
    folded = rest_pose.rebase_skeleton(target, folded_legs(target, AXES[axis]))
    contacts = detect_contacts(walk, 0.0)
    found, expected = (retarget_motion(walk, body, contacts=contacts) for body in (folded, target))
    assert found.report.is_met
    hinges = measure_hinges(found.motion)
    assert hinges is not None and hinges.flips == 0
    feet = [at(found.motion, role) - at(expected.motion, role) for role in ("left_ball", "right_ball", "head")]
    assert np.linalg.norm(feet, axis=-1).max() < 0.03


def test_feet_that_are_stretched_along_the_shins_rest_flat(walk):
    target = with_spine(3)
    stretched = rest_pose.rebase_skeleton(target, folded_legs(target, AXES["sideways"], stretched=True))
    found, expected = (retarget_motion(walk, body, settings=BARE).motion for body in (stretched, target))
    for side in SIDES:
        feet = [at(motion, f"{side}_ball") - at(motion, f"{side}_foot") for motion in (found, expected)]
        units = [foot / np.linalg.norm(foot, axis=-1, keepdims=True) for foot in feet]
        assert degrees(*units).max() < 15.0


def test_nothing_is_learnt_where_legs_point_down(walk, make):
    assert learn_bends(walk) == {}
    assert learn_bends(make.motion(20, hinged=True)) == {}
