"""Priors of several people: what is learnt is how faces move, and a motion is of one person from its first frame on."""

import numpy as np
import pytest

from motionloom.assembly import prepare_for, realize, solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Request
from motionloom.motion.head_motion import HeadMotion, to_head

TAKES = ("face/happiness", "face/disgust", "face/surprise", "face/fear")  # the first two of one actor
RIGID = ("left_ear", "right_ear", "nose_bridge", "forehead_top")
PRIOR = {"takes": ["face/*"]}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    return make.face_corpus(tmp_path_factory.mktemp("people") / "corpus", TAKES)


@pytest.fixture(scope="module")
def ask(corpus):
    """The model of a request, and the points that it makes."""

    def ask(data):
        request = Request.from_data({"prior": PRIOR, **data})
        model = prepare_for(dynamics, corpus, request)
        return model, realize(dynamics, solve(dynamics, model, request)[0], model).character.motion

    return ask


def apart(positions, names, one, other):
    """(F,) metres between two points."""
    return np.linalg.norm(positions[:, names.index(one)] - positions[:, names.index(other)], axis=-1)


def test_the_view_knows_who_is_in_which_take(corpus, ask):
    model, _ = ask({"length": "1s", "poses": [{"at": "0s", "pose": {"take": "face/fear", "frame": 30}}]})
    of_takes = dict(zip(model.points.names, model.points.people.of_takes))
    assert of_takes["face/happiness"] == of_takes["face/disgust"] != of_takes["face/surprise"] == of_takes["face/fear"]
    assert "2 people" in model.describe()


def test_no_face_grows_while_features_of_it_are_asked_for(ask):
    ways = {
        ("left_mouth_corner", "right_mouth_corner"): [0.052, 0.052, 0.06, 0.067, 0.067],
        ("upper_lip", "lower_lip"): [0.019, 0.031, 0.024, 0.019, 0.019],
        ("left_upper_lid", "left_lower_lid"): [0.0095, 0.0125, 0.0095, 0.007, 0.007],
    }
    distances = [
        {"from": "0s", "to": "end", "joint": joint, "other": other, "path": path}
        for (joint, other), path in ways.items()
    ]
    _, motion = ask({"length": "2.4s", "distances": distances})
    assert np.ptp(apart(motion.positions, motion.names, "left_ear", "right_ear")) < 5e-4
    assert np.ptp(apart(motion.positions, motion.names, "forehead_top", "nose_bridge")) < 2e-3


@pytest.mark.parametrize("take", ["face/happiness", "face/fear"])
def test_poses_of_anybody_are_met_as_they_are(corpus, ask, take):
    data = {
        "length": "1s",
        "poses": [{"at": at, "pose": {"take": take, "frame": frame}} for at, frame in (("0s", 30), ("1s", 480))],
        "head": {"still": {"take": take, "frame": 30}},
    }
    model, motion = ask(data)
    was = model.points.motion(take).positions
    head = model.points.head(take)
    n = motion.n_frames
    still = HeadMotion(np.repeat(head.positions[15:16], n, axis=0), np.repeat(head.rotations[15:16], n, axis=0))
    made = to_head(motion.positions, still)
    assert np.linalg.norm(made[0] - was[15], axis=-1).mean() < 1e-4
    rigid = [motion.names.index(name) for name in RIGID]
    assert np.linalg.norm(made - was[15], axis=-1)[:, rigid].max() < 3e-3, "nobody else's head in between"


def test_an_expression_of_somebody_else_is_shown_on_the_own_face(ask):
    whole = {"length": "1s", "poses": [{"at": "0s", "pose": {"take": "face/happiness", "frame": 0}}]}
    view = ask(whole)[0].points
    names, own, theirs = view.markers, *(view.motion(take).positions for take in ("face/happiness", "face/surprise"))
    ears = [apart(face, names, "left_ear", "right_ear").mean() for face in (own, theirs)]
    assert abs(ears[0] - ears[1]) > 3e-3, "two people"
    opened = apart(theirs, names, "upper_lip", "lower_lip")
    widest = int(opened.argmax())
    frame = round(float(view.source_frames[view.range_of("face/surprise")[0] + widest]))
    surprised = {"at": "end", "pose": {"take": "face/surprise", "frame": frame}}
    _, motion = ask({**whole, "poses": [*whole["poses"], surprised]})
    assert apart(motion.positions, names, "left_ear", "right_ear") == pytest.approx(ears[0], abs=1e-3)
    mouth = apart(motion.positions, names, "upper_lip", "lower_lip")
    assert mouth[-1] - mouth[0] == pytest.approx(opened[widest] - opened[0], abs=2.6e-3)  # shapes: 1.3 mm a marker
    assert opened[widest] - opened[0] > 0.01


def test_an_edit_stays_on_the_face_that_is_edited(ask):
    data = {
        "start_from": "face/fear",
        "points": [{"at": "1s", "joint": "left_mouth_corner", "moved_by": [0.0, 0.003, 0.0]}],
    }
    model, motion = ask(data)
    was = model.points.with_head("face/fear").positions
    away = np.linalg.norm(motion.positions - was, axis=-1)
    assert away[60, motion.names.index("left_mouth_corner")] == pytest.approx(0.003, abs=3e-4)
    assert away[:, [motion.names.index(name) for name in RIGID]].max() < 5e-4
    assert away[240:].max() < 1e-6
