"""Retargeting of real recordings: feet, hands and directions on other bodies."""

import numpy as np
import pytest
from benchmarks.retarget.measures import direction_errors, touches
from benchmarks.retarget.rigs import RIGS

from motionloom import formats
from motionloom.features.feet import foot_points
from motionloom.features.supported_contacts import detect_footing, find_floor
from motionloom.motion import kinematics
from motionloom.quality import measure_hinges, measure_skate
from motionloom.retarget import RetargetSettings, retarget_motion

pytestmark = pytest.mark.real
LOOSE = RetargetSettings(plant=False)
TAKES = ("walking/69_12", "martial_arts/144_08", "everyday/143_17")  # a walk, kicks, stairs


@pytest.mark.parametrize("take", TAKES)
def test_recordings_stand_touch_and_point_as_they_did_on_every_rig(data, take):
    source = formats.read(data / "cmu" / f"{take}.bvh").motion
    floor = find_floor(source)
    contacts, footing = detect_footing(source, floor)
    near = touches(source, 0.05)
    for build in RIGS.values():
        target = build()
        given = {"floor_height": floor, "contacts": contacts, "footing": footing}
        loose = retarget_motion(source, target, **given, settings=LOOSE).motion
        result = retarget_motion(source, target, **given).motion
        points = foot_points(result, floor, like=loose)
        assert measure_skate(result, contacts, floor, points=points).farthest_mm < 1.0
        assert np.mean(list(direction_errors(source, result, contacts, near.any(axis=2)).values())) < 4.0
        hinges = measure_hinges(result, loose)
        assert hinges is not None
        assert hinges.flips == 0
        if near.any():
            ratio = target.leg_length / source.skeleton.leg_length
            assert touches(result, 0.05 * ratio)[near].mean() > 0.95


def test_a_giant_stands_on_heels_and_balls_as_an_adult_does(data):
    source = formats.read(data / "cmu" / "boxing/13_17.bvh").motion
    floor = find_floor(source)
    contacts, footing = detect_footing(source, floor)
    given = {"floor_height": floor, "contacts": contacts, "footing": footing}
    target = RIGS["a_pose"]()
    adult, giant = (retarget_motion(source, target.scaled(size), **given).motion for size in (1.0, 2.0))
    heights = [kinematics.world_positions(motion)[..., 1] - floor for motion in (adult, giant)]
    assert np.abs(heights[1] - 2.0 * heights[0]).max() < 0.01


def test_an_asf_skeleton_takes_a_bvh_recording_and_gives_it_back(data):
    source = formats.read(data / "cmu" / "walking/69_12.bvh").motion
    target = formats.read_skeleton(data / "cmu" / "asf_amc" / "01.asf").motion.skeleton
    bare = RetargetSettings(plant=False, keep_touches=False)
    there = retarget_motion(source, target, settings=bare).motion
    back = retarget_motion(there, source.skeleton, settings=bare).motion
    assert np.abs(kinematics.world_positions(back) - kinematics.world_positions(source)).max() < 1e-3


def test_an_asf_alone_has_the_skeleton_that_its_motion_has(data):
    alone = formats.read_skeleton(data / "cmu" / "asf_amc" / "01.asf").motion.skeleton
    with_motion = formats.read(data / "cmu" / "asf_amc" / "01_01.amc").motion.skeleton
    assert alone.names == with_motion.names
    np.testing.assert_allclose(alone.offsets, with_motion.offsets, atol=1e-9)
