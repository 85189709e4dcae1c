"""Contacts and facing of real recordings."""

import csv

import numpy as np
import pytest

from motionloom import formats
from motionloom.features.contacts import detect_contacts, find_runs
from motionloom.features.facing import find_facing
from motionloom.features.floor import estimate_floor
from motionloom.features.foot_strikes import feet_down, find_strikes
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


def pairs_of_strikes(walks):
    """Contacts of a take, and frame and side of two strikes that follow each other where people walk or turn."""
    for contacts, walking in walks.values():
        strikes = find_strikes(contacts)
        for start, stop in find_runs(walking):
            inside = strikes[(strikes[:, 0] >= start) & (strikes[:, 0] < stop)]
            for first, second in zip(inside, inside[1:]):
                yield contacts, first, second


def is_step(first, second):
    return first[1] != second[1] and 15 <= second[0] - first[0] <= 57  # 0.25 to 0.95 s


def test_where_people_walk_or_turn_their_feet_come_down_in_turn(walks):
    good = [is_step(first, second) for _, first, second in pairs_of_strikes(walks)]
    assert len(good) > 700
    assert np.mean(good) >= 0.985


def test_double_support_is_what_gait_studies_report(walks):
    steps = [
        feet_down(contacts)[first[0] : second[0]].all(axis=1).mean()
        for contacts, first, second in pairs_of_strikes(walks)
        if is_step(first, second)
    ]
    assert 0.20 < np.median(steps) < 0.25
    assert 0.20 < np.mean(steps) < 0.28  # turns on the spot take longer


def test_heels_and_balls_rest_for_about_as_long_as_people_stand(walks):
    for point, (least, most) in enumerate(((0.35, 0.65), (0.4, 0.7)) * 2):  # heel, ball; left, right
        share = np.concatenate([contacts[:, point][walking] for contacts, walking in walks.values()]).mean()
        assert least < share < most, share


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
