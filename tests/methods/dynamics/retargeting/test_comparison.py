"""Comparison: what yardsticks measure, and when something is worse."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.features.feet import foot_points, heel_offsets
from motionloom.methods.dynamics.retargeting.comparison import (
    Yardstick,
    bone_errors,
    compare,
    farthest_step,
    highest_acceleration,
    lost_touches,
)
from motionloom.methods.dynamics.retargeting.scaled_steps import find_steps
from motionloom.motion import rotations
from motionloom.retarget import plan_retarget


@pytest.mark.parametrize(
    ("kit", "prior", "bar", "worse"),
    [
        (5.0, 4.0, 1.0, False),
        (0.2, 0.9, 1.0, False),  # worse than the kit's, but within the bar
        (0.2, 1.1, 1.0, True),
        (5.0, 5.1, 1.0, True),
        (0.0, 0.0, 0.0, False),
        (0.0, 1.0, 0.0, True),
    ],
)
def test_worse_is_beyond_the_kit_and_beyond_the_bar(kit, prior, bar, worse):
    assert Yardstick("feet", kit, prior, "mm", bar).is_worse == worse


def test_the_same_motion_twice_is_never_worse(walk):
    motion, contacts = walk
    heels = heel_offsets(motion, 0.0)
    steps = find_steps(foot_points(motion, 0.0), contacts, 1.0)
    plan = plan_retarget(motion.skeleton, motion.skeleton)
    found = compare(
        motion, motion, motion, steps=steps, contacts=contacts, plan=plan, heels=heels, floor_height=0.0, touch=0.05
    )
    assert not any(each.is_worse for each in found)
    values = {each.name: each.prior for each in found}
    assert values["bones beside the source"] == pytest.approx(0.0, abs=1e-5)
    assert values["touches of hands lost"] == 0.0
    assert values["highest acceleration"] == pytest.approx(1.0)


def test_bones_are_beside_the_source_by_the_turn_of_one_of_ten(walk):
    motion, _ = walk
    local = motion.local_rotations.copy()
    elbow = motion.skeleton.index("left_elbow")
    axis = np.cross(motion.skeleton.bone("left_hand", "left_elbow"), [0.0, 1.0, 0.0])
    local[:, elbow] = rotations.multiply(local[:, elbow], rotations.about_axis(axis / np.linalg.norm(axis), 0.2))
    assert bone_errors(motion, replace(motion, local_rotations=local)) == pytest.approx(np.degrees(0.2) / 10, rel=1e-6)


def test_planted_points_count_only_while_they_rest():
    points = np.zeros((5, 4, 3))
    points[2:, 0, 0] = 0.5
    contacts = np.zeros((5, 4), bool)
    contacts[:2, 0] = contacts[2:, 0] = True
    assert farthest_step(points, contacts) == 0.5
    contacts[2, 0] = False
    assert farthest_step(points, contacts) == 0.0
    points[:, 1] = np.nan
    contacts[:, 1] = True
    assert farthest_step(points, contacts) == 0.0


def test_hands_that_no_longer_touch_are_lost(make):
    motion = make.demo_take("idle/waiting").motion
    plan = plan_retarget(motion.skeleton, motion.skeleton)
    assert lost_touches(motion, motion, plan, 0.3) == 0.0
    local = motion.local_rotations.copy()
    for side, turn in (("left", 1.2), ("right", -1.2)):
        shoulder = motion.skeleton.index(f"{side}_shoulder")
        local[:, shoulder] = rotations.multiply(local[:, shoulder], rotations.about_axis(np.array([0, 0, 1.0]), turn))
    assert lost_touches(motion, replace(motion, local_rotations=local), plan, 0.3) > 20.0


def test_a_jolt_is_an_acceleration(walk):
    motion, _ = walk
    root = motion.root_positions.copy()
    root[50] += [0.0, 0.02, 0.0]
    jolted = highest_acceleration(replace(motion, root_positions=root))
    assert jolted > 2 * 0.02 * motion.fps**2 / motion.skeleton.leg_length - highest_acceleration(motion)
