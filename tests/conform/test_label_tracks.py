"""Label tracks of a view: verified, labelled by people, proposed by a classifier, or unknown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.conform import (
    ViewSettings,
    known_labels,
    label_tracks,
    make_view,
    take_ranges,
    used_labels,
    verified_tracks,
)
from motionloom.conform.base_view import swap_sides, take_of
from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.corpus import Corpus, Label, Proposal, Verified
from motionloom.formats.take import Source, Take

TAKES = {"slow": (20, 30.0), "same": (20, 60.0), "fast": (41, 120.0)}  # frames and rate


@pytest.fixture(scope="module")
def shared(tmp_path_factory, make):
    """A corpus of takes at half, the same and twice the rate of its view with mirrored copies."""
    with Corpus.create(tmp_path_factory.mktemp("tracks") / "corpus") as corpus:
        for seed, (name, (n_frames, fps)) in enumerate(TAKES.items()):
            take = Take(name, make.motion(n_frames=n_frames, seed=seed, fps=fps), Source("x", "npz", "", fps, 1.0))
            corpus.add(take, floor_height=0.0)
        yield corpus, make_view(corpus, settings=ViewSettings(mirrored=True))


@pytest.fixture
def known(shared):
    corpus, view = shared
    for table in ("labels", "verified", "proposals", "classified", "listed"):
        corpus.connection.execute(f"DELETE FROM {table}")
    return corpus, view


def track(view, name, label, tracks=label_tracks):
    start, stop = view.range_of(name)
    return tracks(view, [label])[start:stop, 0]


def test_a_corpus_without_labels_knows_nothing_but_layers(known):
    _, view = known
    assert used_labels(view) == []
    assert known_labels(view) == sorted(LAYER_WORDS)
    np.testing.assert_array_equal(label_tracks(view, ["walk"]), np.zeros((view.n_frames, 1)))
    assert label_tracks(view, []).shape == (view.n_frames, 0)
    assert label_tracks(view, ["walk"]).dtype == verified_tracks(view, ["walk"]).dtype == np.int8


def test_nothing_is_known_of_a_take_that_was_removed_after_the_view_was_made(known):
    corpus, view = known
    corpus.add_labels([Label("same", "walk", 2, 5), Label("slow", "walk", 0, 20)])
    corpus.remove(["slow"])
    try:
        assert not track(view, "slow", "walk").any()
        assert not track(view, "slow", "walk", verified_tracks).any()
        assert track(view, "same", "walk").any()
    finally:
        corpus.restore(["slow"])


def test_a_take_with_labels_is_without_what_is_not_on_its_list(known):
    corpus, view = known
    corpus.add_labels([Label("same", "walk", 2, 5), Label("slow", "run", 0, 1)])
    np.testing.assert_array_equal(track(view, "same", "walk"), [-1] * 2 + [1] * 3 + [-1] * 15)
    np.testing.assert_array_equal(track(view, "same", "run"), [-1] * 20)
    np.testing.assert_array_equal(track(view, "fast", "run"), [0] * 21)
    assert used_labels(view) == ["run", "walk"]


def test_frames_are_those_that_the_view_shows(known):
    corpus, view = known
    corpus.add_labels([Label("slow", "walk", 3, 5), Label("fast", "walk", 10, 21)])
    for name in ("slow", "fast"):
        expected = np.full(len(track(view, name, "walk")), -1)
        for label in view.labels(name):
            expected[label.start : label.stop] = 1
        np.testing.assert_array_equal(track(view, name, "walk"), expected)
    assert track(view, "slow", "walk").tolist().count(1) == 4  # two frames at half the rate
    assert track(view, "fast", "walk").tolist().count(1) == 6  # the frames 10, 12, ... 20


def test_mirrored_copies_swap_sides(known):
    corpus, view = known
    corpus.add_labels([Label("same", "turn_left", 2, 5)])
    np.testing.assert_array_equal(track(view, "same~mirrored", "turn_right"), track(view, "same", "turn_left"))
    assert 1 not in track(view, "same~mirrored", "turn_left")
    assert used_labels(view) == ["turn_left", "turn_right"]
    corpus.accept("fast", ["reach_right"], 0, 41, {"reach_right": [(0, 10)]})
    np.testing.assert_array_equal(track(view, "fast~mirrored", "reach_left", verified_tracks), [1] * 5 + [-1] * 16)


def test_only_verified_frames_are_known_in_a_take_that_has_no_other_labels(known):
    corpus, view = known
    corpus.accept("same", ["walk"], 3, 10, {"walk": [(3, 6)]})
    expected = [0] * 3 + [1] * 3 + [-1] * 4 + [0] * 10
    np.testing.assert_array_equal(track(view, "same", "walk"), expected)
    np.testing.assert_array_equal(track(view, "same", "walk", verified_tracks), expected)
    np.testing.assert_array_equal(track(view, "same", "run"), [0] * 20)


def test_proposals_count_where_the_machine_has_decided_and_nobody_has_looked(known):
    corpus, view = known
    corpus.set_proposals("same", ["walk", "run"], [Proposal("same", "walk", 0, 8, 0.9)])
    np.testing.assert_array_equal(track(view, "same", "walk"), [1] * 8 + [-1] * 12)
    np.testing.assert_array_equal(track(view, "same", "run"), [-1] * 20)
    np.testing.assert_array_equal(track(view, "same", "jump"), [0] * 20)
    np.testing.assert_array_equal(track(view, "fast", "walk"), [0] * 21)
    assert used_labels(view) == ["run", "walk"]
    corpus.accept("same", ["walk"], 4, 12, {"walk": [(10, 12)]})
    np.testing.assert_array_equal(track(view, "same", "walk"), [1] * 4 + [-1] * 6 + [1] * 2 + [-1] * 8)
    np.testing.assert_array_equal(track(view, "same", "walk", verified_tracks), [0] * 4 + [-1] * 6 + [1] * 2 + [0] * 8)


def test_lists_of_people_win_over_proposals_except_for_words_that_are_on_no_list(known):
    corpus, view = known
    corpus.add_labels([Label("same", "walk", 0, 5, "computed")])
    corpus.set_proposals(
        "same", ["walk", "wave"], [Proposal("same", "walk", 10, 15, 0.9), Proposal("same", "wave", 1, 3, 0.9)]
    )
    np.testing.assert_array_equal(track(view, "same", "walk"), [1] * 5 + [-1] * 15)
    np.testing.assert_array_equal(track(view, "same", "wave"), [-1] + [1] * 2 + [-1] * 17)
    corpus.add_labels([Label("slow", "wave", 0, 2)])  # now it is a word of lists
    np.testing.assert_array_equal(track(view, "same", "wave"), [-1] * 20)


def test_contacts_are_labels_too(known):
    _, view = known
    rests = view.source_contacts
    for word, columns in (("contacts.left", [0, 1]), ("contacts.right_ball", [3]), ("contacts.left_heel", [0])):
        expected = np.where(rests[:, columns].any(axis=1), 1, -1)
        np.testing.assert_array_equal(label_tracks(view, [word])[:, 0], expected)
    np.testing.assert_array_equal(track(view, "same~mirrored", "contacts.left"), track(view, "same", "contacts.right"))


spans = st.lists(st.tuples(st.integers(0, 19), st.integers(1, 20)).filter(lambda span: span[0] < span[1]), max_size=3)
words = st.sampled_from(["turn_left", "turn_right", "walk"])
takes = st.sampled_from(["slow", "same"])


@settings(max_examples=40)
@given(
    labels=st.lists(st.tuples(takes, words, st.sampled_from([(0, 5), (3, 12), (10, 20)])), max_size=4),
    looked=st.lists(st.tuples(takes, words, st.tuples(st.integers(0, 9), st.integers(10, 20))), max_size=3),
    proposed=st.lists(st.tuples(takes, words, spans), max_size=3),
)
def test_tracks_are_what_the_rule_says_frame_by_frame(shared, labels, looked, proposed):
    corpus, view = shared
    for table in ("labels", "verified", "proposals", "classified", "listed"):
        corpus.connection.execute(f"DELETE FROM {table}")
    for take, word, ranges in proposed:
        corpus.set_proposals(take, [word], {Proposal(take, word, *span, 0.5) for span in ranges})
    corpus.add_labels({Label(take, word, *span) for take, word, span in labels})
    corpus.verify([Verified(take, word, *span) for take, word, span in looked])
    known = corpus.labels(), corpus.verified(), corpus.classified(), corpus.proposals()
    for name in view.names:
        frames = [view.origin(frame).frame for frame in range(*view.range_of(name))]
        for label in ("turn_left", "turn_right", "walk"):
            take, word = take_of(name), swap_sides(label) if name.endswith("mirrored") else label
            expected = [_plain(*known, take, word, frame) for frame in frames]
            np.testing.assert_array_equal(track(view, name, label), expected)
            sure = [_plain(*known, take, word, frame, only_verified=True) for frame in frames]
            np.testing.assert_array_equal(track(view, name, label, verified_tracks), sure)


def _plain(labels, verified, classified, proposals, take, word, frame, only_verified=False):
    """The rule for one frame, in words."""

    def inside(records):
        return any(x.take == take and x.label == word and x.start <= frame + 1e-6 < x.stop for x in records)

    value = 1 if inside(labels) else -1
    if inside(verified):
        return value
    if only_verified:
        return 0
    if value == 1 or (take in {x.take for x in labels} and word in {x.label for x in labels}):
        return value
    if inside(classified):
        return 1 if inside(proposals) else -1
    return 0


@given(st.sampled_from(["slow", "same", "fast"]), st.lists(st.booleans(), min_size=41, max_size=41))
def test_frames_of_a_view_go_back_to_the_take_and_come_again(shared, name, flags):
    corpus, view = shared
    start, stop = view.range_of(name)
    # at half the rate a frame of the take is shown twice, and can hold only one flag
    flags = np.repeat(flags, 2)[: stop - start] if name == "slow" else np.array(flags)[: stop - start]
    n_frames = corpus.info(name).n_frames
    held = np.zeros(n_frames, bool)
    for first, end in take_ranges(view, name, flags):
        held[first:end] = True
    shown = np.floor(view.source_frames[start:stop] + 1e-6).astype(int)
    np.testing.assert_array_equal(held[shown], flags)
