"""Statistics of a corpus: learnt once from all recordings, kept while few of them change, learnt again aside."""

import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from motionloom.caching import Kind
from motionloom.conform import make_view, statistics
from motionloom.conform.statistics import learn_statistics, learning_again
from motionloom.corpus import Corpus
from motionloom.formats.take import Source, Take


def make_nothing():
    """What the code of these kinds is found by."""


KIND = Kind("means", make_nothing)


class Learner:
    """Learns the mean root position of what it is shown, and remembers what that was."""

    def __init__(self):
        self.shown = []

    def __call__(self, view):
        self.shown.append(view.names)
        return {"mean": view.frames[:, :3].mean(axis=0)}


@pytest.fixture
def add(make):
    def add(corpus, *names):
        for name in names:
            motion = make.motion(n_frames=60, seed=zlib.crc32(name.encode()), wildness=0.2, hinged=True)
            corpus.add(Take(name, motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)

    return add


@pytest.fixture
def corpus(tmp_path, add):
    with Corpus.create(tmp_path / "corpus") as corpus:
        add(corpus, *(f"take_{letter}" for letter in "abcdefghijklmnopqrst"))
        yield corpus


def learn(corpus, learner, names=None, **settings):
    return learn_statistics(make_view(corpus, names), KIND, settings, learner)


def test_they_are_learnt_once_from_all_recordings_whatever_is_asked_for(corpus):
    learner = Learner()
    first = learn(corpus, learner, ["take_a"])
    again = learn(corpus, learner)
    assert len(learner.shown) == 1 and set(learner.shown[0]) >= set(corpus.names())
    assert first.digest == again.digest and first.arrays["mean"].shape == (3,)
    assert (first.n_takes, first.seconds, first.changed) == (20, pytest.approx(20.0), 0.0)
    assert learn(corpus, learner, other=1).digest == first.digest and len(learner.shown) == 2


def test_a_tenth_may_change_before_they_are_due_and_half_before_they_are_learnt_at_once(corpus, add):
    learner = Learner()
    first = learn(corpus, learner)
    add(corpus, "more")
    corpus.remove("take_a")
    kept = learn(corpus, learner)
    assert kept.digest == first.digest and kept.changed == pytest.approx(2 / 20) and not kept.is_due
    add(corpus, "another")
    kept = learn(corpus, learner)
    assert kept.digest == first.digest and kept.is_due
    assert "14% of the seconds have changed" in kept.describe()
    add(corpus, *(f"new {number}" for number in range(11, 30)))
    assert len(learner.shown) == 1
    assert learn(corpus, learner).changed == 0.0 and len(learner.shown) == 2


def test_learning_takes_no_place_among_the_views_that_were_used_last(corpus):
    view = make_view(corpus, ["take_a"])
    for number in range(3):
        learn_statistics(view, KIND, {"number": number}, Learner())
    kept = corpus.connection.execute("SELECT key FROM models WHERE kind = 'view'").fetchall()
    assert kept == [(view.key,)]


def test_renaming_and_labels_change_nothing(corpus):
    learner = Learner()
    learn(corpus, learner)
    corpus.rename("take_a", "zebra")
    assert learn(corpus, learner).changed == 0.0 and len(learner.shown) == 1


def read_digest(folder):
    with Corpus.open(folder) as reader:
        return learn(reader, Learner()).digest


def test_learning_again_happens_aside_and_is_seen_when_it_is_done(corpus, add):
    learner = Learner()
    first = learn(corpus, learner)
    add(corpus, "one more", "and another", "and a third")
    with learning_again(corpus):
        new = learn(corpus, learner)
        assert new.digest != first.digest and learn(corpus, learner).digest == new.digest
        with ThreadPoolExecutor() as others:  # as another process would
            assert others.submit(read_digest, corpus.folder).result() == first.digest
    assert learn(corpus, learner).digest == new.digest and len(learner.shown) == 2
    with Corpus.open(corpus.folder) as reader:
        seen = learn(reader, Learner())
        assert (seen.digest, seen.is_due) == (new.digest, False)


def test_learning_again_that_fails_changes_nothing(corpus, add):
    learner = Learner()
    first = learn(corpus, learner)
    add(corpus, "one more", "and another", "and a third")
    with pytest.raises(KeyboardInterrupt), learning_again(corpus):
        learn(corpus, learner)
        raise KeyboardInterrupt
    assert learn(corpus, learner).digest == first.digest


def test_a_large_corpus_is_sampled_and_the_sample_hardly_changes_with_what_is_added(corpus, add, monkeypatch):
    monkeypatch.setattr(statistics, "SAMPLE_SECONDS", 8.0)
    learner = Learner()
    learn(corpus, learner)
    add(corpus, "one more")
    learn(corpus, learner, other=1)
    before, after = ({name for name in shown if "~" not in name} for shown in learner.shown)
    assert len(before) == len(after) == 8 and len(before & after) >= 7


def test_other_skeletons_and_rates_have_their_own(corpus):
    learner = Learner()
    view = make_view(corpus)
    learn_statistics(view, KIND, {}, learner)
    learn_statistics(replace(view, skeleton=view.skeleton.scaled(1.1)), KIND, {}, learner)
    assert len(learner.shown) == 2
    np.testing.assert_array_equal(learn_statistics(view, KIND, {}, learner).arrays["mean"].shape, (3,))
