"""Annotating real recordings: a few verified takes are enough for most of the others."""

import csv

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.corpus import Corpus, Label, import_files
from motionloom.methods.annotate import Request, choose_settings, propose_tracks, train_view

pytestmark = pytest.mark.real

LABELS = ("run", "walk", "stand")
VERIFIED = ("143_01", "143_02", "143_03", "143_06", "143_32", "143_29")
OTHERS = ("143_04", "143_05", "143_42")


@pytest.fixture(scope="module")
def view(data, tmp_path_factory):
    corpus = Corpus.create(tmp_path_factory.mktemp("annotate") / "corpus")
    folder = data / "cmu" / "football_like"
    import_files(corpus, [folder / f"{take}.bvh" for take in (*VERIFIED, *OTHERS)], workers=0)
    rows = csv.DictReader((data / "cmu" / "labels.csv").open())
    names = set(corpus.names())
    given = [(row["take"].split("/")[-1], row["label"], int(row["start"]), int(row["stop"])) for row in rows]
    corpus.add_labels(Label(*row) for row in given if row[0] in names and row[1] in LABELS)
    return make_view(corpus)


@pytest.fixture(scope="module")
def truth(view):
    tracks = np.full((view.n_frames, len(LABELS)), -1, np.int8)
    for name in view.names:
        for label in view.labels(name):
            start, _ = view.range_of(name)
            tracks[start + label.start : start + label.stop, LABELS.index(label.label)] = 1
    return tracks


@pytest.mark.parametrize("classifier", ["usual", "paper"])
def test_six_verified_takes_teach_running_walking_and_standing(view, truth, classifier):
    tracks = np.zeros_like(truth)
    for take in VERIFIED:
        part = slice(*view.range_of(take))
        tracks[part] = truth[part]
    proposals = propose_tracks(train_view(view, LABELS, tracks, choose_settings(classifier)), Request(takes=OTHERS))
    right = [proposals.tracks[take] == truth[slice(*view.range_of(take))] for take in OTHERS]
    assert np.concatenate(right).mean() > 0.85
