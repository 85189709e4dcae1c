"""Skeletons that nothing can be carried to or from: one clear sentence each."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import RIGS

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Skeleton
from motionloom.retarget import check_retargetable, plan_retarget, retarget_motion


def without(skeleton: Skeleton, *roles: str) -> Skeleton:
    return skeleton.with_roles(dict.fromkeys(roles))


LEGS = tuple(f"{side}_{role}" for side in ("left", "right") for role in ("hip", "knee", "foot", "ball"))


def test_a_skeleton_without_legs_is_refused_as_source_and_as_target(make):
    whole, legless = make.skeleton(), without(make.skeleton(), *LEGS)
    with pytest.raises(SkeletonMismatch, match=r"the skeleton to retarget to .* has no legs"):
        check_retargetable(whole, legless)
    with pytest.raises(SkeletonMismatch, match=r"the motion.s skeleton .* has no legs"):
        check_retargetable(legless, whole)


def test_a_missing_role_is_named(make):
    for role in ("head", "left_knee"):
        with pytest.raises(SkeletonMismatch, match=f"has no joint for {role}"):
            check_retargetable(make.skeleton(), without(make.skeleton(), role))


def test_two_joints_in_one_role_are_refused(make):
    skeleton = make.skeleton()
    names = (*skeleton.names, "foot_l")
    parents = np.append(skeleton.parents, skeleton.index("left_knee"))
    doubled = Skeleton(names, parents, np.vstack([skeleton.offsets, [0.0, -0.4, 0.0]]))
    with pytest.raises(SkeletonMismatch, match="two joints in the role left_foot, 'LeftFoot' and 'foot_l'"):
        check_retargetable(skeleton, doubled)


def test_one_joint_in_two_roles_is_refused(make):
    skeleton = make.skeleton().with_roles({"left_knee": "LeftFoot"})
    with pytest.raises(SkeletonMismatch, match="'LeftFoot' in the roles left_knee and left_foot"):
        check_retargetable(make.skeleton(), skeleton)


def test_legs_of_zero_length_are_refused(make):
    skeleton = make.skeleton()
    offsets = np.array(skeleton.offsets)
    offsets[skeleton.index("right_knee")] = 0.0
    with pytest.raises(SkeletonMismatch, match="leg of zero length from right_hip to right_knee"):
        check_retargetable(skeleton, replace(skeleton, offsets=offsets))


def test_a_rest_pose_that_does_not_say_which_way_it_faces_is_refused(make):
    skeleton = make.skeleton()
    offsets = np.array(skeleton.offsets)
    for side in ("left", "right"):
        offsets[skeleton.index(f"{side}_hip")] = [0.0, 0.1, 0.0]
    with pytest.raises(SkeletonMismatch, match="hips and head in one line in its rest pose"):
        check_retargetable(make.skeleton(), replace(skeleton, offsets=offsets))


def test_a_leg_that_is_no_chain_is_refused(make):
    skeleton = make.skeleton().with_roles({"left_foot": "RightFoot", "right_foot": "LeftFoot"})
    with pytest.raises(SkeletonMismatch, match="not below"):
        check_retargetable(make.skeleton(), skeleton)


def test_every_rig_of_the_benchmarks_will_do(make):
    for rig in RIGS.values():
        check_retargetable(make.skeleton(), rig())
        check_retargetable(rig(), make.skeleton())


def test_a_skeleton_without_arms_or_neck_will_do(make):
    arms = tuple(f"{side}_{role}" for side in ("left", "right") for role in ("clavicle", "shoulder", "elbow", "hand"))
    motion, bare = make.motion(20), without(make.skeleton(), *arms, "neck", "spine", "chest")
    assert retarget_motion(motion, bare).motion.n_frames == 20
    assert retarget_motion(replace(motion, skeleton=bare), make.skeleton()).motion.n_frames == 20


def test_contacts_plans_and_scales_that_do_not_fit_are_refused(make):
    motion, skeleton = make.motion(10), RIGS["a_pose"]()
    with pytest.raises(BadInput, match="contacts have shape"):
        retarget_motion(motion, skeleton, contacts=np.zeros((3, 4), bool))
    with pytest.raises(BadInput, match="plan is of other skeletons"):
        retarget_motion(motion, skeleton, plan=plan_retarget(motion.skeleton, RIGS["child"]()))
    with pytest.raises(BadInput, match="scale of places must be positive"):
        retarget_motion(motion, skeleton, scale=0.0)
