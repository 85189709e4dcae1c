"""Cleaning feet: what the report says of a motion that came out well, and of one that did not."""

import numpy as np
import pytest

from motionloom.assembly import clean_feet
from motionloom.features.contacts import detect_contacts
from motionloom.performer import Writer, perform


@pytest.fixture(scope="module")
def walk():
    return perform(Writer("walk").then("stand", 0.3).then("walk", 1.5).done(), np.random.default_rng(5)).motion


def parts_of(result) -> dict:
    return {part.name: part for part in result.report.parts}


def test_a_good_walk_stays_as_it_is_and_every_part_is_met(walk):
    contacts = detect_contacts(walk, 0.0)
    result = clean_feet(walk, contacts, name="walk")
    assert result.report.is_met
    assert parts_of(result)["joints stay where they were"].value < 0.3
    np.testing.assert_array_equal(result.contacts, contacts)
    assert [(source.name, frame) for source, frame, _ in result.provenance.of_frame(7)] == [("walk", 7)]


def test_feet_that_stay_below_the_floor_are_missed_with_where_they_are(walk):
    result = clean_feet(walk, np.zeros((walk.n_frames, 4), bool), 0.03)
    deep = parts_of(result)["feet stay above the floor"]
    assert not deep.met and deep.value > 5
    assert "at frame" in deep.why_not
    assert "nothing was planted" in result.report.describe()


def test_a_floor_that_legs_must_bend_far_for_is_missed(walk):
    moved = parts_of(clean_feet(walk, detect_contacts(walk, 0.22), 0.22))["joints stay where they were"]
    assert not moved.met and 3 < moved.value < 22  # centimetres
    assert "floor may be wrong" in moved.why_not
