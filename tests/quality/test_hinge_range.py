"""Knees and elbows beyond straight, and those that turn over, are found and named."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Skeleton, hinges
from motionloom.motion import rotations as r
from motionloom.quality import measure_hinges, measure_quality


def bending(make, degrees, fps=60.0):
    """A standing person whose left knee is bent by so many degrees in each frame."""
    motion = make.motion(len(degrees), fps=fps, wildness=0.0)
    local = motion.local_rotations.copy()
    local[:, motion.skeleton.index("left_knee")] = r.exp(np.radians(degrees)[:, None] * np.array([1.0, 0, 0]))
    return replace(motion, local_rotations=local)


def test_straight_and_bent_limbs_are_in_range(make):
    found = measure_hinges(bending(make, np.linspace(0, 120, 60)))
    assert (found.share_of_frames, found.worst_degrees, found.worst_joint, found.flips) == (0, 0, None, 0)
    assert found.describe() == "no knee or elbow is beyond straight; none turns over"


def test_a_knee_beyond_straight_is_named_with_frame_and_degrees(make):
    degrees = np.full(50, 5.0)
    degrees[10:20] = -12
    degrees[15] = -13
    found = measure_hinges(bending(make, degrees))
    assert found.share_of_frames == pytest.approx(0.2)
    assert (found.worst_joint, found.worst_frame) == ("LeftLeg", 15)
    assert found.worst_degrees == pytest.approx(13)
    assert "20.0 % of the frames" in found.describe() and "LeftLeg by 13.0 degrees at frame 15" in found.describe()


def test_a_knee_that_turns_over_is_a_flip(make):
    degrees = np.where(np.arange(40) < 25, 40.0, -30.0)
    found = measure_hinges(bending(make, degrees))
    assert (found.flips, found.flip_joint, found.flip_frame) == (1, "LeftLeg", 25)
    assert "1 turn over, first LeftLeg at frame 25" in found.describe()


def test_a_jump_is_a_flip_only_where_the_source_is_calm(make):
    degrees = np.where(np.arange(40) < 25, 10.0, 60.0)
    jumping, calm = bending(make, degrees), bending(make, np.full(40, 10.0))
    assert measure_hinges(jumping, calm).flips == 1
    assert measure_hinges(jumping, jumping).flips == 0
    assert measure_hinges(jumping).flips == 0  # fast, but on its side


def test_limits_of_steps_follow_the_rate(make):
    degrees = np.linspace(10, 130, 12)
    still = 24.0, bending(make, np.full(12, 10.0), fps=24.0)
    assert measure_hinges(bending(make, degrees, fps=still[0]), still[1]).flips == 0


def test_the_numbers_are_in_every_measure_of_quality(make):
    degrees = np.full(50, -8.0)
    quality = measure_quality(bending(make, degrees), None)
    numbers = quality.numbers()
    assert numbers["frames with a knee or elbow beyond straight"] == (100.0, "%")
    assert numbers["farthest beyond straight"][0] == pytest.approx(8)
    assert numbers["knees and elbows that turn over in a frame"] == (0.0, "times")
    assert quality.to_data()["hinges"]["worst_joint"] == "LeftLeg"


def test_a_skeleton_without_knees_and_elbows_has_no_such_numbers(make):
    motion = make.motion(20)
    hinged = {motion.skeleton.index(limb[1]) for limb in hinges.LIMBS.values()}
    names = tuple(f"bone {j}" if j in hinged else name for j, name in enumerate(motion.skeleton.names))
    kneeless = replace(motion, skeleton=Skeleton(names, motion.skeleton.parents, motion.skeleton.offsets))
    assert measure_hinges(kneeless) is None
    assert not any("knee" in name for name in measure_quality(kneeless, None).numbers())


@pytest.mark.parametrize("n", [1, 2, 3])
def test_joints_inside_bones_change_nothing(make, n):
    degrees = np.concatenate([np.linspace(60, -12, 40), np.linspace(-12, 30, 10), [-40.0, 40.0]])
    motion = bending(make, degrees)
    plain, own = measure_hinges(motion), measure_hinges(make.with_twist_joints(motion, n))
    assert own.flips > 0
    assert own.describe() == plain.describe()
    assert own.share_of_frames == plain.share_of_frames
