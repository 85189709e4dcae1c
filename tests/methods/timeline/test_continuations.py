"""Nearest continuations: one index of the corpus, of which views are parts, and which takes are added to."""

import numpy as np
import pytest

from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.graphs.view_measures import measure_view_features
from motionloom.methods.timeline import continuations
from motionloom.methods.timeline.continuations import find_continuations
from motionloom.similarity import NeighbourSettings, find_neighbours

TAKES = ("idle/toe_taps", "idle/weight_shifts", "walk/normal_1", "walk/slow", "wave/standing")
COUNT = 8


@pytest.fixture
def corpus(make, tmp_path):
    with make.demo_corpus(tmp_path / "corpus", TAKES) as corpus:
        measure_view_features(make_view(corpus))  # the feature space is that of all, whatever is asked for first
        yield corpus


@pytest.fixture
def searched(monkeypatch):
    """How each index came to be: the numbers that its motions had in the one before."""
    seen, real = [], continuations._search.make
    monkeypatch.setattr(
        type(continuations._search), "__call__", lambda kind, *a: (seen.append(np.array(a[1]).tolist()), real(*a))[1]
    )
    return seen


def check(view, count=COUNT):
    """Hold the continuations of a view against the exact ones; how many of these are found."""
    found, measure = find_continuations(view, count), measure_view_features(view)
    exact = find_neighbours(measure, NeighbourSettings(count=count))
    n = view.n_frames
    listed = found.frames[:n] >= 0
    rows = np.repeat(np.arange(n), count).reshape(n, count)
    np.testing.assert_allclose(
        found.distances[:n][listed], measure.pairs(rows[listed], found.frames[:n][listed]), rtol=1e-4, atol=1e-4
    )
    hits = sum(len(set(a) & set(b)) for a, b in zip(found.frames[:n].tolist(), exact.frames.tolist()))
    assert hits >= 0.98 * (exact.frames >= 0).sum()
    assert found.frames.shape == (n + len(view.names), count) and len(found.coordinates) == n + len(view.names)


def test_a_part_of_the_corpus_is_a_part_of_its_index(corpus, searched):
    check(make_view(corpus))
    assert searched == [[-1] * 5]
    check(make_view(corpus, TAKES[:2]))
    assert searched[1:] == [[0, 1]]
    check(make_view(corpus))
    assert len(searched) == 2


def test_a_part_that_was_asked_for_is_known_while_the_rest_changes(corpus, searched):
    check(make_view(corpus))
    part = find_continuations(make_view(corpus, TAKES[:2]), COUNT)
    corpus.rename(TAKES[3], "zebra")
    corpus.remove(TAKES[4])
    again = find_continuations(make_view(corpus, TAKES[:2]), COUNT)
    np.testing.assert_array_equal(part.frames, again.frames)
    assert searched[1:] == [[0, 1]]


def test_takes_that_come_are_added_and_others_stay(corpus, searched):
    check(make_view(corpus, TAKES[:3]))
    check(make_view(corpus, TAKES[2:4]))  # two that are known, though not asked for, stay in the index
    assert searched[1] == [0, 1, 2, -1]
    searched.clear()
    check(make_view(corpus, TAKES[:4]))
    assert searched == []


def test_takes_that_left_the_corpus_go_and_renamed_ones_are_known(corpus, searched):
    check(make_view(corpus, TAKES[:4]))
    corpus.remove(TAKES[0])
    corpus.rename(TAKES[1], "zebra")
    check(make_view(corpus))
    assert searched[1] == [2, 3, -1, 1]  # in the order of names: walks, wave, zebra


def test_another_process_finds_the_index_and_makes_nothing(corpus, searched):
    first = find_continuations(make_view(corpus), COUNT)
    with Corpus.open(corpus.folder) as reader:
        again = find_continuations(make_view(reader), COUNT)
    np.testing.assert_array_equal(first.frames, again.frames)
    assert len(searched) == 1


def test_an_index_that_does_not_fit_is_built_anew(corpus, monkeypatch):
    view = make_view(corpus, TAKES[:3])
    check(view)
    real = continuations._read

    def spoiled(*arguments):
        kept = real(*arguments)
        return None if kept is None else continuations._Kept(kept.keys[::-1], kept.index)

    monkeypatch.setattr(continuations, "_read", spoiled)
    check(make_view(corpus, TAKES[:4]))
