"""`motionloom dynamics`: learn, evaluate and solve; what they print, write and refuse."""

import csv
import json

import numpy as np
import pytest
from benchmarks.dynamics.bodies import with_limbs

from motionloom import formats
from motionloom.assembly import load_result
from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus, Source, Take
from motionloom.methods.dynamics import Model
from motionloom.motion import Motion, cut, kinematics

TAKES = ("walk/figure_eight", "walk/normal_1", "walk/stop_and_go")
KEYS = """
length: 1s
poses:
  - {at: 0s, pose: {take: walk/stop_and_go, frame: 40}, as_recorded: true}
  - {at: end, pose: {take: walk/stop_and_go, frame: 99}, as_recorded: true}
contacts_like: {take: walk/stop_and_go, frame: 40}
prior: {takes: ["walk/*"]}
"""
HAND = "points: [{joint: right_hand, at: 0.5s, position: [null, HEIGHT, null], hard: true}]\n"


def hand_at(height):
    return KEYS + HAND.replace("HEIGHT", str(height))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("dynamics") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture
def written(tmp_path):
    def write(text, name="given.yaml"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def test_what_was_learnt_is_said_written_and_read_again(motionloom, corpus, tmp_path):
    files = [tmp_path / "new" / name for name in ("model.npz", "learnt.json")]
    options = ("--dimensions", 15, "--order", 2, "--controls", 4, "--mixtures", 2)
    ran = motionloom("dynamics", "learn", corpus, *options, "-o", files[0], "--report", files[1])
    assert ran.code == 0, ran.err
    data = json.loads(files[1].read_text())
    assert (data["takes"], data["motions"], data["has_little_data"]) == (3, 6, False)
    assert (data["dimensions"], data["order"], data["controls"], data["gaussians"]) == (15, 2, 4, 2)
    assert 0.9 < data["variance"] < 1.0
    assert f"{data['frames']} frames at 30 per second" in ran.out and "of 3 takes" in ran.out
    with Corpus.open(corpus) as store:
        names = sorted({name.removesuffix("~mirrored") for name in TAKES})
        model = Model.load(files[0], make_view(store, names, ViewSettings(fps=60.0, mirrored=True)))
    assert model.to_data() == data


def test_gaussians_are_chosen_by_takes_that_are_held_out(motionloom, corpus):
    ran = motionloom("dynamics", "learn", corpus, "--dimensions", 8, "--controls", 3, "--mixtures", 0, "--json")
    data = json.loads(ran.out)
    assert data["gaussians"] == int(np.argmax(data["likelihoods"])) + 1
    assert len(data["likelihoods"]) > 1


def test_little_data_is_said(motionloom, corpus, written):
    request = written("prior: {takes: [walk/normal_1], order: 8, dimensions: 40}\n")
    ran = motionloom("dynamics", "learn", corpus, request, "--takes", "walk/stop_and_go")
    assert ran.code == 0, ran.err
    assert "little data: fewer than 1280 frames" in ran.out


def test_options_come_before_the_request(motionloom, corpus, written):
    request = written("prior: {takes: [walk/normal_1], dimensions: 9}\n")
    learnt = json.loads(motionloom("dynamics", "learn", corpus, request, "--dimensions", 7, "--json").out)
    assert (learnt["takes"], learnt["dimensions"]) == (1, 7)


def test_one_step_errors_are_a_table_a_file_and_a_picture(motionloom, corpus, tmp_path):
    files = [tmp_path / name for name in ("errors.csv", "errors.png", "errors.json")]
    options = ("--dimensions", "6,12", "--orders", "1,3", "--controls", "0,2,6", "--folds", 3)
    ran = motionloom(
        "dynamics", "evaluate", corpus, *options, "-o", files[0], "--picture", files[1], "--report", files[2]
    )
    assert ran.code == 0, ran.err
    rows = list(csv.DictReader(files[0].open()))
    assert [(row["dimensions"], row["order"], row["controls"]) for row in rows] == [
        *(("6", order, controls) for order in "13" for controls in "026"),
        *(("12", order, controls) for order in "13" for controls in ("0", "2", "6", "12")),
    ]
    assert [error["degrees"] for error in json.loads(files[2].read_text())["errors"]] == pytest.approx(
        [float(row["degrees"]) for row in rows], rel=1e-5
    )
    assert files[1].read_bytes().startswith(b"\x89PNG")
    table = [line.split() for line in ran.out.splitlines() if line[:3].strip().isdigit()]
    shown = [cells for cells in table if cells[:2] == ["12", "3"]]
    assert shown and float(shown[0][2]) == pytest.approx(float(rows[10]["degrees"]), abs=0.006)


def test_a_request_becomes_a_motion_with_a_picture_a_report_and_a_take(motionloom, corpus, written, tmp_path):
    files = [tmp_path / name for name in ("out.bvh", "out.json", "out.png")]
    options = [part for pair in zip(("-o", "--report", "--picture"), files, strict=True) for part in pair]
    ran = motionloom("dynamics", "solve", corpus, written(hand_at(1.05)), *options, "--save-as", "new/hand")
    assert ran.code == 0, ran.err
    report = json.loads(files[1].read_text())
    assert report["met"] and "met  point 1, right_hand" in ran.out
    course = report["details"]["objective"]
    assert len(course) == report["details"]["iterations"] + 1 and course == sorted(course, reverse=True)
    assert files[2].read_bytes().startswith(b"\x89PNG")
    motion = formats.read(files[0]).motion
    hand = kinematics.world_positions(motion)[30, motion.skeleton.index("right_hand")]
    assert hand[1] == pytest.approx(1.05, abs=1e-3)
    with Corpus.open(corpus) as store:
        assert load_result(store, "new/hand").motion.n_frames == motion.n_frames == 60


def test_folders_of_reports_are_made_as_those_of_motions(motionloom, corpus, written, tmp_path):
    out, report = tmp_path / "made" / "o.npz", tmp_path / "reports" / "new" / "r.json"
    ran = motionloom("dynamics", "solve", corpus, written(KEYS), "-o", out, "--report", report)
    assert out.is_file() and report.is_file(), ran.err


def test_random_starts_end_in_one_motion_and_their_courses_are_drawn(motionloom, corpus, written, tmp_path):
    course, report = tmp_path / "new" / "course.png", tmp_path / "out.json"
    options = ("-o", tmp_path / "out.npz", "--report", report, "--starts", 3, "--course", course)
    ran = motionloom("dynamics", "solve", corpus, written(KEYS), *options)
    assert ran.code == 0, ran.err
    details = json.loads(report.read_text())["details"]
    courses = [details["objective"], *details["starts"]]
    assert len(courses) == 4 and len({course[0] for course in courses}) == 4
    for values in courses:
        assert values == sorted(values, reverse=True)
        assert values[-1] == pytest.approx(courses[0][-1], rel=1e-3)
    assert course.read_bytes().startswith(b"\x89PNG")
    assert not (tmp_path / "out_2.npz").exists(), "they end in the same motion"


def test_a_point_out_of_reach_ends_with_1_and_says_by_how_much(motionloom, corpus, written, tmp_path):
    ran = motionloom("dynamics", "solve", corpus, written(hand_at(4)), "-o", tmp_path / "out.npz")
    assert ran.code == 1
    (missed,) = [line for line in ran.out.splitlines() if line.startswith("MISSED") and "right_hand" in line]
    assert "it is out of reach" in missed and float(missed.split("off by")[1].split()[0]) > 0.3
    assert formats.read(tmp_path / "out.npz").motion.n_frames == 60


def test_a_take_is_retargeted_by_the_prior_and_then_edited(motionloom, corpus, written, tmp_path):
    with Corpus.open(corpus, write=True) as store:
        motion = cut(store.take("walk/normal_1").motion, 0, 40)
        tall = Motion(
            with_limbs(motion.skeleton, legs=1.25), motion.root_positions * 1.25, motion.local_rotations, 60.0
        )
        store.add(Take("tall/one", tall, Source("tall/one", "npz", "x", 60.0, 1.0)), floor_height=0.0)
    request = "start_from: walk/stop_and_go\nskeleton: tall/one\nlength: 3s\nprior: {takes: ['walk/*']}\n"
    edit = "points: [{joint: right_hand, at: 2s, moved_by: [0, 0.1, 0], hard: true}]\n"
    made = []
    for text in (request, request + edit):
        ran = motionloom("dynamics", "solve", corpus, written(text), "-o", tmp_path / "out.npz")
        assert ran.code == 0, ran.out
        assert "retargeted: feet from their scaled places" in ran.out
        made.append(formats.read(tmp_path / "out.npz").motion)
    assert all(each.skeleton.leg_length == pytest.approx(tall.skeleton.leg_length) for each in made)
    hands = [kinematics.world_positions(each)[120, each.skeleton.index("right_hand")] for each in made]
    np.testing.assert_allclose(hands[1] - hands[0], [0.0, 0.1, 0.0], atol=2e-3)


def test_the_schema_of_requests_needs_no_corpus(motionloom):
    schema = json.loads(motionloom("dynamics", "solve", "--schema").out)
    assert {"poses", "points", "contacts", "prior"} <= set(schema["properties"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("learn", "CORPUS", "--order", 9), "prior.order"),
        (("learn", "CORPUS", "--dimensions", 500), "500 dimensions for poses of"),
        (("learn", "CORPUS", "--takes", "swim/*"), "swim/*"),
        (("learn", "CORPUS", "--labels", "swim"), "no frame of the chosen takes has one of the labels swim"),
        (("learn", "CORPUS", "-o", "model.bvh"), "model.bvh: a model is written as .npz"),
        (("evaluate", "CORPUS", "--orders", "2,x"), "--orders 2,x: give whole numbers"),
        (("evaluate", "CORPUS", "--orders", "0"), "--orders 0: give numbers from 1 to 8"),
        (("evaluate", "CORPUS", "--dimensions", "300"), "300 dimensions: the poses have"),
        (("evaluate", "CORPUS", "--takes", "walk/normal_1"), "takes are left out in turn, and there is one"),
        (("evaluate", "CORPUS", "-o", "errors.txt"), "errors are written as .csv, .json or .png"),
        (("evaluate", "CORPUS", "-o", "e.png", "--picture", "e.png"), "--out and --picture are both e.png"),
        (("solve", "CORPUS"), "give a corpus, a request and -o OUT"),
        (("solve", "CORPUS", "REQUEST", "-o", "o.bvh", "--course", "c.jpg"), "--course c.jpg: a picture ends in .png"),
        (("solve", "CORPUS", "REQUEST", "-o", "o.txt"), "cannot write '.txt'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    motionloom, corpus, written, tmp_path, monkeypatch, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    places = {"CORPUS": corpus, "REQUEST": written(KEYS)}
    before = sorted(tmp_path.iterdir())
    ran = motionloom("dynamics", *(places.get(argument, argument) for argument in arguments))
    assert ran.code == 2
    assert sentence in ran.err and ran.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before, "nothing is written"
