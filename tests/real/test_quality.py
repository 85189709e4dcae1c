"""Measures of quality on real recordings: do they agree with what is known about them?"""

import csv

import numpy as np
import pytest

from motionloom import formats
from motionloom.features.contacts import detect_contacts
from motionloom.features.floor import estimate_floor
from motionloom.motion import Placement, concatenate, cut, place
from motionloom.quality import compare_joins, learn_bars, measure_quality, measure_skate

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def takes(data):
    """The takes of one set and every third of another: name -> motion and the row of the index."""
    with (data / "cmu" / "INDEX.csv").open() as file:
        rows = list(csv.DictReader(file))
    football = [row for row in rows if row["set"] == "football_like"]
    walking = [row for row in rows if row["set"] == "walking"]
    return {row["file"]: (formats.read(data / "cmu" / row["file"]).motion, row) for row in football + walking[::3]}


@pytest.fixture(scope="module")
def football(takes):
    return [motion for motion, row in takes.values() if row["set"] == "football_like"]


def test_skate_agrees_with_the_toe_speeds_of_the_index(takes):
    known, found = [], []
    for motion, row in takes.values():
        if row["set"] == "walking":
            floor = estimate_floor(motion)
            skate = measure_skate(motion, detect_contacts(motion, floor), floor)
            known.append(100 * float(row["stance_toe_speed_m_s"]))
            found.append((skate.point_cm_per_second[1] + skate.point_cm_per_second[3]) / 2)
    ratios = np.array(found) / np.array(known)
    assert len(ratios) >= 8
    assert 0.8 < np.median(ratios) < 1.3
    assert ratios.min() > 0.5 and ratios.max() < 3  # a mean over contacts beside a median over frames
    assert np.corrcoef(known, found)[0, 1] > 0.7


def test_natural_windows_of_half_a_second_are_above_the_bar_about_one_time_in_ten(football):
    natural = compare_joins([], learn_bars(football), football).acceleration_untouched
    assert natural.n_windows > 15000
    assert 0.05 < natural.share_above < 0.13
    assert 0.25 < natural.median < 0.45


def test_hard_cuts_between_takes_are_far_above_the_bar(football):
    bars = learn_bars(football)
    same = [motion for motion in football if motion.skeleton == football[0].skeleton]
    joined = []
    for first, second in zip(same, same[1:]):
        start, end = second.root_positions[second.n_frames // 2], first.root_positions[first.n_frames // 2]
        moved = place(second, Placement(0.0, (end - start)[[0, 2]]))
        motion = concatenate([cut(first, 0, first.n_frames // 2), cut(moved, second.n_frames // 2, second.n_frames)])
        joined.append((motion, [first.n_frames // 2]))
    compared = compare_joins(joined, bars)
    assert compared.acceleration_at_joins.n_windows >= 8
    assert compared.acceleration_at_joins.share_above > 0.9
    assert compared.jerk_at_joins.median > 3
    assert compared.acceleration_excess > 60


def test_everything_about_a_walk_is_plausible(data):
    motion = formats.read(data / "cmu" / "walking" / "69_06.bvh").motion
    floor = estimate_floor(motion)
    quality = measure_quality(motion, detect_contacts(motion, floor), floor, bars=learn_bars([motion]))
    assert 5 < quality.skate.cm_per_second < 15
    assert 0.4 < quality.skate.contact_seconds / (4 * quality.seconds) < 0.75  # stance is some 60 % of a step
    assert 5 < quality.skate.farthest_mm < 20
    assert 5 < quality.penetration.deepest_mm < 40
    assert quality.joins.acceleration_at_joins.n_windows == 0
