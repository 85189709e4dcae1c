"""`motionloom timeline`: from a request to files, a report and a take; and errors of bad requests."""

import json

import numpy as np
import pytest

from motionloom import formats
from motionloom.assembly import load_result, read_result
from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import cut

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1")
WALK_AND_RUN = "length: 3s\nlabels:\n  - {label: walk, to: 1s}\n  - {label: run, from: 2s}\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, make):
    folder = tmp_path_factory.mktemp("timeline") / "corpus"
    make.demo_corpus(folder, TAKES).close()
    return folder


@pytest.fixture
def request_file(tmp_path):
    def write(text):
        (tmp_path / "request.yaml").write_text(text)
        return tmp_path / "request.yaml"

    return write


def test_a_request_becomes_a_motion_a_picture_and_a_report(motionloom, corpus, request_file, tmp_path):
    files = [tmp_path / name for name in ("out.bvh", "out.png", "out.json")]
    ran = motionloom(
        "timeline", corpus, request_file(WALK_AND_RUN), "-o", files[0], "--picture", files[1], "--report", files[2]
    )
    assert ran.code == 0, ran.err
    assert formats.read(files[0]).motion.n_frames == 180
    assert files[1].read_bytes().startswith(b"\x89PNG")
    report = json.loads(files[2].read_text())
    assert report["met"]
    assert report["asked"]["length"] == "3s"
    assert "must walk" in ran.out
    assert "first" in ran.err


def test_the_same_request_and_seed_give_the_same_file(motionloom, corpus, request_file, tmp_path):
    request = request_file(WALK_AND_RUN)
    for name in ("one.npz", "two.npz"):
        motionloom("timeline", corpus, request, "-o", tmp_path / name, "--seed", 3)
    one, two = (read_result(tmp_path / name) for name in ("one.npz", "two.npz"))
    np.testing.assert_array_equal(one.motion.local_rotations, two.motion.local_rotations)
    np.testing.assert_array_equal(one.provenance.frames, two.provenance.frames)


def test_statistics_that_are_due_are_learnt_again_after_the_answer(
    make, motionloom, request_file, tmp_path, monkeypatch
):
    make.demo_corpus(tmp_path / "corpus", TAKES).close()
    ask = ("timeline", tmp_path / "corpus", request_file(WALK_AND_RUN), "-o", tmp_path / "out.bvh")
    first = motionloom(*ask)
    assert "statistics of the corpus: learnt from 2 takes" in first.out and "again" not in first.out + first.err
    with Corpus.open(tmp_path / "corpus", write=True) as store:
        motion = cut(store.take(TAKES[0]).motion, 0, 400)
        store.add(Take("more", motion, Source("more", "npz", "", motion.fps, 1.0)), floor_height=0.0)
    with monkeypatch.context() as patch:
        patch.setattr("motionloom.assembly.learn_again", interrupt)
        stopped = motionloom(*ask)
    answered = motionloom(*ask)
    for ran in (stopped, answered):
        assert ran.code == 0
        assert "learnt from 2 takes" in ran.out and "due to be learnt again" in ran.out
        assert "learning its statistics again" in ran.err
    assert "the statistics are as they were" in stopped.err and "as they were" not in answered.err
    last = motionloom(*ask)
    assert "learnt from 3 takes" in last.out and "again" not in last.out + last.err


def interrupt(*_, **__):
    raise KeyboardInterrupt


def test_the_papers_search_answers_too_and_the_same_restarts_give_the_same(motionloom, corpus, request_file, tmp_path):
    request = request_file(WALK_AND_RUN)
    for name in ("one.npz", "two.npz"):
        ran = motionloom(
            "timeline", corpus, request, "-o", tmp_path / name, "--solver", "blocks", "--iterations", 3, "--seed", 5
        )
        assert ran.code in (0, 1), ran.err
    one, two = (read_result(tmp_path / name) for name in ("one.npz", "two.npz"))
    assert one.motion.n_frames == 180
    np.testing.assert_array_equal(one.motion.root_positions, two.motion.root_positions)


def test_other_motions_are_written_beside_the_best(motionloom, corpus, request_file, tmp_path):
    ran = motionloom("timeline", corpus, request_file(WALK_AND_RUN), "-o", tmp_path / "out.npz", "--others", 1)
    best, other = (read_result(tmp_path / name) for name in ("out.npz", "out_2.npz"))
    assert "out_2.npz" in ran.out
    assert not np.array_equal(best.provenance.frames, other.provenance.frames)


