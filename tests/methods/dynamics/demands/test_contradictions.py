"""Contradictions: pairs that must hold exactly and cannot are named; those that can are not."""

import pytest

from motionloom.errors import BadInput

HAND = {"joint": "right_hand", "at": "0.5s", "hard": True}
POSE = {"at": "0.5s", "pose": {"take": "walk/normal_1", "frame": 230}, "hard": True}
STANDING = {"at": "0.5s", "pose": {"take": "stand/weight_shifts_1", "frame": 100}, "hard": True}


def refused(desk, **asked) -> str:
    with pytest.raises(BadInput) as raised:
        desk.set_up({"length": "1s", "poses": desk.ends, **asked})
    message = str(raised.value)
    assert "\n" not in message and "contradict each other: both must hold at 0.50 s" in message
    assert message.endswith("apart; let one of them be not `hard`, or at another time")
    return message


@pytest.mark.parametrize(
    ("asked", "pair", "apart"),
    [
        (
            {"points": [{**HAND, "position": [0, 1, 2]}, {**HAND, "position": [0, 1.2, 2]}]},
            "'point 1, right_hand' and 'point 2, right_hand'",
            "20.0 cm",
        ),
        (
            {"points": [{**HAND, "position": [None, 1, None], "name": "low"}, {**HAND, "position": [0, 1.5, None]}]},
            "'low' and 'point 2, right_hand'",
            "50.0 cm",
        ),
        (
            {"orientations": [{**HAND, "turns": [0, 0, 0]}, {**HAND, "turns": [0, 90, 0]}]},
            "'orientation 1, right_hand' and 'orientation 2, right_hand'",
            "90.0 degrees",
        ),
        (
            {"distances": [{**HAND, "other": "head", "metres": d} for d in (0.3, 0.4)]},
            "'distance 1, right_hand' and 'distance 2, right_hand'",
            "10.0 cm",
        ),
        (
            {"distances": [{**HAND, "point": [0, 1, 2], "metres": d} for d in (0.3, 0.4)]},
            "'distance 1, right_hand' and 'distance 2, right_hand'",
            "10.0 cm",
        ),
        (
            {"angles": [{**HAND, "joint": "left_elbow", "bend": bend} for bend in (30, 75)]},
            "'bend 1, left_elbow' and 'bend 2, left_elbow'",
            "45.0 degrees",
        ),
        (
            {"angles": [{**HAND, "joint": "left_elbow", "turns": [0, turn, 0]} for turn in (-30, -75)]},
            "'angle 1 of left_elbow' and 'angle 2 of left_elbow'",
            "LeftForearm is turned 45.0 degrees",
        ),
        ({"poses": [POSE, STANDING]}, "'pose 1' and 'pose 2'", "is turned"),
        (
            {"poses": [{**POSE, "place": [0, 0]}, {**POSE, "place": [0, 1]}]},
            "'pose 1' and 'pose 2'",
            "their places are 100.0 cm",
        ),
        (
            {"poses": [{**POSE, "heading": 10}, {**POSE, "heading": 40}]},
            "'pose 1' and 'pose 2'",
            "their headings are 30.0 degrees",
        ),
        (
            {"poses": [{**POSE, "as_recorded": True}], "points": [{**HAND, "position": [None, 2.0, None]}]},
            "'pose 1' and 'point 1, right_hand'",
            "cm",
        ),
    ],
)
def test_pairs_that_cannot_both_hold_are_named(desk, asked, pair, apart):
    message = refused(desk, **asked)
    assert message.startswith(pair)
    assert f", {apart}" in message or apart in message


@pytest.mark.parametrize(
    "points",
    [
        [{**HAND, "position": [0, 1, None]}, {**HAND, "position": [None, None, 2]}],  # along other axes
        [{**HAND, "position": [0, 1, 2]}, {**HAND, "position": [0, 1.4, 2], "at": "0.6s"}],  # at other times
        [{**HAND, "position": [0, 1, 2]}, {**HAND, "position": [0, 1.4, 2], "hard": False}],
        [{**HAND, "offset": [0.1, 0, 0], "position": [0, 1, 2]}, {**HAND, "position": [0, 1.05, 2]}],  # other points
        [
            {**HAND, "joint": "left_heel", "position": [None, 0.1, None]},
            {**HAND, "joint": "left_foot", "position": [None, 0.2, None]},
        ],
        [{**HAND, "position": [0, 1, 2]}, {**HAND, "position": [0, 1.0005, 2]}],  # within what is exact
    ],
)
def test_what_can_both_hold_is_no_contradiction(desk, points):
    desk.set_up({"length": "1s", "poses": desk.ends, "points": points})


def test_poses_of_other_joints_do_not_contradict_each_other(desk):
    poses = [{**POSE, "joints": ["head"]}, {**STANDING, "joints": ["left_elbow"]}]
    desk.set_up({"length": "1s", "poses": poses})
