"""Labels are judged on the frames that come out too, by the classifier that the corpus keeps."""

import shutil

import numpy as np
import pytest

from motionloom.assembly import realize
from motionloom.classify import USUAL, freeze, keep_classifier, train_view
from motionloom.conform.label_tracks import label_tracks
from motionloom.corpus import Corpus, Verified
from motionloom.methods import timeline
from motionloom.methods.timeline import Request, prepare
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.objective.solution import make_solution
from motionloom.methods.timeline.passes.forward_backward import Recall
from motionloom.methods.timeline.report.measures import Stretch
from motionloom.methods.timeline.report.output_labels import judge_output
from motionloom.methods.timeline.search import State, make_answer

LABELS = ("walk", "run", "stand")
WALK, RUN = "walk/stop_and_go", "run/walk_run_walk_1"


@pytest.fixture
def learnt(small_corpus, tmp_path):
    """The four takes in a corpus that keeps a classifier."""
    shutil.copytree(small_corpus.folder, tmp_path / "corpus")
    with Corpus.open(tmp_path / "corpus", write=True) as corpus:
        model = prepare(corpus)
        takes = list(model.view.names)
        corpus.verify(Verified(take, word, 0, corpus.info(take).n_frames) for take in takes for word in LABELS)
        taught = train_view(model.view, LABELS, label_tracks(model.view, LABELS), USUAL)
        keep_classifier(corpus, freeze(taught, model.view.skeleton), takes)
        yield model


def answer_of(model, frames, **paint):
    labels = [{"label": label, **when} for label, when in paint.items()]
    request = Request.from_data({"length": f"{len(frames)}f", "labels": labels})
    problem = pose_problem(model, request)
    state = State(problem, make_solution(model, problem, np.asarray(frames), "test"), Recall())
    return make_answer(model, request, state)


def play(model, frames, **paint):
    return realize(timeline, answer_of(model, frames, **paint), model).report


def running(model):
    """The longest stretch of running."""
    held = model.tracks[:, model.labels.index("run")] == 1
    start, _ = model.view.range_of(RUN)
    return start + np.flatnonzero(held[slice(*model.view.range_of(RUN))])[:100]


def test_uncut_frames_are_what_their_recording_is(learnt):
    report = play(learnt, running(learnt), run={})
    (found,) = report.details["output_labels"]
    assert (found["label"], found["start"], found["stop"]) == ("run", 0, 100)
    assert found["source"] > 0.9 and abs(found["output"] - found["source"]) < 0.12  # a second has ends of its own
    (line,) = [line for line in report.quality if "as classified" in line.name]
    assert line.value == pytest.approx(100 * found["output"]) and line.usual == pytest.approx(100 * found["source"])
    assert not any("classifier" in note for note in report.notes)


def test_what_is_not_there_is_not_found(learnt):
    report = play(learnt, running(learnt), stand={}, walk={"value": "must_not"})
    by_label = {found["label"]: found for found in report.details["output_labels"]}
    assert by_label["stand"]["output"] < 0.1 and by_label["stand"]["source"] < 0.1
    assert by_label["walk"]["output"] > 0.8


def test_frames_that_come_out_are_judged_by_what_they_look_like(learnt):
    """What came out stands, although the frames that were to be played ran where they were recorded."""
    start, stop = learnt.view.range_of(WALK)
    still = start + np.flatnonzero(learnt.tracks[start:stop, learnt.labels.index("stand")] == 1)[:60]
    stood = realize(timeline, answer_of(learnt, still, run={}), learnt)
    ran = Stretch("run", 1, 0, 60, (), 0.0, 0.0)
    ((found,), notes) = judge_output(learnt, [ran], stood, running(learnt)[:60])
    assert found.source > 0.9 and found.output < 0.1 and not notes


def test_a_corpus_without_a_classifier_says_how_to_get_one(model):
    report = play(model, running(model), run={})
    assert report.details["output_labels"] == []
    (note,) = [note for note in report.notes if "classifier" in note]
    assert "motionloom annotate learn" in note
    assert not any("classifier" in note for note in play(model, running(model)).notes)  # nothing is painted


def test_labels_that_the_classifier_does_not_know_are_named(learnt):
    report = play(learnt, running(learnt), run={}, jump={"value": "must_not"})
    assert [found["label"] for found in report.details["output_labels"]] == ["run"]
    assert any("does not know jump" in note for note in report.notes)


def test_a_stale_classifier_is_not_used_silently(learnt):
    learnt.view.corpus.verify([Verified(WALK, "run", 0, 5)])
    learnt.view.corpus.remove("jump/run_and_jump_1")
    report = play(learnt, running(learnt), run={})
    assert any("out of date" in note and "have changed" in note for note in report.notes)
