"""A small corpus of performed takes with their truth."""

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.corpus import Corpus, Source, Take
from motionloom.performer import Writer, perform

SCORES = {
    "walk/one": [("stand", 1.0), ("walk", 2.0)],
    "walk/two": [("walk", 2.0), ("stand", 1.0)],
    "run/one": [("stand", 1.0), ("run", 2.0)],
    "run/two": [("run", 2.0), ("stand", 1.0), ("walk", 1.5)],
    "walk/three": [("stand", 0.8), ("walk", 1.5), ("stand", 0.8)],
}


@pytest.fixture(scope="session")
def view(tmp_path_factory):
    """Five short takes with the labels stand, walk and run."""
    corpus = Corpus.create(tmp_path_factory.mktemp("annotate") / "corpus")
    for seed, (name, actions) in enumerate(SCORES.items()):
        writer = Writer(name)
        for action, seconds in actions:
            writer = writer.then(action, seconds)
        made = perform(writer.done(), np.random.default_rng(seed))
        corpus.add(Take(name, made.motion, Source(name, "performer", name, made.motion.fps, 1.0)), floor_height=0.0)
        corpus.add_labels(made.labels)
    return make_view(corpus)


@pytest.fixture(scope="session")
def truth(view):
    """(N, 3) int8: what holds, of stand, walk and run."""
    tracks = np.full((view.n_frames, 3), -1, np.int8)
    for name in view.names:
        start, _ = view.range_of(name)
        for label in view.labels(name):
            if label.label in ("stand", "walk", "run"):
                column = ("stand", "walk", "run").index(label.label)
                tracks[start + label.start : start + label.stop, column] = 1
    return tracks


@pytest.fixture(scope="session")
def verified(view, truth):
    """Gives the tracks of which only some takes are verified."""

    def keep(*takes):
        tracks = np.zeros_like(truth)
        for take in takes:
            part = slice(*view.range_of(take))
            tracks[part] = truth[part]
        return tracks

    return keep
