"""The outlines of mouth, eyes and brows."""

import numpy as np

from motionloom.features.face_outlines import find_outlines
from motionloom.performer.face.markers import NAMES, NEUTRAL

MOUTH = [
    "upper_lip", "left_side_upper_lip", "left_mouth_corner", "left_side_lower_lip", "lower_lip",
    "right_side_lower_lip", "right_mouth_corner", "right_side_upper_lip",
]  # fmt: skip
EYE = ["left_upper_lid", "left_outer_eye", "left_lower_lid", "left_inner_eye"]


def outlines(places, front=0.0):
    return [[NAMES[n] for n in outline] for outline in find_outlines(NAMES, places, front)]


def is_around(outline, ring) -> bool:
    """Whether an outline goes once around a ring, from anywhere, either way."""
    turns = [ring[n:] + ring[:n] for n in range(len(ring))]
    return outline[0] == outline[-1] and any(outline[:-1] in (turn, turn[::-1]) for turn in turns)


def test_mouth_and_eyes_are_rings_and_brows_are_lines():
    mouth, left_eye, right_eye, left_brow, right_brow = outlines(NEUTRAL / 1000)
    assert is_around(mouth, MOUTH)
    assert is_around(left_eye, EYE)
    assert is_around(right_eye, [name.replace("left", "right") for name in EYE])
    brow = ["left_inner_brow", "left_middle_brow", "left_outer_brow"]
    assert left_brow in (brow, brow[::-1])
    assert right_brow[1] == "right_middle_brow"


def test_they_are_the_same_on_a_face_that_is_turned_and_opens_its_mouth():
    turned = NEUTRAL / 1000
    turned[[NAMES.index(name) for name in MOUTH if "lower" in name], 1] -= 0.03
    turned = turned @ np.array([[0, 0, -1.0], [0, 1, 0], [1, 0, 0]]) + (0, 1.3, 0)
    mouth = outlines(turned, np.pi / 2)[0]
    assert is_around(mouth, MOUTH)


def test_a_marker_that_was_never_seen_is_passed_by():
    places = NEUTRAL / 1000
    places[NAMES.index("upper_lip")] = np.nan
    assert is_around(outlines(places)[0], MOUTH[1:])


def test_names_that_tell_nothing_have_no_outlines():
    assert find_outlines(["LFHD", "RFHD", "C7"], np.zeros((3, 3)), 0.0) == []
