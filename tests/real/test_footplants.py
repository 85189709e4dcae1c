"""Footplants on real recordings: a walk, a turn, a run, a jump, sitting down and picking up."""

import numpy as np
import pytest

from motionloom import formats
from motionloom.constraints import plant_feet
from motionloom.features.contacts import detect_contacts
from motionloom.features.feet import foot_points
from motionloom.features.floor import estimate_floor
from motionloom.motion import concatenate, cut, kinematics, rotations
from motionloom.quality import measure_penetration, measure_skate

pytestmark = pytest.mark.real

TAKES = [
    "walking/69_01",
    "walking/69_16",
    "walking/69_51",
    "football_like/143_01",
    "football_like/127_22",
    "everyday/13_11",
    "everyday/143_18",
    "everyday/69_70",
    "everyday/56_01",
]


@pytest.mark.parametrize("name", TAKES)
def test_feet_of_recordings_stay_where_they_stand(data, name):
    motion = formats.read(data / "cmu" / f"{name}.bvh").motion
    floor = estimate_floor(motion)
    contacts = detect_contacts(motion, floor)
    planted = plant_feet(motion, contacts, floor)
    points = foot_points(planted.motion, floor, like=motion)
    assert measure_skate(motion, contacts, floor).farthest_mm > 3
    assert measure_skate(planted.motion, contacts, floor, points=points).farthest_mm < 0.5
    assert measure_penetration(planted.motion, floor, points=points).deepest_mm < 1
    assert planted.report.mean_change_mm < 20
    assert planted.report.missed == ()


@pytest.mark.parametrize("name", ["walking/69_01", "football_like/143_01"])
def test_knees_do_not_pop(data, name):
    """Knees accelerate no harder than half as much again as those of the source do somewhere in the take."""
    motion = formats.read(data / "cmu" / f"{name}.bvh").motion
    floor = estimate_floor(motion)
    planted = plant_feet(motion, detect_contacts(motion, floor), floor).motion
    knees = [motion.skeleton.index(f"{side}_knee") for side in ("left", "right")]
    before, after = (
        np.linalg.norm(np.diff(kinematics.world_positions(m)[:, knees], 2, axis=0), axis=-1) * m.fps**2
        for m in (motion, planted)
    )
    assert np.percentile(after, 99.5) < 1.5 * np.percentile(before, 99.5)
    assert after.max() < 1.5 * before.max()


@pytest.mark.parametrize("name", ["football_like/143_07", "everyday/56_08", "everyday/56_02"])
def test_feet_turn_no_farther_than_plants_ask(data, name):
    motion = formats.read(data / "cmu" / f"{name}.bvh").motion
    floor = estimate_floor(motion)
    planted = plant_feet(motion, detect_contacts(motion, floor), floor).motion
    feet = [motion.skeleton.index(f"{side}_foot") for side in ("left", "right")]
    before, after = (kinematics.world(m)[1][:, feet] for m in (motion, planted))
    turns = np.linalg.norm(rotations.log(rotations.multiply(rotations.inverse(before), after)), axis=-1)
    assert np.degrees(turns.max()) < 32


def test_feet_are_planted_across_a_hard_cut(data):
    walk = formats.read(data / "cmu" / "walking" / "69_01.bvh").motion
    motion = concatenate([cut(walk, 0, 118), cut(walk, 110, 235)])  # eight frames are played twice, feet down
    floor = estimate_floor(walk)
    contacts = detect_contacts(walk, floor)
    contacts = np.concatenate([contacts[:118], contacts[110:]])
    planted = plant_feet(motion, contacts, floor)
    points = foot_points(planted.motion, floor, like=motion)
    assert measure_skate(planted.motion, contacts, floor, points=points).farthest_mm < 0.5
