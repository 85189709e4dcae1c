"""A classifier without its view decides as the model that it was made of, and is found again in the corpus."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from motionloom.classify import classify, find_classifier, find_windows, freeze, keep_classifier, train_windows
from motionloom.classify.classifier import decide_windows
from motionloom.classify.settings import PAPER, USUAL
from motionloom.corpus import Corpus, Verified
from motionloom.errors import SkeletonMismatch
from motionloom.methods.annotate import Request, propose_tracks
from motionloom.motion import Placement, place, resample

LABELS = ("stand", "walk", "run")
OPEN = "walk/three"  # the take that is not verified


@pytest.fixture(scope="module", params=[USUAL, PAPER], ids=["usual", "paper"])
def model(request, view, verified):
    return train_windows(
        find_windows(view, request.param), LABELS, verified("walk/one", "walk/two", "run/one", "run/two"), request.param
    )


@pytest.fixture(scope="module")
def classifier(model, view):
    return freeze(model, view.skeleton)


def test_it_decides_about_a_take_as_the_model_does(model, classifier, view):
    proposed = propose_tracks(model, Request(takes=[OPEN])).tracks[OPEN] > 0
    np.testing.assert_array_equal(classify(classifier, view.motion(OPEN)), proposed)


def test_decision_values_are_those_of_the_model(model, classifier):
    start, stop = model.windows.range_of(OPEN)
    found = decide_windows(classifier, model.windows.coordinates[0, start:stop])
    np.testing.assert_allclose(found, model.decisions[start:stop], atol=2e-4)


def test_it_does_not_matter_where_a_motion_is_and_at_what_rate(classifier, view):
    motion = view.motion(OPEN)
    usual = classify(classifier, motion)
    moved = place(motion, Placement(1.3, np.array([4.0, -7.0])))
    np.testing.assert_array_equal(classify(classifier, moved), usual)
    slower = classify(classifier, resample(motion, 30.0))
    frames = np.minimum(2 * np.arange(len(slower)), len(usual) - 1)
    assert (slower == usual[frames]).mean() > 0.97


@pytest.mark.parametrize("size", [0.5, 1.7])
def test_children_and_giants_are_classified_as_others_who_move_alike(classifier, view, size):
    """At a rate that makes their pendulums swing alike, speeds in legs per second are the same."""
    motion = view.motion(OPEN)
    skeleton = replace(motion.skeleton, offsets=size * motion.skeleton.offsets)
    scaled = replace(motion, skeleton=skeleton, root_positions=size * motion.root_positions)
    assert (classify(classifier, scaled) == classify(classifier, motion)).mean() > 0.97


def test_other_joints_are_refused(classifier, make):
    other = make.motion(n_frames=40)
    with pytest.raises(SkeletonMismatch, match="learn it again"):
        classify(replace(classifier, joints=("Hips", "Tail")), other)


@pytest.fixture
def kept(classifier, view, tmp_path):
    shutil.copytree(view.corpus.folder, tmp_path / "corpus")
    with Corpus.open(tmp_path / "corpus", write=True) as corpus:
        assert find_classifier(corpus) is None
        takes = ["walk/one", "run/one"]
        for take in takes:
            corpus.verify(Verified(take, label, 0, corpus.info(take).n_frames) for label in LABELS)
        keep_classifier(corpus, classifier, takes)
        yield corpus


def test_a_kept_classifier_is_the_one_that_was_kept(kept, classifier, view):
    found = find_classifier(kept)
    assert (found.takes, found.stale, found.classifier.labels) == (("walk/one", "run/one"), "", LABELS)
    assert found.classifier.settings == classifier.settings
    motion = view.motion(OPEN)
    np.testing.assert_array_equal(classify(found.classifier, motion), classify(classifier, motion))


def test_a_classifier_says_when_what_it_was_learnt_from_has_changed(kept):
    kept.verify([Verified("run/two", "run", 0, 30)])
    assert "have changed" in find_classifier(kept).stale


def test_renamed_takes_are_the_ones_that_it_was_learnt_from(kept):
    kept.rename("walk/one", "stroll")
    found = find_classifier(kept)
    assert (found.takes, found.stale) == (("stroll", "run/one"), "")
    kept.remove("stroll")
    found = find_classifier(kept)
    assert found.takes == ("run/one",) and "have changed" in found.stale


def test_a_classifier_says_when_other_code_learnt_it(kept, monkeypatch):
    monkeypatch.setattr("motionloom.classify.kept_classifiers.code_version", lambda *_: "another")
    assert "version" in find_classifier(kept).stale
