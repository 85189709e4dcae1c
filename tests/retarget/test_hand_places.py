"""Hands that touch each other, the head or the hips still do on another body; or keep their place above the floor."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.measures import touches
from benchmarks.retarget.rigs import RIGS
from tests.retarget.bodies import BARE, LOOSE, SIDES, at

from motionloom.motion import Motion, kinematics, rotations, two_bone_ik
from motionloom.quality import measure_hinges
from motionloom.retarget import RetargetSettings, plan_retarget, retarget_motion
from motionloom.retarget.hand_places import touching_hands

N = 120
TOUCHING = slice(50, 70)


def reaching(make, places) -> Motion:
    """A standing body whose hands go to places, (2, 3) metres, in the middle of 2 s and come back; arms else hang."""
    skeleton = make.skeleton()
    turns = np.zeros((N, skeleton.n_joints, 3))
    for side, sign in zip(SIDES, (-1.0, 1.0)):
        turns[:, skeleton.index(f"{side}_shoulder"), 2] = sign * 1.2
        turns[:, skeleton.index(f"{side}_elbow"), 1] = sign * 0.4
    motion = Motion(skeleton, np.tile([0.0, 0.94, 0.0], (N, 1)), rotations.exp(turns), 60.0)
    way = np.interp(np.arange(N), [10, 50, 69, 109], [0.0, 1.0, 1.0, 0.0])
    way = (way * way * (3 - 2 * way))[:, None]
    local = motion.local_rotations
    for side, place in zip(SIDES, places):
        own = at(motion, f"{side}_hand")
        local, _ = two_bone_ik.reach(
            skeleton, motion.root_positions, local, f"{side}_arm", own + way * (np.asarray(place) - own)
        )
    return replace(motion, local_rotations=local)


PLACES = {
    "each other": ([0.02, 1.25, 0.3], [-0.02, 1.25, 0.3]),
    "the head": ([0.13, 1.6, 0.06], [-0.13, 1.6, 0.06]),
    "the hips": ([0.19, 0.93, 0.06], [-0.19, 0.93, 0.06]),
}


@pytest.mark.parametrize("rig", RIGS)
@pytest.mark.parametrize("what", PLACES)
def test_hands_that_touch_still_do(make, what, rig):
    source, target = reaching(make, PLACES[what]), RIGS[rig]()
    kind = list(PLACES).index(what)
    near = touches(source, 0.05)[..., kind]
    assert near[TOUCHING].any()
    carried = retarget_motion(source, target, settings=LOOSE).motion
    ratio = target.leg_length / source.skeleton.leg_length
    kept = touches(carried, 0.05 * ratio)[..., kind]
    assert kept[near].mean() > 0.95


@pytest.mark.parametrize("what", PLACES)
def test_hands_go_there_and_back_smoothly_and_elbows_stay_on_their_side(make, what):
    source, target = reaching(make, PLACES[what]), RIGS["child"]()
    plain, touching = (retarget_motion(source, target, settings=settings).motion for settings in (BARE, LOOSE))
    jerks = [
        np.abs(np.diff(kinematics.world_positions(motion), 2, axis=0)).max() * motion.fps**2
        for motion in (plain, touching)
    ]
    assert jerks[1] < 1.2 * jerks[0] + 6.0  # metres per second squared
    hinges = measure_hinges(touching, plain)
    assert hinges is not None
    assert hinges.flips == 0


def test_hands_far_from_everything_are_left_alone(make):
    source = reaching(make, ([0.5, 1.4, 0.3], [-0.5, 1.4, 0.3]))
    plain, kept = (retarget_motion(source, RIGS["a_pose"](), settings=each).motion for each in (BARE, LOOSE))
    assert np.array_equal(plain.local_rotations[TOUCHING], kept.local_rotations[TOUCHING])


def test_a_hand_touches_only_what_is_nearer_than_a_touch(make):
    source, target = reaching(make, ([0.26, 0.93, 0.06], [-0.5, 1.4, 0.3])), RIGS["child"]()
    neutral = plan_retarget(source.skeleton, source.skeleton).neutral
    nearest = min(each for each in np.arange(0.01, 0.2, 0.001) if touching_hands(source, neutral, each).any())
    plain = retarget_motion(source, target, settings=BARE).motion
    passed, touched = (
        retarget_motion(source, target, settings=RetargetSettings(plant=False, touch=touch)).motion
        for touch in (nearest - 0.002, nearest + 0.002)
    )
    np.testing.assert_array_equal(passed.local_rotations, plain.local_rotations)
    assert rotations.angle_between(touched.local_rotations, plain.local_rotations).max() > np.radians(2)


def test_hands_keep_their_height_above_the_floor_or_their_place_in_the_world(make):
    source, target = reaching(make, ([0.3, 1.0, 0.3], [-0.3, 1.0, 0.3])), RIGS["a_pose"]()
    ratio = target.leg_length / source.skeleton.leg_length
    for hands, axes in (("floor", [1]), ("world", [0, 1, 2])):
        settings = RetargetSettings(hands=hands, plant=False, keep_touches=False)
        carried = retarget_motion(source, target, settings=settings).motion
        for side in SIDES:
            wanted, found = ratio * at(source, f"{side}_hand"), at(carried, f"{side}_hand")
            np.testing.assert_allclose(found[TOUCHING][:, axes], wanted[TOUCHING][:, axes], atol=1e-6)
