"""Roles are found in the names of every family; wrong skeletons are refused with a reason."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Skeleton, kinematics
from motionloom.motion.roles import pair_sides

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
    "motive": dict(
        centre="Hip Ab Chest Neck Head",
        left="LThigh LShin LFoot LToe LShoulder LUArm LFArm LHand",
        right="RThigh RShin RFoot RToe RShoulder RUArm RFArm RHand",
    ),
    "motive with the subject's name": dict(
        centre="Anna_Hip Anna_Ab Anna_Chest Anna_Neck Anna_Head",
        left="Anna_LThigh Anna_LShin Anna_LFoot Anna_LToe Anna_LShoulder Anna_LUArm Anna_LFArm Anna_LHand",
        right="Anna_RThigh Anna_RShin Anna_RFoot Anna_RToe Anna_RShoulder Anna_RUArm Anna_RFArm Anna_RHand",
    ),
    "smpl": dict(
        centre="Pelvis Spine1 Spine3 Neck Head",
        left="L_Hip L_Knee L_Ankle L_Foot L_Collar L_Shoulder L_Elbow L_Wrist",
        right="R_Hip R_Knee R_Ankle R_Foot R_Collar R_Shoulder R_Elbow R_Wrist",
    ),
    "smpl with a prefix": dict(
        centre="m_avg_Pelvis m_avg_Spine1 m_avg_Spine3 m_avg_Neck m_avg_Head",
        left="m_avg_L_Hip m_avg_L_Knee m_avg_L_Ankle m_avg_L_Foot "
        "m_avg_L_Collar m_avg_L_Shoulder m_avg_L_Elbow m_avg_L_Wrist",
        right="m_avg_R_Hip m_avg_R_Knee m_avg_R_Ankle m_avg_R_Foot "
        "m_avg_R_Collar m_avg_R_Shoulder m_avg_R_Elbow m_avg_R_Wrist",
    ),
    "smpl in small letters": dict(
        centre="pelvis spine1 spine3 neck head",
        left="left_hip left_knee left_ankle left_foot left_collar left_shoulder left_elbow left_wrist",
        right="right_hip right_knee right_ankle right_foot right_collar right_shoulder right_elbow right_wrist",
    ),
    "rigify": dict(
        centre="spine spine.001 spine.003 spine.004 spine.006",
        left="thigh.L shin.L foot.L toe.L shoulder.L upper_arm.L forearm.L hand.L",
        right="thigh.R shin.R foot.R toe.R shoulder.R upper_arm.R forearm.R hand.R",
    ),
    "rigify for games": dict(
        centre="DEF-spine DEF-spine.001 DEF-spine.003 DEF-spine.004 DEF-spine.006",
        left="DEF-thigh.L DEF-shin.L DEF-foot.L DEF-toe.L DEF-shoulder.L DEF-upper_arm.L DEF-forearm.L DEF-hand.L",
        right="DEF-thigh.R DEF-shin.R DEF-foot.R DEF-toe.R DEF-shoulder.R DEF-upper_arm.R DEF-forearm.R DEF-hand.R",
    ),
    "xsens": dict(
        centre="Pelvis L5 T8 Neck Head",
        left="LeftUpperLeg LeftLowerLeg LeftFoot LeftToe LeftShoulder LeftUpperArm LeftForeArm LeftHand",
        right="RightUpperLeg RightLowerLeg RightFoot RightToe RightShoulder RightUpperArm RightForeArm RightHand",
    ),
    "xsens as bvh": dict(
        centre="Hips Chest Chest4 Neck Head",
        left="LeftHip LeftKnee LeftAnkle LeftToe LeftCollar LeftShoulder LeftElbow LeftWrist",
        right="RightHip RightKnee RightAnkle RightToe RightCollar RightShoulder RightElbow RightWrist",
    ),
    "neuron": dict(
        centre="Robot_Hips Robot_Spine Robot_Spine3 Robot_Neck Robot_Head",
        left="Robot_LeftUpLeg Robot_LeftLeg Robot_LeftFoot Robot_LeftToeBase "
        "Robot_LeftShoulder Robot_LeftArm Robot_LeftForeArm Robot_LeftHand",
        right="Robot_RightUpLeg Robot_RightLeg Robot_RightFoot Robot_RightToeBase "
        "Robot_RightShoulder Robot_RightArm Robot_RightForeArm Robot_RightHand",
    ),
    "names with double points and numbers": dict(
        centre="Anna:Hips Anna:Spine Anna:Spine2 Anna:Neck Anna:Head",
        left="Anna:LeftUpLeg Anna:LeftLeg Anna:LeftFoot Anna:LeftToeBase "
        "Anna:LeftShoulder Anna:LeftArm Anna:LeftForeArm Anna:LeftHand",
        right="Anna:RightUpLeg Anna:RightLeg Anna:RightFoot Anna:RightToeBase "
        "Anna:RightShoulder Anna:RightArm Anna:RightForeArm Anna:RightHand",
    ),
    "vroid below a root": dict(
        centre="J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head",
        left="J_Bip_L_UpperLeg J_Bip_L_LowerLeg J_Bip_L_Foot J_Bip_L_ToeBase "
        "J_Bip_L_Shoulder J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand",
        right="J_Bip_R_UpperLeg J_Bip_R_LowerLeg J_Bip_R_Foot J_Bip_R_ToeBase "
        "J_Bip_R_Shoulder J_Bip_R_UpperArm J_Bip_R_LowerArm J_Bip_R_Hand",
        root="Root",
    ),
    "character creator below a root": dict(
        centre="CC_Base_Hip CC_Base_Waist CC_Base_Spine02 CC_Base_NeckTwist01 CC_Base_Head",
        left="CC_Base_L_Thigh CC_Base_L_Calf CC_Base_L_Foot CC_Base_L_ToeBase "
        "CC_Base_L_Clavicle CC_Base_L_Upperarm CC_Base_L_Forearm CC_Base_L_Hand",
        right="CC_Base_R_Thigh CC_Base_R_Calf CC_Base_R_Foot CC_Base_R_ToeBase "
        "CC_Base_R_Clavicle CC_Base_R_Upperarm CC_Base_R_Forearm CC_Base_R_Hand",
        root="RL_BoneRoot",
    ),
    "joints of the middle marked": dict(
        centre="Root_M Spine1_M Chest_M Neck_M Head_M",
        left="Hip_L Knee_L Ankle_L Toes_L Scapula_L Shoulder_L Elbow_L Wrist_L",
        right="Hip_R Knee_R Ankle_R Toes_R Scapula_R Shoulder_R Elbow_R Wrist_R",
    ),
    "joints that say so": dict(
        centre="pelvis_jnt spine_01_jnt spine_03_jnt neck_jnt head_jnt",
        left="l_thigh_jnt l_calf_jnt l_foot_jnt l_ball_jnt l_clavicle_jnt l_upperarm_jnt l_forearm_jnt l_hand_jnt",
        right="r_thigh_jnt r_calf_jnt r_foot_jnt r_ball_jnt r_clavicle_jnt r_upperarm_jnt r_forearm_jnt r_hand_jnt",
        root="root_jnt",
    ),
}
# Biped names hold spaces, so its lists are separated by commas here.
BIPED = {
    "centre": "Pelvis,Spine,Spine1,Neck,Head",
    "side": "Thigh,Calf,Foot,Toe0,Clavicle,UpperArm,Forearm,Hand",
}


def person(centre, left, right, root=None):
    """A skeleton with the given names: hips, spine, chest, neck, head, then leg and arm of both sides."""
    names, parents = centre.split(), [-1, 0, 1, 2, 3]
    for side in (left.split(), right.split()):
        start = len(names)
        names += side
        parents += [0, start, start + 1, start + 2, 2, start + 4, start + 5, start + 6]
    if root:
        names, parents = [root, *names], [-1, *(parent + 1 for parent in parents)]
    return Skeleton(tuple(names), np.array(parents), np.ones((len(names), 3)))


@pytest.mark.parametrize("family", FAMILIES)
def test_roles_are_found_in_the_names_of_every_family(family):
    names = FAMILIES[family]
    skeleton = person(**names)
    expected = dict(zip(("hips", "spine", "chest", "neck", "head"), names["centre"].split()))
    for side in ("left", "right"):
        expected |= dict(zip([f"{side}_{limb}" for limb in LEG + ARM], names[side].split()))
    assert dict(skeleton.roles) == expected


TWIST_NAMES = {  # thigh, shin, upper arm and forearm, each as (joint, the joint inside it), foot and hand
    "roll": "LeftUpLeg LeftUpLegRoll LeftLeg LeftLegRoll LeftFoot "
    "LeftArm LeftArmRoll LeftForeArm LeftForeArmRoll LeftHand",
    "twist_01_l": "thigh_l thigh_twist_01_l calf_l calf_twist_01_l foot_l "
    "upperarm_l upperarm_twist_01_l lowerarm_l lowerarm_twist_01_l hand_l",
    "ThighTwist": "L_Thigh L_ThighTwist L_Calf L_CalfTwist L_Foot L_UpperArm L_UpArmTwist L_Forearm L_ForeTwist L_Hand",
    "bend and twist": "lThighBend lThighTwist lShin lShinTwist lFoot "
    "lShldrBend lShldrTwist lForearmBend lForearmTwist lHand",
    "numbers": "upperleg01.L upperleg02.L lowerleg01.L lowerleg02.L foot.L "
    "upperarm01.L upperarm02.L lowerarm01.L lowerarm02.L wrist.L",
    "numbers behind": "DEF-thigh.L DEF-thigh.L.001 DEF-shin.L DEF-shin.L.001 DEF-foot.L "
    "DEF-upper_arm.L DEF-upper_arm.L.001 DEF-forearm.L DEF-forearm.L.001 DEF-hand.L",
}


@pytest.mark.parametrize("is_leaf", [False, True])
@pytest.mark.parametrize("family", TWIST_NAMES)
def test_joints_inside_bones_are_never_taken_for_those_between_them(family, is_leaf):
    names = TWIST_NAMES[family].split()
    parents = [-1, 0, 1, 1 if is_leaf else 2, 3, 3 if is_leaf else 4, 0, 6, 6 if is_leaf else 7, 8, 8 if is_leaf else 9]
    skeleton = Skeleton(("Hips", *names), np.array(parents), np.ones((11, 3)))
    roles = dict(zip(["left_hip", "left_knee", "left_foot"], names[0:5:2]))
    roles |= dict(zip(["left_shoulder", "left_elbow", "left_hand"], names[5::2]))
    assert dict(skeleton.roles) == {"hips": "Hips", **roles}


def test_joints_inside_bones_are_paired_with_those_of_the_other_side():
    names = ["Hips", *(f"thigh.{side}{number}" for side in "LR" for number in ("", ".001", ".002"))]
    assert pair_sides(names).tolist() == [0, 4, 5, 6, 1, 2, 3]


def test_a_bone_passes_over_the_joints_inside_it(make):
    motion = make.motion(3)
    skeleton, twisted = motion.skeleton, make.with_twist_joints(motion, 3).skeleton
    assert twisted.n_joints == skeleton.n_joints + 24
    assert dict(twisted.roles) == dict(skeleton.roles)
    assert twisted.leg_length == pytest.approx(skeleton.leg_length, abs=1e-12)
    for lower, upper in (("left_knee", "left_hip"), ("right_hand", "right_elbow"), ("left_foot", "head")):
        of_one_offset = skeleton.offsets[skeleton.index(lower)]
        np.testing.assert_array_equal(skeleton.bone(lower, upper), of_one_offset)
        if upper != "head":
            np.testing.assert_allclose(twisted.bone(lower, upper), of_one_offset, atol=1e-12)
    for side in ("left", "right"):
        np.testing.assert_allclose(twisted.heel_offset(side), skeleton.heel_offset(side), atol=1e-12)


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


@pytest.mark.parametrize("body", ["Bip01", "Bip001", "Bip02"])
def test_roles_are_found_in_biped_names_whose_root_is_no_hips(body):
    centre = [f"{body} {name}" for name in BIPED["centre"].split(",")]
    sides = {s: [f"{body} {s[0].upper()} {name}" for name in BIPED["side"].split(",")] for s in ("left", "right")}
    names, parents = [body, *centre], [-1, 0, 1, 2, 3, 4]
    for side in sides.values():
        start = len(names)
        names += side
        parents += [1, start, start + 1, start + 2, 3, start + 4, start + 5, start + 6]
    skeleton = Skeleton(tuple(names), np.array(parents), np.ones((len(names), 3)))
    expected = dict(zip(("hips", "spine", "chest", "neck", "head"), centre))
    for side, joints in sides.items():
        expected |= dict(zip([f"{side}_{limb}" for limb in LEG + ARM], joints))
    assert dict(skeleton.roles) == expected
    assert skeleton.names[skeleton.mirror_indices[names.index(f"{body} L Toe0")]] == f"{body} R Toe0"


def test_the_hips_are_not_the_reference_above_them():
    names = ("Reference", "Hips", "Spine", "LeftUpLeg", "RightUpLeg")
    assert Skeleton(names, np.array([-1, 0, 1, 1, 1]), np.ones((5, 3))).roles["hips"] == "Hips"
    names = ("root", "spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.005", "spine.006")
    roles = Skeleton(names, np.arange(8) - 1, np.ones((8, 3))).roles
    assert (roles["hips"], roles["neck"], roles["head"]) == ("spine", "spine.004", "spine.006")


def test_a_role_can_be_taken_away_and_stays_away(make):
    skeleton = make.skeleton().with_roles({"left_ball": None, "head": "Neck"})
    for same in (skeleton, skeleton.scaled(2.0), replace(skeleton, name="other"), skeleton.with_roles({"neck": None})):
        assert not same.has("left_ball") and same.has("right_ball", "left_foot")
        assert same.names[same.index("head")] == "Neck"
    assert skeleton.digest != make.skeleton().digest
    back = skeleton.with_roles({"left_ball": "LeftToeBase"})
    assert back.has("left_ball")


def test_sides_are_paired_by_roles_where_names_do_not_tell():
    names = ("Hips", "beinA", "knieA", "beinB", "knieB", "LeftArm", "RightArm")
    skeleton = Skeleton(names, np.array([-1, 0, 1, 0, 3, 0, 0]), np.ones((7, 3)))
    assert skeleton.mirror_indices.tolist() == [0, 1, 2, 3, 4, 6, 5]
    known = skeleton.with_roles(
        {"left_hip": "beinA", "right_hip": "beinB", "left_knee": "knieA", "right_knee": "knieB"}
    )
    assert known.mirror_indices.tolist() == [0, 3, 4, 1, 2, 6, 5]


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
        (("a", "a"), [-1, 0], "duplicates: a"),
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
