"""Contacts: feet, hands and other joints rest, anywhere or at places of any height."""

import numpy as np
import pytest

from motionloom.motion import kinematics, rotations

STILL = 1e-3


@pytest.fixture(scope="module")
def usual(desk):
    """Where the right ankle rests by itself: in frames 12 to 30."""
    return desk.make({"length": "1s", "poses": desk.ends}).at("right_foot")[12:30].mean(axis=0)


def make(desk, contact, **asked):
    """The motion with one contact; all of it that rests is met."""
    done = desk.make({"length": "1s", "poses": desk.ends, "contacts": [contact], **asked})
    resting = [part for part in done.parts.values() if "rests" in part.name]
    assert resting and all(part.met for part in resting), done.missed
    return done


def largest_step(done, joint, start, stop):
    return np.linalg.norm(np.diff(done.at(joint)[start:stop], axis=0), axis=1).max()


@pytest.mark.parametrize(
    "joint", ["right_heel", "right_ball", "right_foot", "right_hand", "left_hand", "hips", "spine"]
)
@pytest.mark.parametrize(("start", "stop"), [("0.2s", "0.5s"), ("0s", "0.1s"), ("0.8s", "end"), ("48f", "60f")])
def test_what_rests_does_not_move_a_millimetre_per_frame(desk, joint, start, stop):
    make(desk, {"joint": joint, "from": start, "to": stop})


def test_a_foot_rests_with_heel_and_ball(desk):
    done = make(desk, {"joint": "right_foot", "from": "0.2s", "to": "0.5s"})
    names = [name.split(" rests")[0] for name in done.parts if "rests" in name]
    assert names == ["contact 1, right_heel", "contact 1, right_ball"]
    assert largest_step(done, "right_foot", 12, 30) < STILL
    turned = done.turned("right_foot")[12:30]
    assert np.degrees(rotations.angle_between(turned[1:], turned[:-1])).max() < 0.5


@pytest.mark.parametrize("aside", [(0.05, 0.0), (-0.06, 0.08), (0.0, -0.1)])
@pytest.mark.parametrize("joint", ["right_foot", "right_ball", "right_heel"])
def test_feet_rest_at_their_places(desk, usual, joint, aside):
    place = (usual[[0, 2]] + aside).tolist()
    done = make(desk, {"joint": joint, "from": "0.2s", "to": "0.5s", "place": place})
    assert done.parts["contact 1, " + joint + " rests from 0.20 s: place: off by"].value < 0.002
    if joint == "right_foot":
        assert np.abs(done.at("right_foot")[12:30][:, [0, 2]] - place).max() < 0.002


@pytest.mark.parametrize("height", [0.3, 0.12, 0.0, -0.12])
def test_feet_rest_at_any_height(desk, height):
    done = make(desk, {"joint": "right_foot", "from": "0.2s", "to": "0.5s", "height": height})
    flat = make(desk, {"joint": "right_foot", "from": "0.2s", "to": "0.5s", "height": 0.0})
    higher = (done.at("right_foot") - flat.at("right_foot"))[12:30, 1]
    np.testing.assert_allclose(higher, height, atol=0.012)


def test_a_foot_rests_on_a_step_at_a_place(desk, usual):
    place = (usual[[0, 2]] + [-0.03, 0.05]).tolist()
    done = make(desk, {"joint": "right_foot", "from": "0.2s", "to": "0.5s", "place": place, "height": 0.2})
    assert largest_step(done, "right_foot", 12, 30) < STILL


def test_a_hand_rests_where_it_was_asked_to(desk):
    contact = {"joint": "right_hand", "from": "0.3s", "to": "0.6s", "place": [-0.3, 2.4], "height": 1.0}
    done = make(desk, contact)
    assert np.linalg.norm(done.at("right_hand")[18:36] - [-0.3, 1.0, 2.4], axis=1).max() < 0.002


def test_contacts_like_those_of_a_recording_are_its_contacts(desk):
    done = desk.make({"length": "1s", "poses": desk.ends, "contacts_like": {"take": "walk/normal_1", "frame": 200}})
    assert not [name for name in done.missed if "rests" in name]
    recorded = desk.model({}).view.layer("walk/normal_1", "contacts")[200:260]
    np.testing.assert_array_equal(done.answer.state.optimization.demands.contacts.flags, recorded)


def test_places_of_contacts_like_those_of_a_recording_are_its_places(desk):
    like = {"take": "walk/normal_1", "frame": 200, "places": True}
    done = desk.make({"length": "1s", "poses": desk.ends, "contacts_like": like})
    take = desk.corpus.take("walk/normal_1").motion
    ankle = take.skeleton.index("right_foot")
    recorded = kinematics.world_positions(take)[200:260, ankle]
    assert np.abs(done.at("right_foot")[12:28] - recorded[12:28]).max() < 0.01


def test_feet_are_found_given_or_free(desk):
    asked = {"length": "1s", "poses": desk.ends}
    found, given, free = (desk.make({**asked, "feet": feet}) for feet in ("found", "given", "free"))
    np.testing.assert_array_equal(given.motion.local_rotations, free.motion.local_rotations)
    assert np.abs(found.motion.local_rotations - free.motion.local_rotations).max() > 1e-3
    assert largest_step(found, "right_foot", 15, 28) < STILL < largest_step(free, "right_foot", 15, 28)


def test_a_foot_that_is_asked_to_rest_too_far_away_says_what_holds_it(desk, usual):
    contact = {"joint": "right_foot", "from": "0.2s", "to": "0.5s", "place": (usual[[0, 2]] + [3.0, 0.0]).tolist()}
    ends = [{**pose, "hard": True} for pose in desk.ends]
    done = desk.make({"length": "1s", "poses": ends, "contacts": [contact]})
    assert done.missed and all(sentence.split(": ", 2)[-1] for sentence in done.missed)


def test_two_places_of_one_foot_at_once_cannot_both_be_met(desk, usual):
    first = {"joint": "right_foot", "from": "0.2s", "to": "0.5s", "place": (usual[[0, 2]]).tolist()}
    second = {**first, "place": (usual[[0, 2]] + [0.4, 0]).tolist()}
    done = desk.make({"length": "1s", "poses": desk.ends, "contacts": [first, second]})
    assert [name for name in done.missed if "place" in name]
