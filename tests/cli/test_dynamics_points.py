"""`motionloom dynamics` on points: learn, evaluate and solve; what they print, write and refuse."""

import csv
import json

import numpy as np
import pytest

from motionloom import formats
from motionloom.conform import make_point_view
from motionloom.corpus import Corpus
from motionloom.methods.dynamics import Model
from motionloom.motion import PointMotion

KEYS = """
poses:
  - {at: 0s, pose: {take: face/happiness, frame: 480}}
  - {at: 1s, pose: {take: face/happiness, frame: 600}}
points:
  - {at: 0.5s, joint: chin, position: [null, 1.17, null], hard: true}
prior: {takes: [face/disgust]}
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("points") / "corpus"
    make.face_corpus(folder, ("face/happiness", "face/disgust")).close()
    return folder


def test_what_was_learnt_from_points_is_said_and_kept(motionloom, corpus, tmp_path):
    ran = motionloom("dynamics", "learn", corpus, "--takes", "face/*", "--dimensions", "12", "-o", tmp_path / "m.npz")
    assert ran.code == 0, ran.err
    assert "of 2 motions of 2 takes, 40 points" in ran.out and "d_x 12: 12 of 120 dimensions" in ran.out
    assert "the next pose is pulled towards the last one" in ran.out and "head motion taken off by" in ran.out
    with Corpus.open(corpus) as store:
        view = make_point_view(store, ["face/disgust", "face/happiness"])
        kept = Model.load(tmp_path / "m.npz", view)
    assert kept.is_of_points and kept.names == view.markers and kept.prior.size == 12


def test_errors_of_points_are_in_millimetres(motionloom, corpus, tmp_path):
    files = [tmp_path / name for name in ("errors.csv", "errors.png", "errors.json")]
    options = ("--takes", "face/*", "--dimensions", "6,12", "--orders", "2", "--controls", "0,1", "--last", "0.2")
    ran = motionloom(
        "dynamics", "evaluate", corpus, *options, "-o", files[0], "--picture", files[1], "--report", files[2]
    )
    assert ran.code == 0, ran.err
    assert "2 takes, the last share of each left out" in ran.out and "mm per point by controls" in ran.out
    rows = list(csv.DictReader(files[0].open()))
    assert [(row["dimensions"], row["controls"]) for row in rows] == [
        ("6", "0"),
        ("6", "1"),
        ("6", "6"),
        ("12", "0"),
        ("12", "1"),
        ("12", "12"),
    ]
    assert float(rows[-1]["mm"]) < 1e-6 < float(rows[-1]["mm_raw"])
    assert json.loads(files[2].read_text())["unit"] == "mm"
    assert files[1].read_bytes().startswith(b"\x89PNG")


def test_a_request_becomes_points_with_a_report_and_a_take(motionloom, corpus, tmp_path):
    (tmp_path / "keys.yaml").write_text(KEYS)
    files = [tmp_path / name for name in ("out.csv", "out.json")]
    ran = motionloom(
        "dynamics",
        "solve",
        corpus,
        tmp_path / "keys.yaml",
        "-o",
        files[0],
        "--report",
        files[1],
        "--save-as",
        "new/chin",
    )
    assert ran.code == 0, ran.err
    assert "met  point 1, chin" in ran.out and "of points" not in ran.err
    report = json.loads(files[1].read_text())
    assert report["met"] and report["details"]["settled"]
    motion = formats.read(files[0]).motion
    assert isinstance(motion, PointMotion) and motion.n_frames == 61
    assert motion.positions[30, motion.names.index("chin"), 1] == pytest.approx(1.17, abs=2e-5)
    with Corpus.open(corpus) as store:
        kept = store.take("new/chin").motion
        np.testing.assert_allclose(kept.positions, motion.positions, atol=1e-6)


@pytest.mark.parametrize(
    ("request_text", "sentence"),
    [
        (KEYS + "root: [{at: 1s, position: [0, 0]}]\n", "points have no root"),
        (KEYS.replace("joint: chin", "joint: left_hand"), "no point 'left_hand'; there are"),
        (KEYS.replace("face/disgust", "nothing/*"), "no take is called 'nothing/*'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(motionloom, corpus, tmp_path, request_text, sentence):
    (tmp_path / "bad.yaml").write_text(request_text)
    ran = motionloom("dynamics", "solve", corpus, tmp_path / "bad.yaml", "-o", tmp_path / "out.csv")
    assert ran.code == 2 and sentence in ran.err and not (tmp_path / "out.csv").exists()


def test_a_share_that_is_none_is_refused(motionloom, corpus):
    ran = motionloom("dynamics", "evaluate", corpus, "--last", "1.5")
    assert ran.code == 2 and "--last 1.5: give a share of each take between 0 and 1" in ran.err
