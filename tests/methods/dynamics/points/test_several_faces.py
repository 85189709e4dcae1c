"""Takes of several people: told apart by their faces at rest, and brought onto one of them."""

import numpy as np
import pytest

from motionloom.methods.dynamics import prepare
from motionloom.methods.dynamics.demands.point_setting import make_point_setting
from motionloom.methods.dynamics.prior.several_faces import find_faces

TAKES = ("face/happiness", "face/anger", "face/fear", "face/sadness", "face/all_emotions")  # of ada, of ben, of cleo
ACTORS = {"face/happiness": 0, "face/anger": 0, "face/fear": 1, "face/sadness": 1, "face/all_emotions": 2}


@pytest.fixture(scope="module")
def desk(tmp_path_factory, make, faces):
    return type(faces)(make.face_corpus(tmp_path_factory.mktemp("several") / "corpus", TAKES))


def test_performers_are_told_apart(desk):
    found = prepare(desk.corpus).faces
    assert found.n == 3
    for one in TAKES:
        for other in TAKES:
            assert (found.groups[one] == found.groups[other]) == (ACTORS[one] == ACTORS[other])


def test_a_face_is_itself_whatever_was_learnt_from_others(desk):
    """A smile of one that another makes: where nothing moves, no point of the face does."""
    data = {
        "poses": [{"at": "0s", "pose": {"take": "face/fear", "frame": 20}}],
        "points": [
            {
                "from": "1s",
                "to": "1.4s",
                "joint": f"{side}_mouth_corner",
                "like": {"take": "face/happiness", "frame": 660},
            }
            for side in ("left", "right")
        ],
        "length": "2.5s",
        "head": {"still": {"take": "face/fear", "frame": 20}},
    }
    model = desk.model(data)
    assert model.faces.groups["face/fear"] == model.face
    assert "takes of 2 other faces are brought onto this one" in model.describe()
    done = desk.make(data)
    assert not done.missed
    ears = [done.at(f"{side}_ear") for side in ("left", "right")]
    apart = np.linalg.norm(ears[0] - ears[1], axis=1)
    others = [desk.recorded(take, 0.2, 0.1) for take in ("face/fear", "face/happiness")]
    own, its = (
        np.linalg.norm(np.subtract(*(each[0, done.motion.names.index(f"{side}_ear")] for side in ("left", "right"))))
        for each in others
    )
    assert abs(own - its) > 0.002, "the two have heads of other widths"
    assert np.abs(apart - own).max() < 0.25 * abs(own - its)
    lifted = done.at("left_cheek")[72, 1] - done.at("left_cheek")[0, 1]
    assert lifted > 0.002, "cheeks are lifted by the smile"


def test_poses_of_another_face_are_expressions_of_this_one(desk):
    data = {"start_from": "face/fear", "poses": [{"at": "2s", "pose": {"take": "face/happiness", "frame": 20}}]}
    setting = make_point_setting(desk.model(data), desk.request(data))
    rest = setting.codec.read(setting.face_of(desk.request(data).poses[0].pose, "pose")[None])[0]
    own = desk.model(data).points.motion("face/fear").positions[10]
    other = desk.model(data).points.motion("face/happiness").positions[10]
    assert np.linalg.norm(rest - own, axis=1).mean() < 0.0012 < np.linalg.norm(other - own, axis=1).mean()


def test_takes_of_one_face_stay_as_they_are(faces):
    model = faces.model({"start_from": "face/happiness"})
    assert model.faces.n == 1 and not model.onto_face("face/anger").any()
    assert "brought onto" not in model.describe()


def test_faces_are_found_with_points_that_are_missing():
    rng = np.random.default_rng(0)
    rest = rng.normal(scale=0.06, size=(20, 3))
    other = rest + rng.normal(scale=0.004, size=(20, 3))
    takes = {
        name: points + rng.normal(scale=0.0005, size=(50, 20, 3))
        for name, points in (("a", rest), ("b", other), ("c", rest))
    }
    takes["a"][:, 3] = np.nan
    takes["b"][10:20, 5] = np.nan
    found = find_faces(takes, float(np.ptp(rest, axis=0).max()))
    assert [found.groups[name] for name in "abc"] == [0, 1, 0]
    assert np.isfinite(found.rests).all(), "what one take of a face never shows another does"
    np.testing.assert_allclose(found.onto("b", 0), rest - other, atol=4e-4)
    assert found.nearest(other) == 1 and found.onto("c", 0).tolist() == np.zeros((20, 3)).tolist()