def test_a_motion_can_be_kept_with_its_labels_and_gone_on_from(motionloom, corpus, request_file, tmp_path):
    kept = motionloom(
        "timeline", corpus, request_file(WALK_AND_RUN), "-o", tmp_path / "out.npz", "--save-as", "new/walk_and_run"
    )
    assert kept.code == 0, kept.err
    with Corpus.open(corpus) as opened:
        assert {label.label for label in opened.labels("new/walk_and_run")} >= {"walk", "run"}
        assert load_result(opened, "new/walk_and_run").motion.n_frames == 180
    longer = request_file(
        "length: 5s\nstart_from: new/walk_and_run\nlabels:\n  - {label: run, from: 3s}\ntakes: [run/*]\n"
    )
    ran = motionloom("timeline", corpus, longer, "-o", tmp_path / "longer.npz")
    assert ran.code in (0, 1), ran.err
    result = read_result(tmp_path / "longer.npz")
    assert result.motion.n_frames == 300
    source, frame, weight = result.provenance.of_frame(60)[0]
    assert (source.name, frame, weight) == ("new/walk_and_run", 60.0, 1.0)


def test_a_corpus_that_somebody_writes_to_is_read_all_the_same(motionloom, corpus, request_file, tmp_path):
    with Corpus.open(corpus, write=True):
        ran = motionloom("timeline", corpus, request_file("length: 1s\n"), "-o", tmp_path / "out.npz")
        assert ran.code == 0, ran.err
        assert "not cached" in ran.err and "is writing to this corpus" in ran.err
    assert read_result(tmp_path / "out.npz").motion.n_frames == 60


def test_an_impossible_request_still_gives_a_motion_and_says_why(motionloom, corpus, request_file, tmp_path):
    impossible = "length: 3s\nlabels:\n  - {label: run}\n  - {label: wave}\n"
    ran = motionloom("timeline", corpus, request_file(impossible), "-o", tmp_path / "out.npz")
    assert ran.code == 1
    assert read_result(tmp_path / "out.npz").motion.n_frames == 180
    assert "MISSED" in ran.out
    assert "run and wave" in ran.out or "wave and run" in ran.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("length: 0s\n", "length is 0s"),
        ("length: 2s\nlabels: [{label: fly}]\n", "nothing is labelled 'fly'"),
        ("length: 2s\nlabels: [{label: run}, {label: run, value: must_not}]\n", "both must and must_not"),
        ("length: 2s\nlabels: [{label: run, to: 9s}]\n", "past the end"),
        ("length: 2s\nplaces: [{at: 9s, heading: 0}]\n", "past the end"),
        ("length: 2s\nfrmaes: []\n", "unknown 'frmaes'"),
        ("length: 2s\ntakes: [dance/*]\n", "no take is called 'dance/*'"),
        ("length: 2s\nstart_from: nobody\n", "no take 'nobody'"),
    ],
)
def test_one_sentence_says_what_is_wrong_and_nothing_is_written(
    motionloom, corpus, request_file, tmp_path, text, message
):
    ran = motionloom("timeline", corpus, request_file(text), "-o", tmp_path / "out.bvh")
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not (tmp_path / "out.bvh").exists()


def test_wrong_use_is_reported_in_one_sentence(motionloom, corpus, request_file, tmp_path):
    request = request_file("length: 2s\n")
    for arguments, message in (
        ((corpus,), "give a corpus, a request and -o OUT"),
        ((corpus, request, "-o", tmp_path / "out.doc"), "cannot write '.doc'"),
        ((corpus, request, "-o", tmp_path / "out.bvh", "--solver", "magic"), "no solver 'magic'"),
        ((corpus, request, "-o", tmp_path / "o.bvh", "--picture", tmp_path / "o.gif"), "ends in .png"),
        ((corpus, tmp_path / "none.yaml", "-o", tmp_path / "out.bvh"), "no such file"),
        ((corpus, request, "-o", tmp_path / "out.bvh", "--save-as", "a//b"), "is not a valid name for a take"),
        ((corpus, request, "-o", tmp_path / "out.bvh", "--save-as", TAKES[0]), f"there is a take '{TAKES[0]}' already"),
    ):
        ran = motionloom("timeline", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err
    assert not (tmp_path / "out.bvh").exists()


def test_an_empty_corpus_is_reported(motionloom, request_file, tmp_path):
    Corpus.create(tmp_path / "empty").close()
    ran = motionloom("timeline", tmp_path / "empty", request_file("length: 2s\n"), "-o", tmp_path / "out.bvh")
    assert ran.code == 2
    assert "no takes to choose from" in ran.err


def test_the_schema_is_json(motionloom):
    assert json.loads(motionloom("timeline", "--schema").out)["title"] == "Request"


def test_a_sheet_is_called_like_its_file(motionloom, corpus, request_file, tmp_path, monkeypatch):
    from motionloom import render

    titles = []
    monkeypatch.setattr(
        render, "write_contact_sheet", lambda path, *_, title, **__: titles.append(title) or path.touch()
    )
    motionloom("timeline", corpus, request_file(WALK_AND_RUN), "-o", tmp_path / "sheet.png")
    assert titles == ["sheet"]
