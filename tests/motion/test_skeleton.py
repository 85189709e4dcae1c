"""Roles are found in the names of every family; wrong skeletons are refused with a reason."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Skeleton, kinematics

LEG = ("hip", "knee", "foot", "ball")
ARM = ("clavicle", "shoulder", "elbow", "hand")

FAMILIES = {
    "cmu": dict(
        centre="Hips Spine Spine1 Neck Head",
        left="LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftShoulder LeftArm LeftForeArm LeftHand",
        right="RightUpLeg RightLeg RightFoot RightToeBase RightShoulder RightArm RightForeArm RightHand",
    ),
    "mixamo": dict(
        centre="mixamorig:Hips mixamorig:Spine mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
        left="mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase "
        "mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand",
        right="mixamorig:RightUpLeg mixamorig:RightLeg mixamorig:RightFoot mixamorig:RightToeBase "
        "mixamorig:RightShoulder mixamorig:RightArm mixamorig:RightForeArm mixamorig:RightHand",
    ),
    "unreal": dict(
        centre="pelvis spine_01 spine_03 neck_01 head",
        left="thigh_l calf_l foot_l ball_l clavicle_l upperarm_l lowerarm_l hand_l",
        right="thigh_r calf_r foot_r ball_r clavicle_r upperarm_r lowerarm_r hand_r",
    ),
    "plain": dict(
        centre="Hips Spine Chest Neck Head",
        left="LeftHip LeftKnee LeftAnkle LeftToe LeftCollar LeftShoulder LeftElbow LeftWrist",
        right="RightHip RightKnee RightAnkle RightToe RightCollar RightShoulder RightElbow RightWrist",
    ),
    "asf": dict(
        centre="root lowerback thorax lowerneck head",
        left="lfemur ltibia lfoot ltoes lclavicle lhumerus lradius lwrist",
        right="rfemur rtibia rfoot rtoes rclavicle rhumerus rradius rwrist",
    ),
    "poser": dict(
        centre="hip abdomen chest neck head",
        left="lThigh lShin lFoot lToe lCollar lShldr lForeArm lHand",
        right="rThigh rShin rFoot rToe rCollar rShldr rForeArm rHand",
    ),
    "dotted": dict(
        centre="Hips Spine Chest Neck Head",
        left="thigh.L shin.L foot.L toe.L clavicle.L upper_arm.L forearm.L hand.L",
        right="thigh.R shin.R foot.R toe.R clavicle.R upper_arm.R forearm.R hand.R",
    ),
}


def person(centre, left, right):
    """A skeleton with the given names: hips, spine, chest, neck, head, then leg and arm of both sides."""
    names, parents = centre.split(), [-1, 0, 1, 2, 3]
    for side in (left.split(), right.split()):
        start = len(names)
        names += side
        parents += [0, start, start + 1, start + 2, 2, start + 4, start + 5, start + 6]
    return Skeleton(tuple(names), np.array(parents), np.ones((len(names), 3)))


@pytest.mark.parametrize("family", FAMILIES)
def test_roles_are_found_in_the_names_of_every_family(family):
    names = FAMILIES[family]
    skeleton = person(**names)
    expected = dict(zip(("hips", "spine", "chest", "neck", "head"), names["centre"].split()))
    for side in ("left", "right"):
        expected |= dict(zip([f"{side}_{limb}" for limb in LEG + ARM], names[side].split()))
    assert dict(skeleton.roles) == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_left_and_right_are_paired_in_every_family(family):
    names = FAMILIES[family]
    skeleton = person(**names)
    pairs = {skeleton.names[i]: skeleton.names[k] for i, k in enumerate(skeleton.mirror_indices)}
    for left, right in zip(names["left"].split(), names["right"].split()):
        assert pairs[left] == right
        assert pairs[right] == left
    for centre in names["centre"].split():
        assert pairs[centre] == centre


def test_a_role_can_be_corrected_and_a_wrong_one_is_refused(make):
    skeleton = make.skeleton().with_roles({"left_foot": "LeftToeBase"})
    assert skeleton.names[skeleton.index("left_foot")] == "LeftToeBase"
    with pytest.raises(BadInput, match="no role tail"):
        skeleton.with_roles({"tail": "Hips"})
    with pytest.raises(BadInput, match="no such joint for head = Kopf"):
        skeleton.with_roles({"head": "Kopf"})


def test_names_that_tell_nothing_give_no_wrong_roles():
    skeleton = Skeleton(("a", "b", "rib", "lamp"), np.array([-1, 0, 1, 2]), np.ones((4, 3)))
    assert dict(skeleton.roles) == {"hips": "a"}


def test_an_unknown_joint_lists_the_known_ones(make):
    with pytest.raises(BadInput, match="no joint 'LeftToe'; joints: Hips"):
        make.skeleton().index("LeftToe")


@pytest.mark.parametrize(
    ("names", "parents", "message"),
    [
        ((), [], "at least one joint"),
        (("a", "a"), [-1, 0], "twice: a"),
        (("a", "b"), [-1, 1], "every parent must come before"),
        (("a", "b"), [-1, -1], "the only root"),
        (("a", "b"), [-1], "expected \\(2,\\)"),
    ],
)
def test_impossible_skeletons_are_refused(names, parents, message):
    with pytest.raises(BadInput, match=message):
        Skeleton(names, np.array(parents, int), np.zeros((len(names), 3)))


def test_the_heel_is_below_and_behind_the_ankle(make):
    skeleton = make.skeleton()
    heel = skeleton.heel_offset("left")
    np.testing.assert_allclose(heel, [0, -0.07, -0.25 * 0.13], atol=1e-9)  # 6 cm to the ball's height and 1 cm of sole
    np.testing.assert_allclose(skeleton.heel_offset("left", rest_height=0.05)[1], -0.05)


def test_the_heel_follows_a_leg_that_is_tilted_at_rest(make):
    """Zero pose with the legs spread, as in CMU files: down is along the shin."""
    tilt = np.radians(20)
    names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase")
    along = np.array([np.sin(tilt), -np.cos(tilt), 0.0])
    offsets = np.array([np.zeros(3), [0.1, 0, 0], along * 0.4, along * 0.4, along * 0.04 + [0, 0, 0.12]])
    heel = Skeleton(names, np.array([-1, 0, 1, 2, 3]), offsets).heel_offset("left")
    np.testing.assert_allclose(heel, along * 0.05 + [0, 0, -0.03], atol=1e-9)


def test_same_skeletons_are_equal_and_arrays_cannot_be_changed(make):
    assert make.skeleton() == make.skeleton()
    assert make.skeleton() != make.skeleton(seed=1)
    assert make.skeleton().hierarchy_digest == make.skeleton(seed=1).hierarchy_digest
    with pytest.raises(ValueError, match="read-only"):
        make.skeleton().offsets[0] = 1.0


def test_rest_positions_are_the_zero_pose(make):
    motion = make.motion(1, wildness=0.0)
    positions = kinematics.world_positions(motion)[0] - motion.root_positions[0]
    np.testing.assert_allclose(motion.skeleton.rest_positions, positions, atol=1e-12)
