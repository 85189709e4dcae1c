"""Agreement so far, and what a person would accept as it stands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.corpus import Corpus, Label, Proposal
from motionloom.corpus.labels.current_labels import corrected_ranges, current_ranges, decided_labels
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy, measure_proposals
from motionloom.errors import BadInput
from motionloom.formats.take import Source, Take


@pytest.fixture
def long(corpus, takes):
    """A take of ten seconds at ten frames per second."""
    corpus.add(takes.body("a", n_frames=100, fps=10.0))
    return corpus


def test_nothing_is_answered_before_people_look_or_where_nothing_was_classified(long):
    long.set_proposals("a", ["walk"], [Proposal("a", "walk", 0, 50, 0.9)])
    long.accept("a", ["run"], 0, 100, {})
    assert measure_proposals(long) == {}
    assert ProposalAccuracy().agreement is None


def test_right_proposals_and_corrections_are_counted_apart_from_borders(long):
    proposals = [Proposal("a", "walk", 10, 31, 0.9), Proposal("a", "walk", 50, 60, 0.6)]
    long.set_proposals("a", ["walk", "run"], proposals)
    long.accept("a", ["walk", "run"], 0, 80, {"walk": [(10, 30)], "run": [(62, 64), (70, 80)]})
    answers = measure_proposals(long, ["a"])
    assert answers["a", "walk"] == ProposalAccuracy(8.0, 6.9, proposals=2, right_proposals=1, corrections=1)
    assert answers["a", "run"] == ProposalAccuracy(8.0, 6.8, proposals=0, right_proposals=0, corrections=1)
    both = sum(answers.values(), ProposalAccuracy())
    assert both.agreement == pytest.approx(13.7 / 16.0)
    assert measure_proposals(long, []) == {}
    assert measure_proposals(long, ["a", "a"]) == answers


def test_a_machine_that_has_seen_the_answer_does_not_count(long):
    long.set_proposals("a", ["walk"], [])
    long.accept("a", ["walk"], 0, 100, {"walk": [(0, 100)]})
    before = measure_proposals(long)
    assert before["a", "walk"].agreement == 0.0
    long.set_proposals("a", ["walk"], [Proposal("a", "walk", 0, 100, 1.0)])
    assert measure_proposals(long) == before


def test_what_stands_is_what_people_and_the_machine_say(long):
    long.set_proposals("a", ["walk", "wave"], [Proposal("a", "walk", 20, 50, 0.9)])
    long.accept("a", ["walk"], 40, 60, {"walk": [(40, 45)]})
    state = read_label_state(long)
    assert decided_labels(long, state, "a", 0, 100) == ["walk", "wave"]
    assert current_ranges(long, state, "a", ["walk", "wave"], 30, 100) == {"walk": [(30, 45)], "wave": []}
    with pytest.raises(BadInput, match="label 'jump' is unknown in some of the frames"):
        current_ranges(long, state, "a", ["jump"], 0, 100)


def test_a_label_that_is_known_only_in_part_stands_only_there(long):
    long.accept("a", ["walk"], 0, 50, {"walk": [(0, 20)]})
    state = read_label_state(long)
    assert decided_labels(long, state, "a", 0, 50) == ["walk"]
    assert decided_labels(long, state, "a", 0, 51) == []
    with pytest.raises(BadInput, match=r"some of the frames \[0, 51\)"):
        current_ranges(long, state, "a", ["walk"], 0, 51)


def test_a_listed_take_stands_as_it_is_listed(long):
    long.add_labels([Label("a", "walk", 5, 10, "computed")])
    assert decided_labels(long, read_label_state(long), "a", 0, 100) == ["walk"]
    assert current_ranges(long, read_label_state(long), "a", ["walk"], 0, 100) == {"walk": [(5, 10)]}


def tracks_of(corpus):
    """Everything that is known, by take and label."""
    state = read_label_state(corpus)
    return {
        (take, word): state.track(take, word, 10).tolist() for take in ("a", "b") for word in ("walk", "run", "hop")
    }


@pytest.fixture(scope="module")
def shared(tmp_path_factory, make):
    """A corpus of two takes for many examples, emptied by each."""
    with Corpus.create(tmp_path_factory.mktemp("answers") / "corpus") as corpus:
        for seed, name in enumerate("ab"):
            take = Take(name, make.motion(n_frames=10, seed=seed), Source("x", "npz", "", 60.0, 1.0))
            corpus.add(take, floor_height=0.0)
        yield corpus


places = st.tuples(st.sampled_from("ab"), st.sampled_from(["walk", "run", "hop"]))
ranges = st.tuples(st.integers(0, 9), st.integers(1, 10)).filter(lambda pair: pair[0] < pair[1])


@settings(max_examples=40)
@given(
    listed=st.lists(st.tuples(places, ranges), max_size=3),
    proposed=st.lists(st.tuples(places, ranges), max_size=3),
    looked=st.lists(st.tuples(st.sampled_from("ab"), ranges), max_size=3),
)
def test_accepting_what_stands_changes_nothing_that_was_known_anywhere(shared, listed, proposed, looked):
    for table in ("labels", "verified", "proposals", "classified", "listed"):
        shared.connection.execute(f"DELETE FROM {table}")
    shared.add_labels({Label(*place, *range_) for place, range_ in listed})
    for (take, word), range_ in proposed:
        shared.set_proposals(take, [word], [Proposal(take, word, *range_, 0.5)])
    before = tracks_of(shared)
    for take, window in looked:
        state = read_label_state(shared)
        words = decided_labels(shared, state, take, *window)
        if words:
            shared.accept(take, words, *window, current_ranges(shared, state, take, words, *window))
        assert tracks_of(shared) == before


def test_a_corrected_file_says_where_labels_hold_and_others_do_not():
    labels = [Label("a", "walk", 0, 20), Label("a", "walk", 15, 30), Label("a", "jump", 0, 5), Label("b", "run", 0, 9)]
    assert corrected_ranges(labels, "a", ["walk", "run"], 10, 25) == {"walk": [(10, 25)], "run": []}
