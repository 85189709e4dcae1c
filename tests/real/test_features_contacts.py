"""Contacts and facing of real recordings."""

import csv

import numpy as np
import pytest

from motionloom import formats
from motionloom.features.contacts import detect_contacts, find_runs
from motionloom.features.facing import find_facing
from motionloom.features.floor import estimate_floor
from motionloom.features.steps import feet_down, find_strikes
from motionloom.motion import kinematics

pytestmark = pytest.mark.real

WALKING = ("walk", "turn_left", "turn_right")


@pytest.fixture(scope="module")
def walks(data):
    """Contacts of the walking set by name, and (F,) where people walk or turn."""
    with (data / "cmu" / "labels.csv").open() as file:
        labels = [row for row in csv.DictReader(file) if row["take"].startswith("walking/")]
    found = {}
    for path in sorted((data / "cmu" / "walking").glob("*.bvh")):
        motion = formats.read(path).motion
        walking = np.zeros(motion.n_frames, bool)
        for row in labels:
            if row["take"] == f"walking/{path.stem}" and row["label"] in WALKING:
                walking[int(row["start"]) : int(row["stop"])] = True
        found[path.stem] = detect_contacts(motion, estimate_floor(motion)), walking
    return found


def test_where_people_walk_or_turn_their_feet_come_down_in_turn(walks):
    good = pairs = 0
    for contacts, walking in walks.values():
        strikes = find_strikes(contacts)
        for start, stop in find_runs(walking):
            inside = strikes[(strikes[:, 0] >= start) & (strikes[:, 0] < stop)]
            steps = np.diff(inside, axis=0)
            pairs += len(steps)
            good += ((steps[:, 1] != 0) & (steps[:, 0] >= 15) & (steps[:, 0] <= 57)).sum()  # 0.25 to 0.95 s
    assert pairs > 650
    assert good / pairs >= 0.984


def test_double_support_is_what_gait_studies_report(walks):
    both = np.concatenate([feet_down(contacts).all(axis=1)[walking] for contacts, walking in walks.values()])
    assert 0.20 < both.mean() < 0.32  # 0.25 straight on, more in turns


def test_somebody_stands_on_something_whenever_people_walk(walks):
    some = np.concatenate([feet_down(contacts).any(axis=1)[walking] for contacts, walking in walks.values()])
    assert some.mean() > 0.99


@pytest.mark.parametrize("take", ["breakdance/85_05", "breakdance/85_10", "breakdance/85_14", "walking/69_12"])
def test_headings_do_not_jump_even_upside_down(data, take):
    motion = formats.read(data / "cmu" / f"{take}.bvh").motion
    headings, _ = find_facing(motion.skeleton, kinematics.world_positions(motion))
    assert np.abs(np.diff(headings)).max() < np.radians(20)


def test_a_headspin_turns_more_than_twice(data):
    motion = formats.read(data / "cmu" / "breakdance" / "85_10.bvh").motion
    headings, _ = find_facing(motion.skeleton, kinematics.world_positions(motion))
    assert np.ptp(headings) > 4 * np.pi


@pytest.mark.parametrize("take", ["walking/69_13", "walking/69_11"])
def test_labels_of_turning_agree_in_sign_with_the_heading(data, take):
    motion = formats.read(data / "cmu" / f"{take}.bvh").motion
    headings, _ = find_facing(motion.skeleton, kinematics.world_positions(motion))
    with (data / "cmu" / "labels.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["take"] == take and row["label"].startswith("turn_")]
    assert rows
    for row in rows:
        turned = headings[int(row["stop"]) - 1] - headings[int(row["start"])]
        assert np.sign(turned) == (1 if row["label"] == "turn_left" else -1)
