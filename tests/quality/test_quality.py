"""All measures at once."""

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.feet import foot_points
from motionloom.features.joint_limits import learn_limits
from motionloom.quality import (
    compare_text,
    compare_within,
    learn_bars,
    measure_hinges,
    measure_joins,
    measure_limits,
    measure_penetration,
    measure_quality,
    measure_skate,
)


@pytest.fixture(scope="module")
def corpus(make):
    return [make.motion(200, seed=seed) for seed in range(3)]


def test_the_summary_holds_what_each_measure_finds(make, corpus):
    motion, contacts = make.motion(120, seed=7), np.random.default_rng(0).random((120, 4)) < 0.5
    bars = learn_bars(corpus)
    limits = learn_limits(motion.skeleton, np.concatenate([take.local_rotations for take in corpus]))
    quality = measure_quality(motion, contacts, 0.02, joins=[40, 80], bars=bars, limits=limits)
    assert quality.skate == measure_skate(motion, contacts, 0.02)
    assert quality.penetration == measure_penetration(motion, 0.02)
    assert quality.joins == compare_within(motion, [40, 80], bars)
    peaks = measure_joins(motion, [40, 80], bars)
    assert quality.hardest_join == max(peaks, key=lambda peak: peak.acceleration)
    assert quality.limits == measure_limits(motion, limits)
    assert (quality.n_frames, quality.seconds) == (120, 2.0)


def test_what_was_not_asked_for_is_not_described(make, footless):
    quality = measure_quality(make.motion(30), None)
    assert quality.skate is quality.joins is quality.hardest_join is quality.limits is None
    assert quality.penetration is not None
    without_feet = measure_quality(footless, None)
    assert without_feet.penetration is None
    assert without_feet.hinges == measure_hinges(footless)
    assert len(without_feet.numbers()) == 3  # those of elbows, which need no reference


def test_data_goes_through_json_unchanged(make, corpus):
    motion, contacts = make.motion(90, seed=5), np.ones((90, 4), bool)
    limits = learn_limits(motion.skeleton, corpus[0].local_rotations)
    quality = measure_quality(motion, contacts, joins=[30], bars=learn_bars(corpus), limits=limits)
    data = quality.to_data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["skate"]["cm_per_second"] == quality.skate.cm_per_second
    assert data["skate"]["farthest"]["point"] == quality.skate.farthest.point
    assert data["joins"]["jerk_at_joins"]["n_windows"] == 1
    nothing = measure_quality(motion, None).to_data()
    assert nothing["skate"] is None and json.loads(json.dumps(nothing, allow_nan=False)) == nothing


def test_before_and_after_stand_side_by_side(make_standing):
    times = np.arange(61)[:, None] / 60
    sliding, still = make_standing(times * [0.03, 0, 0]), make_standing(times * 0.0)
    contacts = np.ones((61, 4), bool)
    text = compare_text(measure_quality(sliding, contacts), measure_quality(still, contacts))
    lines = text.splitlines()
    assert lines[0].split() == ["before", "after", "unit"]
    assert next(line for line in lines if line.startswith("foot skate")).split()[2:] == [
        "3.00", "0.00", "cm", "per", "contact", "second",
    ]  # fmt: skip
    assert len({line.index(line.split("  ")[-1]) for line in lines}) == 1  # units below each other


def test_a_number_that_only_one_has_is_a_dash_in_the_other(make):
    motion = make.motion(30)
    text = compare_text(measure_quality(motion, None), measure_quality(motion, np.ones((30, 4), bool)))
    assert next(line for line in text.splitlines() if line.startswith("foot skate")).split()[2] == "-"


def test_heels_of_an_edited_motion_are_those_of_its_source(make_standing):
    source = make_standing(np.zeros((60, 3)))
    raised = make_standing(np.full((60, 3), [0, 0.015, 0]))
    lowered = make_standing(np.full((60, 3), [0, -0.015, 0]))
    assert measure_quality(raised, None, source=source).penetration.deepest_mm == pytest.approx(0.0, abs=1e-6)
    heel_height = foot_points(source, 0.0)[0, 0, 1]
    deepest = measure_quality(lowered, None, source=source).penetration.deepest_mm
    assert deepest == pytest.approx(1000 * max(0.015 - heel_height, 0.005))


def test_single_precision_measures_the_same(make):
    motion, contacts = make.motion(60), np.ones((60, 4), bool)
    rounded = replace(
        motion,
        root_positions=motion.root_positions.astype(np.float32),
        local_rotations=motion.local_rotations.astype(np.float32),
    )
    double, single = measure_quality(motion, contacts).numbers(), measure_quality(rounded, contacts).numbers()
    for name, (value, _) in double.items():
        assert single[name][0] == pytest.approx(value, rel=1e-4, abs=1e-3)


def test_a_motion_of_one_frame_can_be_measured(make, corpus):
    quality = measure_quality(make.motion(1), np.ones((1, 4), bool), joins=[0], bars=learn_bars(corpus))
    assert quality.skate.contact_seconds == 0
    assert quality.joins.acceleration_at_joins.highest == 0
    assert json.dumps(quality.to_data(), allow_nan=False)


def test_a_body_without_feet_has_no_skate_and_contacts_of_feet_it_has_not_are_refused(footless):
    quality = measure_quality(footless, np.zeros((10, 4), bool))
    assert quality.skate is None and quality.penetration is None
    with pytest.raises(BadInput, match="contacts of left_heel are given, but the skeleton has no joint"):
        measure_quality(footless, np.ones((10, 4), bool))
    with pytest.raises(BadInput, match=r"contacts have shape \(9, 4\)"):
        measure_quality(footless, np.zeros((9, 4), bool))


def test_joins_without_bars_are_refused(make):
    with pytest.raises(BadInput, match="joins are given without bars"):
        measure_quality(make.motion(20), None, joins=[5])


def test_bad_input_is_refused_in_one_sentence(make, with_nan):
    motion = make.motion(20)
    with pytest.raises(BadInput, match="frame 6 of the motion has values"):
        measure_quality(with_nan(motion, 6), None)
    with pytest.raises(BadInput, match="floor height must be finite, got nan"):
        measure_quality(motion, None, np.nan)
    with pytest.raises(SkeletonMismatch, match="heel offsets need one skeleton"):
        measure_quality(motion, None, source=replace(motion, skeleton=make.skeleton(seed=2)))
