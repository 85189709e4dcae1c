"""Points of the body by their names: joints, fists, the chin, and the nearer one of two."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.buildup.hits.body_points import CHIN, KNUCKLES, arm_length, points_named
from motionloom.motion import kinematics


def test_a_word_for_both_sides_means_either_and_a_role_means_its_joint(make):
    skeleton = make.skeleton()
    assert [point.name for point in points_named(skeleton, "hand")] == ["left_hand", "right_hand"]
    (foot,) = points_named(skeleton, "right_foot")
    assert (foot.carrier, foot.offset) == ("RightFoot", (0.0, 0.0, 0.0))
    assert points_named(skeleton, "Neck")[0].joint == skeleton.index("Neck")


def test_fists_and_the_chin_are_carried_by_their_joints(make):
    motion = make.motion(30)
    world = kinematics.world_positions(motion)
    for name, role, far in (("left_fist", "left_hand", KNUCKLES), ("chin", "head", CHIN)):
        (point,) = points_named(motion.skeleton, name)
        away = np.linalg.norm(point.of(motion) - world[:, motion.skeleton.index(role)], axis=1)
        np.testing.assert_allclose(away, far, rtol=0.2)
        assert np.ptp(away) < 1e-9


def test_a_fist_goes_on_from_the_forearm_and_the_chin_is_in_front(make):
    skeleton = make.skeleton()
    fist, chin = (np.array(points_named(skeleton, name)[0].offset) for name in ("left_fist", "chin"))
    assert fist @ skeleton.bone("left_hand", "left_elbow") > 0
    assert chin[2] > 0 and abs(chin[0]) < 1e-6


def test_an_arm_is_as_long_as_its_bones(make):
    assert arm_length(make.skeleton()) == pytest.approx(0.28 + 0.26)


def test_a_joint_that_is_not_there_is_named(make):
    with pytest.raises(BadInput, match="no joint 'tail'"):
        points_named(make.skeleton(), "tail")
