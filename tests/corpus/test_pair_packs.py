"""Pair packs: lists of pairs of motions, made once, from whichever packs have them."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from motionloom.caching import Kind
from motionloom.corpus import Corpus, pair_packs
from motionloom.corpus.packs import MOST_USED
from motionloom.corpus.pair_packs import PairLists, PairMotion, read_pairs


def make_nothing():
    """What the code of these kinds is found by."""


KIND = Kind("nearest", make_nothing)


@pytest.fixture
def corpus(tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        yield corpus


def motions_of(wanted):
    return [PairMotion(f"key {value}", f"take {value}", 3 + value % 4) for value in wanted]


def lists_of(wanted, cells):
    """Plain twin: frames of two motions are near where a sum of their numbers says so; many distances are equal."""
    motions = motions_of(wanted)
    ids = [(i, value, frame) for i, value in enumerate(wanted) for frame in range(motions[i].n_frames)]
    rows = []
    for i, value, frame in ids:
        near = [
            (np.float32((value * 7 + other * 3 + frame * at) % 5), number)
            for number, (j, other, at) in enumerate(ids)
            if cells[i, j] and (value + other + frame + at) % 3
        ]
        rows.append(sorted(near))
    counts = [len(row) for row in rows]
    entries = [entry for row in rows for entry in row]
    frames = np.array([number for _, number in entries], np.int32)
    return PairLists(np.cumsum([0, *counts]), frames, np.array([away for away, _ in entries], np.float32))


def ask(corpus, wanted, kind=KIND):
    """The pairs that were made so that all are there; what is given is what making all of them gives."""
    made = []

    def make(cells):
        made.extend((wanted[i], wanted[j]) for i, j in np.argwhere(cells))
        return lists_of(wanted, cells)

    found = read_pairs(corpus, kind, motions_of(wanted), make)
    expected = lists_of(wanted, np.ones((len(wanted), len(wanted)), bool))
    for name in ("starts", "frames", "distances"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        assert getattr(found, name).dtype == getattr(expected, name).dtype
    return made


def rows(corpus):
    return corpus.connection.execute("SELECT count(*) FROM models").fetchone()[0]


def test_pairs_are_made_once_whatever_else_is_asked_for(corpus):
    assert len(ask(corpus, [3, 1, 4])) == 9
    assert ask(corpus, [3, 1, 4]) == []
    assert ask(corpus, [4, 3]) == []
    assert set(ask(corpus, [3, 5, 1])) == {(3, 5), (5, 3), (5, 5), (5, 1), (1, 5)}
    assert set(ask(corpus, [5, 4])) == {(5, 4), (4, 5)}
    assert ask(corpus, [5, 4, 3, 1]) == []


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(asked=st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=1, max_size=12), data=st.data())
def test_any_requests_one_after_another_give_what_making_all_gives(tmp_path_factory, asked, data):
    with Corpus.create(tmp_path_factory.mktemp("pairs") / "corpus") as corpus:
        known = set()
        for takes in asked:
            wanted = data.draw(st.permutations(sorted(takes)))
            made = ask(corpus, wanted)
            assert len(made) == len(set(made)) and not known.intersection(made)
            known.update((row, column) for row in wanted for column in wanted)


def test_many_small_packs_become_one(corpus):
    for value in range(1, 3 * MOST_USED):
        ask(corpus, list(range(1, value + 1)))
        assert rows(corpus) <= MOST_USED + 1
    files = {file for (file,) in corpus.connection.execute("SELECT file FROM model_arrays")}
    assert {path.name for path in corpus.arrays.iterdir()} == files


def test_what_is_asked_for_as_it_was_made_is_mapped_and_readers_keep_nothing(corpus):
    ask(corpus, [3, 1])
    found = read_pairs(corpus, KIND, motions_of([3, 1]), lambda _: pytest.fail("made again"))
    assert isinstance(found.frames, np.memmap)
    with Corpus.open(corpus.folder) as reader:
        assert len(ask(reader, [3, 1, 2])) == len(ask(reader, [3, 1, 2])) == 5
    assert rows(corpus) == 1


def test_other_code_makes_pairs_anew_and_what_only_this_process_has_stays_in_memory(corpus, monkeypatch):
    ask(corpus, [3, 1])
    monkeypatch.setattr(Kind, "code_version", "new")
    assert len(ask(corpus, [3, 1])) == 4
    monkeypatch.setattr(Kind, "code_version", "mine~1")
    assert len(ask(corpus, [3])) == 1
    assert ask(corpus, [3]) == []
    assert rows(corpus) == 1


def test_a_damaged_pack_is_made_again(corpus):
    ask(corpus, [3, 1])
    name = corpus.connection.execute("SELECT file FROM model_arrays WHERE name = 'frames'").fetchone()[0]
    path = corpus.arrays / name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert len(ask(corpus, [3, 1])) == 4


def test_a_motion_that_is_there_twice_is_compared_with_itself(corpus):
    assert len(ask(corpus, [2, 2])) == 4
    assert rows(corpus) == 0


def test_takes_that_are_dropped_leave_the_others_of_their_pack(corpus):
    ask(corpus, [3, 1, 5])
    pair_packs.drop_takes(corpus, {"take 1"})
    assert ask(corpus, [5, 3]) == []
    assert rows(corpus) == 1
    pair_packs.drop_takes(corpus, {"take 3", "take 5"})
    assert rows(corpus) == 0 and not list(corpus.arrays.iterdir())
