"""The root, pictures and resting points, met exactly where they are asked for in that way."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.features.facing import find_facing
from motionloom.motion.angles import wrap_angles

MILLIMETRE, TENTH = 1e-3, 0.1
WHEN = {
    "one frame": {"at": "0.5s"},
    "several": {"at": ["0.3s", "0.7s"]},
    "a range": {"from": "0.4s", "to": "0.6s"},
    "the first": {"at": "0s"},
    "the last": {"at": "end"},
}
FRAMES = {
    "one frame": [30],
    "several": [18, 42],
    "a range": list(range(24, 37)),
    "the first": [0],
    "the last": [59],
}
SIDE = {"side": {"position": (4.0, 1.2, 2.0), "look_at": (0.0, 1.2, 2.0)}}
EDIT = {"start_from": "walk/normal_1", "length": "1s", "poses": []}
MAKES = {"a new motion": {}, "an edit": EDIT}


@pytest.fixture(params=WHEN)
def when(request):
    """How a time is given, and the frames that it means."""
    return {**WHEN[request.param], "hard": True}, FRAMES[request.param]


@pytest.fixture(params=MAKES)
def asked(request, desk):
    return {"length": "1s", "poses": desk.ends, **MAKES[request.param]}


def make(desk, **asked):
    done = desk.make(asked)
    assert all(part.met for part in done.parts.values() if part.tolerance in (MILLIMETRE, TENTH)), done.missed
    return done


def headings(done):
    return np.degrees(find_facing(done.motion.skeleton, done.finished.positions)[0])


def rays(done, joint, pixel):
    """(F,) metres of a joint from the line that the camera at the side sees at a pixel."""
    forward, up = np.array([-1.0, 0, 0]), np.array([0, 1.0, 0])
    right = np.cross(forward, up)
    focal = 540 / np.tan(np.radians(22.5))
    along = forward + right * (pixel[0] - 960) / focal - up * (pixel[1] - 540) / focal
    along /= np.linalg.norm(along)
    away = done.at(joint) - [4.0, 1.2, 2.0]
    assert (away @ forward > 0).all()
    return np.linalg.norm(away - (away @ along)[:, None] * along, axis=1)


def test_the_root_is_where_it_must_be_as_high_and_turned(desk, asked, when):
    time, frames = when
    start = desk.make({**asked}).motion.root_positions[frames].mean(axis=0)
    place = (start[[0, 2]] + [0.04, -0.05]).tolist()
    done = make(desk, **asked, root=[{"position": place, "heading": 12, "height": start[1] - 0.04, **time}])
    assert np.abs(done.motion.root_positions[frames][:, [0, 2]] - place).max() < MILLIMETRE
    assert np.abs(done.motion.root_positions[frames, 1] - start[1] + 0.04).max() < MILLIMETRE
    assert np.abs(headings(done)[frames] - 12).max() < TENTH
    assert [part.tolerance for name, part in done.parts.items() if name.startswith("root 1")] == [1e-3, 0.1, 1e-3]


@pytest.mark.parametrize("heading", [179.5, -179.5, 540])
def test_headings_near_half_a_turn_are_met(desk, heading):
    asked = {"length": "1s", "root": [{"at": "0.5s", "position": (0, 0), "heading": heading, "hard": True}]}
    done = make(desk, **asked)
    assert abs(np.degrees(wrap_angles(np.radians(headings(done)[30] - heading)))) < TENTH


def test_the_root_follows_a_path_and_a_recording(desk):
    path = np.array([(-0.06, 1.6), (0.05, 2.1), (-0.05, 2.4)])
    done = make(
        desk, length="1s", poses=desk.ends, root=[{"from": "0.2s", "to": "0.8s", "path": path.tolist(), "hard": True}]
    )
    np.testing.assert_allclose(done.motion.root_positions[[12, 30, 48]][:, [0, 2]], path, atol=MILLIMETRE)
    like = {"take": "walk/normal_1", "frame": 212}
    done = make(desk, length="1s", poses=desk.ends, root=[{"from": "0.2s", "to": "0.8s", "like": like, "hard": True}])
    recorded = desk.model({}).view.motion("walk/normal_1").root_positions[212:249]
    assert np.abs(done.motion.root_positions[12:49] - recorded).max() < MILLIMETRE


def test_one_axis_and_another_of_the_root_are_both_met(desk):
    time = {"at": "0.5s", "hard": True}
    points = [
        {"joint": "hips", "position": (None, 0.85, None), **time},
        {"joint": "hips", "position": (0.05, None, None), **time},
    ]
    done = make(desk, length="1s", poses=desk.ends, points=points, root=[{"at": "0.5s", "heading": 8, "hard": True}])
    assert np.abs(done.motion.root_positions[30, :2] - [0.05, 0.85]).max() < MILLIMETRE


@pytest.mark.parametrize("joint", ["right_hand", "head", "hips", "left_foot"])
def test_a_camera_sees_points_where_it_must(desk, asked, when, joint):
    time, frames = when
    usual = desk.make({**asked}).at(joint)[frames].mean(axis=0)
    focal = 540 / np.tan(np.radians(22.5))
    depth = 4.0 - usual[0]
    lower = -20 if joint == "left_foot" else 20  # feet on the floor get no lower, heads above straight legs no higher
    pixel = (960 - focal * (usual[2] - 2.0) / depth + 15, 540 - focal * (usual[1] - 1.2) / depth + lower)
    seen = {"joint": joint, "camera": "side", "pixel": pixel, **time}
    done = make(desk, **asked, cameras=SIDE, projections=[seen])
    assert rays(done, joint, pixel)[frames].max() < MILLIMETRE
    (part,) = [part for name, part in done.parts.items() if name.startswith("projection 1")]
    assert (part.tolerance, part.unit, part.met) == (MILLIMETRE, "m", True)


def test_what_no_camera_can_see_of_a_body_is_told_with_its_distance(desk):
    seen = {"joint": "right_hand", "camera": "side", "pixel": (960, -3000), "at": "0.5s", "hard": True}
    done = desk.make({**EDIT, "cameras": SIDE, "projections": [seen]})
    part = done.parts["projection 1, right_hand: off by"]
    assert not part.met and abs(part.value - rays(done, "right_hand", (960, -3000))[30]) < 1e-5
    assert "out of reach" in part.why_not


@pytest.mark.parametrize("joint", ["right_foot", "right_heel", "right_ball"])
@pytest.mark.parametrize("height", [0.0, 0.15])
def test_feet_rest_exactly_at_places_and_heights(desk, joint, height):
    usual = desk.make({"length": "1s", "poses": desk.ends}).at("right_foot")[12:30].mean(axis=0)
    place = (usual[[0, 2]] + [-0.04, 0.05]).tolist()
    contact = {"joint": joint, "from": "0.2s", "to": "0.5s", "place": place, "height": height, "hard": True}
    done = make(desk, length="1s", poses=desk.ends, contacts=[contact])
    resting = [part for name, part in done.parts.items() if name.startswith("contact 1") and "place" in name]
    assert np.abs(done.at("right_foot")[12:30, [0, 2]] - place).max() < MILLIMETRE or joint != "right_foot"
    assert resting and all(part.tolerance == MILLIMETRE and part.met for part in resting), done.missed


def test_a_hand_rests_exactly_where_it_must(desk):
    contact = {"joint": "right_hand", "from": "0.3s", "to": "0.6s", "place": [-0.3, 2.4], "height": 1.0, "hard": True}
    done = make(desk, length="1s", poses=desk.ends, contacts=[contact])
    assert np.linalg.norm(done.at("right_hand")[18:36] - [-0.3, 1.0, 2.4], axis=1).max() < MILLIMETRE


@pytest.mark.parametrize("list_of", ["root", "projections", "contacts"])
def test_weighted_and_hard_kinds_have_their_tolerances(desk, list_of):
    asked = {
        "root": {"at": "0.5s", "height": 0.9},
        "projections": {"joint": "head", "camera": "side", "pixel": (960, 400), "at": "0.5s"},
        "contacts": {"joint": "right_hand", "from": "0.3s", "to": "0.6s", "height": 1.0},
    }[list_of]
    base = {"length": "1s", "poses": desk.ends, "cameras": SIDE}
    soft, loose, hard = (
        desk.set_up({**base, list_of: [{**asked, **extra}]}).demands.parts[-1]
        for extra in ({}, {"within": 50 if list_of == "projections" else 0.5}, {"hard": True})
    )
    assert loose.tolerance > soft.tolerance and hard.tolerance == MILLIMETRE
    assert hard.is_hard and not soft.is_hard


POSE = {"at": "0.5s", "pose": {"take": "walk/normal_1", "frame": 230}, "hard": True}
NOW = {"at": "0.5s", "hard": True}
RESTS = {"joint": "right_hand", "from": "0.3s", "to": "0.6s", "hard": True}


@pytest.mark.parametrize(
    ("asked", "pair", "apart"),
    [
        (
            {"root": [{**NOW, "position": (0, 2)}, {**NOW, "position": (0.3, 2)}]},
            "'root 1: place' and 'root 2: place'",
            "30.0 cm",
        ),
        (
            {"root": [{**NOW, "heading": 170}, {**NOW, "heading": -170}]},
            "'root 1: heading' and 'root 2: heading'",
            "20.0 degrees",
        ),
        (
            {"root": [{**NOW, "height": 0.8}, {"from": "0.4s", "to": "0.5s", "hard": True, "height": 0.9}]},
            "'root 1: height' and 'root 2: height'",
            "10.0 cm",
        ),
        (
            {"root": [{**NOW, "height": 0.8}], "points": [{**NOW, "joint": "hips", "position": (None, 0.9, None)}]},
            "'point 1, hips' and 'root 1: height'",
            "10.0 cm",
        ),
        (
            {"poses": [{**POSE, "place": (0, 2)}], "root": [{**NOW, "position": (0, 2.5)}]},
            "'pose 1: place' and 'root 1: place'",
            "50.0 cm",
        ),
        (
            {"poses": [{**POSE, "heading": 10}], "root": [{**NOW, "heading": 30}]},
            "'pose 1: heading' and 'root 1: heading'",
            "20.0 degrees",
        ),
        ({"poses": [POSE], "root": [{**NOW, "height": 0.5}]}, "'pose 1' and 'root 1: height'", "cm"),
        (
            {"projections": [{**NOW, "joint": "head", "camera": "side", "pixel": (x, 400)} for x in (900, 1000)]},
            "'projection 1, head' and 'projection 2, head'",
            "100.0 pixels",
        ),
        (
            {
                "points": [{**NOW, "joint": "head", "position": (0, 1.5, 2)}],
                "projections": [{**NOW, "joint": "head", "camera": "side", "pixel": (960, 540)}],
            },
            "'point 1, head' and 'projection 1, head'",
            "30.0 cm",
        ),
        (
            {
                "points": [{**NOW, "joint": "right_hand", "position": (0, 1.5, 2)}],
                "distances": [{**NOW, "joint": "right_hand", "point": (0, 1, 2), "metres": 0.2}],
            },
            "'point 1, right_hand' and 'distance 1, right_hand'",
            "30.0 cm",
        ),
        (
            {"contacts": [{**RESTS, "height": 1.0}, {**RESTS, "height": 1.2}]},
            "'contact 1, right_hand rests from 0.30 s: place' and 'contact 2, right_hand rests from 0.30 s: place'",
            "20.0 cm",
        ),
        (
            {
                "points": [{**NOW, "joint": "right_hand", "position": (None, 1.5, None)}],
                "contacts": [{**RESTS, "height": 1.0}],
            },
            "'point 1, right_hand' and 'contact 1, right_hand rests from 0.30 s: place'",
            "50.0 cm",
        ),
    ],
)
def test_pairs_that_cannot_both_hold_are_named(desk, asked, pair, apart):
    with pytest.raises(BadInput) as raised:
        desk.set_up({"length": "1s", "poses": desk.ends, "cameras": SIDE, **asked})
    message = str(raised.value)
    assert message.startswith(f"{pair} contradict each other: both must hold at 0."), message
    assert f"{apart} apart; let one of them be not `hard`, or at another time" in message


def test_what_can_both_hold_is_no_contradiction(desk):
    head = {**NOW, "joint": "head"}
    desk.set_up(
        {
            "length": "1s",
            "poses": desk.ends,
            "cameras": SIDE,
            "root": [{**NOW, "position": (0, 2)}, {**NOW, "height": 0.9}, {**NOW, "heading": 350}],
            "points": [{**NOW, "joint": "hips", "position": (0, None, 2)}, {**head, "position": (0, 1.2, 2)}],
            "projections": [{**head, "camera": "side", "pixel": (960, 540)}],
            "distances": [{**head, "point": (0, 1.0, 2), "metres": 0.2}],
        }
    )
    desk.set_up({"length": "1s", "poses": desk.ends, "root": [{**NOW, "heading": h} for h in (-10, 350)]})
