"""What people verify: it holds exactly as given, and nothing else changes it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.corpus import Corpus, Label, Proposal, Verified
from motionloom.corpus.labels.frame_ranges import cut_out, flags_of, join_ranges, keep_inside
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.errors import BadInput, CorpusError
from motionloom.formats.take import Source, Take

N = 12  # frames of a take

ranges = st.tuples(st.integers(0, N - 1), st.integers(1, N)).filter(lambda pair: pair[0] < pair[1])
lists = st.lists(ranges, max_size=5)


@pytest.fixture
def one(corpus, takes):
    """A corpus with one take of twelve frames."""
    corpus.add(takes.body("a"))
    return corpus


@pytest.fixture(scope="module")
def shared(tmp_path_factory, make):
    """A corpus for many examples, emptied by each."""
    with Corpus.create(tmp_path_factory.mktemp("verifying") / "corpus") as corpus:
        corpus.add(Take("a", make.motion(n_frames=N), Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
        yield corpus


def empty(corpus):
    for table in ("labels", "verified", "proposals", "classified", "listed"):
        corpus.connection.execute(f"DELETE FROM {table}")


def holding(corpus, label="walk"):
    return flags_of([(x.start, x.stop) for x in corpus.labels("a") if x.label == label], N)


def verified(corpus, label="walk"):
    return flags_of([(x.start, x.stop) for x in corpus.verified("a") if x.label == label], N)


@given(lists, lists)
def test_ranges_are_joined_and_cut_as_flags_are(some, others):
    np.testing.assert_array_equal(flags_of(join_ranges(some), N), flags_of(some, N))
    outside = cut_out(join_ranges(some), others)
    np.testing.assert_array_equal(flags_of(outside, N), flags_of(some, N) & ~flags_of(others, N))
    inside = keep_inside(join_ranges(some), join_ranges(others))
    np.testing.assert_array_equal(flags_of(inside, N), flags_of(some, N) & flags_of(others, N))
    joined = join_ranges(some)
    assert all(first[1] < second[0] for first, second in zip(joined, joined[1:]))


def test_verified_ranges_of_a_label_join(one):
    one.verify([Verified("a", "walk", 6, 8), Verified("a", "walk", 0, 3), Verified("a", "run", 1, 2)])
    one.verify([Verified("a", "walk", 3, 5), Verified("a", "walk", 7, 9)])
    assert one.verified() == [
        Verified("a", "run", 1, 2),
        Verified("a", "walk", 0, 5),
        Verified("a", "walk", 6, 9),
    ]
    assert one.verified("a") == one.verified()


def test_verifying_changes_no_label_and_is_all_or_none(one):
    label = Label("a", "walk", 2, 5, "computed")
    one.add_labels([label])
    one.verify([Verified("a", "walk", 0, 12)])
    assert one.labels() == [label]
    with pytest.raises(BadInput, match=r"frames \[0, 13\) of verified 'run' are out of range"):
        one.verify([Verified("a", "run", 0, 5), Verified("a", "run", 0, 13)])
    assert one.verified() == [Verified("a", "walk", 0, 12)]


def test_accepting_replaces_inside_the_range_and_keeps_what_is_outside(one):
    one.add_labels([Label("a", "walk", 0, 10, "computed"), Label("a", "run", 0, 10, "computed")])
    one.accept("a", ["walk"], 3, 7, {"walk": [(4, 5)]})
    assert sorted(one.labels()) == [
        Label("a", "run", 0, 10, "computed"),
        Label("a", "walk", 0, 3, "computed"),
        Label("a", "walk", 4, 5, "user"),
        Label("a", "walk", 7, 10, "computed"),
    ]
    assert one.verified() == [Verified("a", "walk", 3, 7)]


def test_adjacent_ranges_that_a_person_accepts_become_one(one):
    one.accept("a", ["walk"], 0, 6, {"walk": [(2, 6)]})
    one.accept("a", ["walk"], 6, 12, {"walk": [(6, 9)]})
    assert one.labels() == [Label("a", "walk", 2, 9)]
    assert one.verified() == [Verified("a", "walk", 0, 12)]


def test_a_label_without_ranges_is_verified_to_hold_nowhere(one):
    one.add_labels([Label("a", "walk", 0, 10, "computed")])
    one.accept("a", ["walk", "run"], 0, 12, {})
    assert one.labels() == []
    assert one.verified() == [Verified("a", "run", 0, 12), Verified("a", "walk", 0, 12)]


@settings(max_examples=40)
@given(before=lists, window=ranges, held=lists, data=st.data())
def test_accepting_stores_exactly_what_was_given_and_can_be_undone(shared, before, window, held, data):
    empty(shared)
    sources = st.sampled_from(["user", "computed"])
    old = {Label("a", "walk", *range_, data.draw(sources)) for range_ in before}
    shared.add_labels(old)
    inside = keep_inside(held, [window])
    was = holding(shared)
    acceptance = shared.accept("a", ["walk"], *window, {"walk": inside})
    looked_at = flags_of([window], N)
    np.testing.assert_array_equal(holding(shared), np.where(looked_at, flags_of(inside, N), was))
    np.testing.assert_array_equal(verified(shared), looked_at)
    acceptance.undo(shared)
    assert set(shared.labels()) == old
    assert shared.verified() == []


def test_acceptances_are_undone_last_first(one):
    first = one.accept("a", ["walk"], 0, 6, {"walk": [(0, 4)]})
    second = one.accept("a", ["walk", "run"], 3, 9, {"run": [(3, 9)]})
    with pytest.raises(CorpusError, match="changed since frames"):
        first.undo(one)
    second.undo(one)
    assert (one.labels(), one.verified()) == ([Label("a", "walk", 0, 4)], [Verified("a", "walk", 0, 6)])
    first.undo(one)
    assert (one.labels(), one.verified()) == ([], [])


@pytest.mark.parametrize(
    ("labels", "window", "held", "reason"),
    [
        ([], (0, 5), {}, "name at least one label"),
        (["walk"], (0, 13), {}, r"\[0, 13\) of acceptance are out of range: the take has 12 frames"),
        (["walk"], (5, 5), {}, r"\[5, 5\)"),
        (["walk"], (2, 5), {"walk": [(1, 3)]}, r"frames \[1, 3\) of label 'walk' are out of range: only \[2, 5\)"),
        (["walk"], (2, 5), {"walk": [(3, 3)]}, r"\[3, 3\)"),
        (["walk"], (2, 5), {"run": [(2, 3)]}, "ranges of run given, but only walk"),
        ([" "], (2, 5), {}, "is not a valid label"),
    ],
)
def test_acceptances_that_make_no_sense_are_refused(one, labels, window, held, reason):
    with pytest.raises(BadInput, match=reason):
        one.accept("a", labels, *window, held)
    assert (one.labels(), one.verified()) == ([], [])


def test_unknown_takes_and_readers_are_refused(one):
    with pytest.raises(CorpusError, match="no take 'b'"):
        one.accept("b", ["walk"], 0, 5, {})
    with pytest.raises(CorpusError, match="no take 'b'"):
        one.set_proposals("b", ["walk"], [])
    one.close()
    with Corpus.open(one.folder) as reader:
        for change in (
            lambda: reader.accept("a", ["walk"], 0, 5, {}),
            lambda: reader.verify([]),
            lambda: reader.set_proposals("a", ["walk"], []),
        ):
            with pytest.raises(CorpusError, match="open for reading"):
                change()


def test_an_acceptance_that_fails_midway_leaves_nothing(one, monkeypatch):
    one.add_labels([Label("a", "walk", 0, 10, "computed")])

    def fail(*_):
        raise OSError("the power went")

    monkeypatch.setattr("motionloom.corpus.labels.acceptance._write_verified", fail)
    with pytest.raises(OSError, match="the power went"):
        one.accept("a", ["walk"], 0, 12, {})
    monkeypatch.undo()
    assert one.labels() == [Label("a", "walk", 0, 10, "computed")]
    assert one.verified() == []


def test_labels_that_contradict_what_was_verified_are_refused_and_others_go_in(one):
    one.accept("a", ["walk"], 2, 8, {"walk": [(2, 5)]})
    with pytest.raises(BadInput, match="a: label 'walk' is verified by a person"):
        one.add_labels([Label("a", "run", 0, 5), Label("a", "walk", 4, 6, "computed")])
    assert one.labels() == [Label("a", "walk", 2, 5)]
    assert (
        one.add_labels([Label("a", "walk", 3, 5, "computed"), Label("a", "walk", 8, 12), Label("a", "run", 0, 5)]) == 3
    )


def test_labels_that_were_verified_are_not_taken_away(one):
    one.accept("a", ["walk"], 2, 8, {"walk": [(2, 5)]})
    with pytest.raises(BadInput, match="verified by a person"):
        one.remove_labels([Label("a", "walk", 2, 5)])
    one.add_labels([Label("a", "walk", 8, 12)])
    assert one.remove_labels([Label("a", "walk", 8, 12)]) == 1
    assert one.labels() == [Label("a", "walk", 2, 5)]


def test_a_list_stays_a_list_whatever_is_accepted_until_it_is_taken_away(one):
    label = Label("a", "walk", 2, 5, "computed")
    one.add_labels([label])
    one.accept("a", ["walk"], 0, 6, {})
    assert read_label_state(one).listed_takes == {"a"}
    one.add_labels([Label("a", "run", 8, 9)])
    one.remove_labels([Label("a", "run", 8, 9)])
    assert read_label_state(one).listed_labels == {"walk"}


# proposals


def test_proposals_stay_out_of_verified_frames(one):
    one.accept("a", ["walk"], 3, 7, {"walk": [(3, 5)]})
    kept = one.labels(), one.verified()
    proposal = Proposal("a", "walk", 0, 10, 0.75)
    assert one.set_proposals("a", ["walk", "run"], [proposal], model={"kernel": "laplace"}) == 2
    assert one.proposals() == [Proposal("a", "walk", 0, 3, 0.75), Proposal("a", "walk", 7, 10, 0.75)]
    decided = sorted((x.label, x.start, x.stop) for x in one.classified("a"))
    assert decided == [("run", 0, 12), ("walk", 0, 3), ("walk", 7, 12)]
    assert one.classified("a")[0].model == '{"kernel": "laplace"}'
    assert (one.labels(), one.verified()) == kept


def test_new_proposals_replace_those_of_the_same_labels(one):
    one.set_proposals("a", ["walk", "run"], [Proposal("a", "walk", 0, 5, 0.9), Proposal("a", "run", 5, 9, 0.6)])
    one.set_proposals("a", ["walk"], [Proposal("a", "walk", 1, 2, 1.0)], code_version="7")
    assert one.proposals() == [Proposal("a", "walk", 1, 2, 1.0), Proposal("a", "run", 5, 9, 0.6)]
    assert [(x.label, x.code_version) for x in one.classified()] == [("run", ""), ("walk", "7")]


def test_what_was_proposed_before_a_person_looked_stays_to_compare_and_comes_back_by_undoing(one):
    one.set_proposals("a", ["walk"], [Proposal("a", "walk", 2, 9, 0.8)])
    acceptance = one.accept("a", ["walk"], 0, 6, {"walk": [(0, 6)]})
    one.set_proposals("a", ["walk"], [Proposal("a", "walk", 0, 12, 1.0)])  # by a classifier that has seen the answer
    assert one.proposals() == [Proposal("a", "walk", 6, 12, 1.0)]
    assert one.proposals(answered=True) == [Proposal("a", "walk", 2, 6, 0.8)]
    assert [(x.start, x.stop) for x in one.classified(answered=True)] == [(0, 6)]
    acceptance.undo(one)
    assert one.proposals() == [Proposal("a", "walk", 2, 6, 0.8), Proposal("a", "walk", 6, 12, 1.0)]
    assert one.proposals(answered=True) == []


@settings(max_examples=40)
@given(windows=st.lists(st.tuples(ranges, lists), max_size=3), proposed=lists, again=lists)
def test_proposals_never_change_what_was_verified(shared, windows, proposed, again):
    empty(shared)
    for window, held in windows:
        shared.accept("a", ["walk"], *window, {"walk": keep_inside(held, [window])})
    kept = shared.labels(), shared.verified()
    for wanted in (proposed, again):
        shared.set_proposals("a", ["walk"], {Proposal("a", "walk", *range_, 0.5) for range_ in wanted})
        assert (shared.labels(), shared.verified()) == kept
        looked_at = verified(shared)
        found = flags_of([(x.start, x.stop) for x in shared.proposals()], N)
        np.testing.assert_array_equal(found, flags_of(wanted, N) & ~looked_at)
        decided = flags_of([(x.start, x.stop) for x in shared.classified()], N)
        np.testing.assert_array_equal(decided, ~looked_at)


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (Proposal("a", "run", 0, 5, 0.5), "proposal of 'run' for a: expected one for a of the labels walk"),
        (Proposal("b", "walk", 0, 5, 0.5), "for b"),
        (Proposal("a", "walk", 0, 13, 0.5), r"frames \[0, 13\) of proposal 'walk' are out of range"),
        (Proposal("a", "walk", 0, 5, 1.5), "confidence of proposal 'walk' must be from 0 to 1, got 1.5"),
        (Proposal("a", "walk", 0, 5, float("nan")), "from 0 to 1, got nan"),
    ],
)
def test_proposals_that_make_no_sense_are_refused(one, proposal, reason):
    with pytest.raises(BadInput, match=reason):
        one.set_proposals("a", ["walk"], [proposal])
    assert (one.proposals(), one.classified()) == ([], [])


def test_what_a_person_chose_is_remembered(one):
    assert one.remembered("annotate") is None
    one.remember("annotate", {"labels": ["walk"], "gamma": 0.5})
    one.remember("annotate", {"labels": ["run"]})
    assert one.remembered("annotate") == {"labels": ["run"]}
    with pytest.raises(BadInput, match="cannot be stored as JSON"):
        one.remember("annotate", {"gamma": float("nan")})
    one.connection.execute("UPDATE about SET value = '{oops' WHERE key LIKE 'remembered%'")
    assert one.remembered("annotate") is None
