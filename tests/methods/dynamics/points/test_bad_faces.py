"""What cannot be asked of faces: one sentence each, and nothing half-done."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Source, Take
from motionloom.errors import BadInput
from motionloom.motion import PointMotion

TAKE = "face/happiness"
KEY = {"at": "1s", "pose": {"take": TAKE, "frame": 100}}
POINT = {"at": "1s", "joint": "chin", "position": [0, 1.2, 0.1]}
CAMERA = {"position": [0, 1.2, 1], "look_at": [0, 1.2, 0]}
SEEN = {"at": "1s", "joint": "chin", "camera": "c", "pixel": [960, 540]}


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"orientations": [{"at": "1s", "joint": "chin", "turns": [0, 0, 0]}]}, "points have no orientation"),
        ({"angles": [{"at": "1s", "joint": "chin", "bend": 5}]}, "`angles` asks for a body: points have no joints"),
        ({"contacts": [{"joint": "chin", "from": "0s", "to": "1s"}]}, "`contacts` asks for a body"),
        ({"contacts_like": {"take": TAKE}}, "`contacts_like` asks for a body"),
        ({"root": [{"at": "1s", "position": [0, 0]}]}, "their head goes as `head` says"),
        ({"feet": "given"}, "`feet: given` asks for a body"),
        ({"skeleton": TAKE}, "points have no skeleton"),
        ({"poses": [{**KEY, "as_recorded": True}]}, "a pose of points has no place or heading"),
        ({"poses": [{**KEY, "place": [0, 0]}]}, "pose 1: a pose of points has no place"),
        ({"points": [{**POINT, "offset": [0, 0, 0.1]}]}, "an `offset` is in the frame of a joint"),
        ({"points": [{**POINT, "joint": "left_hand"}]}, "no point 'left_hand'; there are forehead_top"),
        ({"distances": [{"at": "1s", "joint": "chin", "other": "knee", "metres": 0.1}]}, "no point 'knee'"),
        (
            {"points": [{"at": "1s", "joint": "chin", "moved_by": [0, 0, 0]}]},
            "`moved_by` needs a motion that is edited",
        ),
        ({"poses": [{"at": "1s", "pose": {"take": TAKE, "frame": 9999}}]}, "frame 9999 of face/happiness is after"),
        ({"head": {"like": {"take": TAKE, "frame": 1200}}, "length": "3s"}, "head: 180 frames of face/happiness"),
        (
            {"points": [{**POINT, "position": None, "like": {"take": TAKE, "frame": 1200}, "at": ["0s", "3s"]}]},
            "181 frames",
        ),
        ({"points": []}, "the request asks nothing"),
        ({"start_from": "face/nobody", "points": []}, "no take 'face/nobody'"),
    ],
)
def test_what_asks_for_a_body_or_cannot_be_is_refused(faces, asked, sentence):
    request = {"points": [POINT], **asked}
    request["points"] = [{k: v for k, v in point.items() if v is not None} for point in request["points"]]
    with pytest.raises(BadInput, match=sentence) as caught:
        faces.make(request)
    assert "\n" not in str(caught.value)


def test_a_head_of_a_body_is_refused(desk):
    with pytest.raises(BadInput, match="`head` says where the head of points is"):
        desk.make({"poses": [{"at": "1s", "pose": {"take": "walk/normal_1"}}], "head": {"position": [0, 1, 0]}})


def test_bodies_and_points_cannot_be_mixed(tmp_path, make):
    corpus = make.face_corpus(tmp_path / "corpus", ("face/disgust", "face/happiness"))
    walk = make.demo_take("walk/normal_1")
    corpus.add(
        Take("walk/normal_1", walk.motion, Source("w", "performer", "w", walk.motion.fps, 1.0)), floor_height=0.0
    )
    from motionloom.methods import dynamics
    from motionloom.methods.dynamics import Material, Request, prepare

    with pytest.raises(BadInput, match=r"'face/\*' means points \(.*\) and 'walk/normal_1' bodies"):
        prepare(corpus, Material(("walk/normal_1", "face/*")))
    asked = Request.from_data({"poses": [KEY], "prior": {"takes": ["walk/*"]}})
    with pytest.raises(BadInput, match="'face/happiness' is points and 'walk/normal_1', which is learnt from, a body"):
        prepare(corpus, dynamics.material_of(corpus, asked))
    walked = {"at": "0s", "pose": {"take": "walk/normal_1"}}
    both = Request.from_data({"poses": [KEY, walked]})
    with pytest.raises(BadInput, match="'face/happiness' is of points and 'walk/normal_1' a body"):
        prepare(corpus, dynamics.material_of(corpus, both))
    named = Request.from_data({"poses": [KEY]})
    assert prepare(corpus, dynamics.material_of(corpus, named)).is_of_points, "what is named decides"
    assert not prepare(corpus).is_of_points


@pytest.fixture(scope="module")
def strange(tmp_path_factory, make, faces):
    """Faces beside takes of other points, of one that is missing everywhere, and of none that is ever seen."""
    corpus = make.face_corpus(tmp_path_factory.mktemp("strange") / "corpus", ("face/disgust", "face/happiness"))
    motion = corpus.take(TAKE).motion

    def add(name, names, positions):
        points = PointMotion(tuple(names), positions, motion.fps)
        corpus.add(Take(name, points, Source(name, "performer", name, motion.fps, 1.0)), floor_height=0.0)

    add("other/names", [f"m{n}" for n in range(len(motion.names))], 1.01 * motion.positions)
    gone = np.array(motion.positions)
    gone[:, motion.names.index("chin")] = np.nan
    add("other/no_chin", motion.names, gone)
    add("other/nothing", motion.names, np.full_like(gone, np.nan))
    blinking = np.array(motion.positions)
    blinking[::2, 3] = np.nan
    blinking[1::2, 4] = np.nan
    add("other/never_whole", motion.names, blinking)
    return type(faces)(corpus)


@pytest.mark.parametrize(
    ("takes", "asked", "sentence"),
    [
        (["face/*"], {"poses": [{"at": "1s", "pose": {"take": "other/names"}}]}, "other/names: it has none of"),
        (["other/nothing"], {"poses": [], "points": [POINT]}, "other/nothing: no marker is ever seen"),
        (["other/never_whole"], {}, "some point is missing in every frame of the chosen takes"),
        (["face/*", "other/no_chin"], {"points": [POINT]}, "no point 'chin'; there are"),
        (["face/*"], {"poses": [{"at": "1s", "pose": {"take": "other/nothing"}}]}, "no marker of it is ever seen"),
    ],
)
def test_takes_of_other_points_and_points_that_are_never_seen(strange, takes, asked, sentence):
    with pytest.raises(BadInput, match=sentence) as caught:
        strange.make({"poses": [KEY], "prior": {"takes": takes}, **asked})
    assert "\n" not in str(caught.value)


def test_a_file_with_other_points_is_refused_and_one_with_more_is_read(faces, tmp_path):
    view = faces.model({"start_from": TAKE}).points
    face = view.with_head("face/disgust")
    first = PointMotion(face.names, face.positions[200:203], face.fps)
    more = replace(
        first, names=(*first.names, "hat"), positions=np.concatenate([first.positions, first.positions[:, :1]], 1)
    )
    formats.write(tmp_path / "more.csv", more)
    formats.write(tmp_path / "less.csv", PointMotion(("chin", "a", "b"), first.positions[:, :3], 60.0))
    done = faces.make({"length": "2s", "poses": [{"at": "1s", "file": str(tmp_path / "more.csv")}]})
    assert not done.missed
    take = faces.make({"length": "2s", "poses": [{"at": "1s", "pose": {"take": "face/disgust", "frame": 400}}]})
    assert np.linalg.norm(done.motion.positions - take.motion.positions, axis=-1).max() < 1e-4
    with pytest.raises(
        BadInput, match=r"less.csv has no point 'forehead_top' and 38 others of the model; it has chin, a"
    ):
        faces.make({"length": "2s", "poses": [{"at": "1s", "file": str(tmp_path / "less.csv")}]})


def test_a_camera_behind_the_face_is_said(faces):
    behind = {"position": [0, 1.2, -1], "look_at": [0, 1.2, -2]}
    for hard in (False, True):
        asked = {"poses": [KEY], "projections": [{**SEEN, "hard": hard}], "cameras": {"c": behind}, "length": "2s"}
        done = faces.make(asked)
        part = done.parts["projection 1, chin: off by"]
        assert not part.met and part.why_not == "the point is behind the camera; move the camera back, or turn it"
        assert np.abs(done.motion.positions).max() < 10, "no point flies to it"


@pytest.mark.parametrize(
    "other",
    [
        {"points": [{**POINT, "hard": True}, {**POINT, "position": [0, 1.21, 0.1], "hard": True}]},
        {"poses": [{**KEY, "hard": True}], "points": [{**POINT, "hard": True}]},
        {"poses": [{**KEY, "hard": True}, {"at": "1s", "pose": {"take": "face/anger", "frame": 300}, "hard": True}]},
        {"points": [{**POINT, "hard": True}], "projections": [{**SEEN, "pixel": [0, 0], "hard": True}]},
    ],
)
def test_two_that_must_hold_and_contradict_each_other_are_named(faces, other):
    with pytest.raises(BadInput, match=r"contradict each other: both must hold at 1\.00 s"):
        faces.make({"cameras": {"c": CAMERA}, "length": "2s", **other})


def test_distances_that_cannot_hold_together_are_reported_with_a_reason(faces):
    apart = [("chin", "upper_lip", 0.2), ("chin", "lower_lip", 0.01), ("upper_lip", "lower_lip", 0.02)]
    asked = [{"at": "1s", "joint": a, "other": b, "metres": m, "hard": True} for a, b, m in apart]
    done = faces.make({"length": "2s", "distances": asked})
    assert done.missed and all("contradicts 'distance" in line for line in done.missed)
    assert np.isfinite(done.motion.positions).all()
