"""Twist joints beside the bones take their share of the twist."""

import numpy as np
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import BARE

from motionloom.motion import Motion, kinematics, rotations
from motionloom.retarget import retarget_motion
from motionloom.retarget.twist_joints import find_twist_joints


def twisting(make, role: str, angle: float) -> Motion:
    """A T-pose in which a joint of the left arm turns about its bone."""
    skeleton = make.skeleton()
    turns = np.zeros((9, skeleton.n_joints, 3))
    turns[:, skeleton.index(role), 0] = np.linspace(0.0, angle, 9)
    return Motion(skeleton, np.tile([0.0, 0.95, 0.0], (9, 1)), rotations.exp(turns), 30.0)


def twists(motion: Motion, names: list[str]) -> np.ndarray:
    """(N,) radians that joints are turned in the world in the last frame, from the first."""
    turned = kinematics.world(motion)[1][:, [motion.skeleton.names.index(name) for name in names]]
    return rotations.angle_between(turned[0], turned[-1])


def test_the_twist_joints_of_the_rig_are_found():
    target = RIGS["twist"]()
    names = {target.names[each.joint] for each in find_twist_joints(target)}
    assert names == {name for name in target.names if "twist" in name}
    assert not find_twist_joints(RIGS["a_pose"]())


def test_a_turned_hand_turns_the_twist_joints_of_the_forearm_by_their_places(make):
    carried = retarget_motion(twisting(make, "left_hand", 1.2), RIGS["twist"](), settings=BARE).motion
    found = twists(carried, ["lowerarm_l", "lowerarm_twist_02_l", "lowerarm_twist_01_l", "hand_l"])
    np.testing.assert_allclose(found, [0.0, 0.4, 0.8, 1.2], atol=1e-6)


def test_a_turned_upper_arm_turns_its_twist_joints_more_and_more_towards_the_elbow(make):
    carried = retarget_motion(twisting(make, "left_shoulder", 0.9), RIGS["twist"](), settings=BARE).motion
    found = twists(carried, ["clavicle_l", "upperarm_twist_01_l", "upperarm_twist_02_l", "upperarm_l"])
    np.testing.assert_allclose(found, [0.0, 0.3, 0.6, 0.9], atol=1e-6)
