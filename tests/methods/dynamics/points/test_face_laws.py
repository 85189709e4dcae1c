"""Laws of faces: what is moved and turned is moved and turned in the answer; controls; edits that ask nothing."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.corpus import Source, Take
from motionloom.methods.dynamics.evaluation import Tried, evaluate
from motionloom.motion import PointMotion, rotations

TAKE, MOVED = "face/happiness", "face/happiness_moved"
TURN, SHIFT = np.array([0.2, 1.1, -0.4]), np.array([0.7, -0.3, 2.0])


def elsewhere(points: np.ndarray) -> np.ndarray:
    """Points, moved and turned as a whole."""
    return rotations.rotate(rotations.exp(TURN), np.asarray(points, float)) + SHIFT


@pytest.fixture(scope="module")
def desk(tmp_path_factory, make, faces):
    """Faces, and one of them again elsewhere, which nothing is learnt from."""
    corpus = make.face_corpus(tmp_path_factory.mktemp("laws") / "corpus", ("face/happiness", "face/disgust"))
    motion = corpus.take(TAKE).motion
    moved = PointMotion(motion.names, elsewhere(motion.positions), motion.fps)
    corpus.add(Take(MOVED, moved, Source(MOVED, "performer", MOVED, motion.fps, 1.0)), floor_height=0.0)
    return replace(faces, corpus=corpus)


PRIOR = {"takes": ["face/happiness*", "face/disgust"]}


def asked(take: str, there) -> dict:
    """An edit of every kind, of a take that is at some place."""
    point, place = there([[0.03, 1.19, 0.09], [0.0, 1.3, 0.2]]).tolist()
    return {
        "start_from": take,
        "length": "3s",
        "prior": PRIOR,
        "points": [{"at": "1s", "joint": "left_mouth_corner", "position": point}],
        "distances": [
            {"at": "1.5s", "joint": "upper_lip", "other": "lower_lip", "metres": 0.04},
            {"at": "2s", "joint": "nose_tip", "point": place, "metres": 0.15, "hard": True},
        ],
    }


def plain(points) -> np.ndarray:
    return np.asarray(points, float)


def test_an_edit_of_a_face_elsewhere_is_the_edit_elsewhere(desk):
    here, there = desk.make(asked(TAKE, plain)), desk.make(asked(MOVED, elsewhere))
    assert not here.missed and not there.missed
    off = np.linalg.norm(there.motion.positions - elsewhere(here.motion.positions), axis=-1)
    assert off.max() < 2e-6


def head_of(there) -> dict:
    """A head that is still, and turned with all else."""
    turn = rotations.exp(TURN) if there is elsewhere else rotations.identity()
    upright = rotations.from_euler(np.radians([3.0, 10.0, -5.0]), "ZYX")
    turns = np.degrees(rotations.to_euler(rotations.multiply(turn, upright), "ZYX"))
    return {"position": there([[0.1, 1.25, 0.0]])[0].tolist(), "turns": turns.tolist()}


@pytest.mark.parametrize("method", ["dynamics", "subspace", "linear", "spline", "trajectory"])
def test_new_motion_on_a_head_elsewhere_is_the_motion_elsewhere(desk, method):
    made = []
    for there in (plain, elsewhere):
        keys = [{"at": f"{at}s", "pose": {"take": TAKE, "frame": 100 + round(120 * at)}} for at in (0, 1, 2)]
        place = there([[0.13, 1.2, 0.1]])[0].tolist()
        request = {
            "poses": keys,
            "points": [{"at": "0.5s", "joint": "chin", "position": place, "within": 0.01, "hard": True}],
            "head": head_of(there),
            "prior": PRIOR,
            "method": method,
        }
        made.append(desk.make(request).motion.positions)
    assert np.linalg.norm(made[1] - elsewhere(made[0]), axis=-1).max() < 1e-6


def test_a_picture_of_a_turned_camera_is_the_same_picture(desk):
    """Turned about the vertical, which cameras stay upright to."""
    about = rotations.about_y(0.8)
    made = []
    for turn in (rotations.identity(), about):
        there = rotations.rotate(turn, np.array([[0.1, 1.25, 0.6], [0.0, 1.22, 0.0], [0.0, 1.25, 0.0]]))
        camera = {"position": there[0].tolist(), "look_at": there[1].tolist(), "size": [1000, 1000]}
        turns = np.degrees(rotations.to_euler(turn, "ZYX")).tolist()
        pixels = {"left_mouth_corner": [560, 640], "right_mouth_corner": [430, 650], "lower_lip": [495, 690]}
        asked = [{"at": "0.5s", "joint": name, "camera": "c", "pixel": at} for name, at in pixels.items()]
        head = {"position": there[2].tolist(), "turns": turns}
        request = {"length": "1s", "projections": asked, "cameras": {"c": camera}, "head": head, "prior": PRIOR}
        made.append(desk.make(request).motion.positions)
    assert np.linalg.norm(made[1] - rotations.rotate(about, made[0]), axis=-1).max() < 1e-6


def test_an_edit_that_asks_nothing_changes_nothing(faces):
    was = faces.recorded(TAKE, 0.0, 20.0)
    assert np.array_equal(faces.make({"start_from": TAKE}).motion.positions, was)
    first = {"at": "1s", "joint": "chin", "moved_by": [0, 0, 0]}
    done = faces.make({"start_from": TAKE, "points": [first]})
    assert np.abs(done.motion.positions - was).max() < 1e-9


def test_a_head_that_is_taken_from_another_take_carries_the_same_face(faces):
    view = faces.model({"start_from": TAKE}).points
    head = {"like": {"take": "face/speaking", "frame": 60}}
    done = faces.make({"start_from": TAKE, "length": "3s", "head": head})
    other = view.head("face/speaking")
    own = rotations.rotate(
        rotations.inverse(other.rotations[30 : 30 + 180])[:, None],
        done.motion.positions - other.positions[30 : 30 + 180, None],
    )
    np.testing.assert_allclose(own, view.motion(TAKE).positions[:180], atol=1e-7)


def test_errors_of_one_step_fall_with_controls_and_none_is_left_with_all_of_them(faces):
    found = evaluate(faces.model({"start_from": TAKE}), Tried((8, 16), (1, 2), (0, 1, 2, 4), last=0.2))
    assert found.unit == "mm" and found.folds == 1
    for dimensions in (8, 16):
        for order in (1, 2):
            curve = found.curve(dimensions, order)
            errors = [error.error for error in curve]
            assert errors == sorted(errors, reverse=True) and errors[0] > 0.01
            assert curve[-1].controls == dimensions and errors[-1] < 1e-9
    assert found.curve(16, 2)[-1].raw < found.curve(8, 2)[-1].raw
