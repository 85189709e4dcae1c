"""Which markers are the mouth, the eyes and the brows, and how far they are apart."""

import numpy as np
import pytest

from motionloom.features.face_distances import FaceDistance, find_face_distances, range_of
from motionloom.features.face_words import read_name
from motionloom.performer.face.markers import NAMES, NEUTRAL

PERFORMER = [
    FaceDistance("mouth width", "left_mouth_corner", "right_mouth_corner"),
    FaceDistance("mouth height", "upper_lip", "lower_lip"),
    FaceDistance("left eye", "left_upper_lid", "left_lower_lid"),
    FaceDistance("right eye", "right_upper_lid", "right_lower_lid"),
    FaceDistance("left brow", "left_middle_brow", "left_inner_eye"),
    FaceDistance("right brow", "right_middle_brow", "right_inner_eye"),
]


@pytest.mark.parametrize(
    ("name", "part", "side", "places"),
    [
        ("Leyebrow_M", "brow", "left", {"middle"}),
        ("Reye_Up", "eye", "right", {"upper"}),
        ("Mouth_Lend", "mouth", "left", {"corner"}),
        ("Mouth_UpR1", "mouth", "right", {"upper"}),
        ("left_side_lower_lip", "mouth", "left", {"lower"}),
        ("right_nostril", "nose", "right", set()),
        ("LeftEyeBrowMiddle", "brow", "left", {"middle"}),
        ("lipCornerL", "mouth", "left", {"corner"}),
        ("Anna:LIP_UP", "mouth", None, {"upper"}),
        ("lower_lid_r", "eye", "right", {"lower"}),
        ("RLOWERLIP", None, None, set()),
        ("LFHD", None, None, set()),
        ("mouthful", None, None, set()),
    ],
)
def test_names_say_what_a_marker_is_on(name, part, side, places):
    read = read_name(name)
    assert (read.part, read.side, read.places) == (part, side, places)


def test_the_performers_face_has_all_distances():
    assert find_face_distances(NAMES, NEUTRAL / 1000) == PERFORMER


def test_they_are_the_same_wherever_the_face_is_and_in_whichever_order():
    order = np.random.default_rng(1).permutation(len(NAMES))
    turned = NEUTRAL[order] @ np.array([[0, 0, -1.0], [0, 1, 0], [1, 0, 0]]) / 1000 + (3, -2, 1)
    assert find_face_distances([NAMES[n] for n in order], turned) == PERFORMER


def test_without_middle_markers_the_nearest_to_the_middle_are_taken():
    names = ["LipUpL", "LipUpR", "LipUpFarL", "LipDownL", "LipDownR"]
    rest = np.array([[0.01, 1, 0], [-0.02, 1, 0], [0.04, 1, 0], [0.02, 0.97, 0], [0.005, 0.97, 0]])
    found = {distance.name: (distance.one, distance.other) for distance in find_face_distances(names, rest)}
    assert found == {"mouth width": ("LipUpFarL", "LipUpR"), "mouth height": ("LipUpL", "LipDownR")}


def test_a_brow_without_an_eye_is_measured_from_the_nose():
    names = ["brow_l_in", "brow_l_mid", "brow_l_out", "nose_top", "nose_tip"]
    rest = np.array([[0.01, 0.05, 0], [0.03, 0.06, 0], [0.05, 0.05, 0], [0, 0.03, 0], [0, 0, 0.02]])
    assert find_face_distances(names, rest) == [FaceDistance("left brow", "brow_l_mid", "nose_top")]


def test_names_that_tell_nothing_give_nothing():
    assert find_face_distances(["LFHD", "RFHD", "C7"], np.zeros((3, 3))) == []


def test_a_marker_that_was_never_seen_is_not_measured():
    rest = NEUTRAL / 1000
    rest[NAMES.index("left_middle_brow")] = np.nan
    found = {distance.name: distance.one for distance in find_face_distances(NAMES, rest)}
    assert found["left brow"] in ("left_inner_brow", "left_outer_brow")


def test_the_range_of_a_distance_leaves_gaps_out():
    positions = np.zeros((4, 2, 3))
    positions[:, 1, 1] = 1.0, 3.0, np.nan, 2.0
    assert range_of(positions, 0, 1) == (1.0, 3.0)
    assert range_of(positions[2:3], 0, 1) == (0.0, 0.0)
