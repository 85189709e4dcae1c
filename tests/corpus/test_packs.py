"""Packs: parts of takes, made once, from whichever packs have them."""

import numpy as np
import pytest

from motionloom.caching import Kind
from motionloom.corpus import Corpus, packs
from motionloom.corpus.packs import MOST_USED, Part, read_parts


def make_nothing():
    """What the code of these kinds is found by."""


KIND = Kind("squares", make_nothing)


@pytest.fixture
def corpus(tmp_path):
    with Corpus.create(tmp_path / "corpus") as corpus:
        yield corpus


class Maker:
    """Makes the arrays of parts by their number in a list, and counts."""

    def __init__(self, wanted):
        self.wanted, self.made = wanted, []

    def __call__(self, number):
        value = self.wanted[number]
        self.made.append(value)
        return arrays_of(value)


def arrays_of(value):
    return {"rows": np.full((value, 2), value, np.float32), "few": np.full(value % 2, value)}


def ask(corpus, wanted, kind=KIND):
    """The packed parts of some numbers, and which of them were made for it."""
    maker = Maker(wanted)
    packed = read_parts(corpus, kind, [Part(f"key {value}", f"take {value}") for value in wanted], maker)
    for number, value in enumerate(wanted):
        for name, array in arrays_of(value).items():
            np.testing.assert_array_equal(packed.part(number)[name], array)
            assert packed.arrays[name].dtype == array.dtype
    return packed, maker.made


def rows(corpus):
    return corpus.connection.execute("SELECT count(*) FROM models").fetchone()[0]


def test_parts_are_made_once_whatever_else_is_asked_for(corpus):
    assert ask(corpus, [3, 1, 4])[1] == [3, 1, 4]
    assert ask(corpus, [3, 1, 4])[1] == []
    assert ask(corpus, [1, 5, 3])[1] == [5]
    assert ask(corpus, [4, 3, 5, 1])[1] == []
    assert ask(corpus, [2])[1] == [2]  # none of its arrays "few" has a row
    assert ask(corpus, [2])[1] == []
    assert ask(corpus, [7, 7])[1] == [7]


def test_a_pack_that_is_asked_for_as_it_was_made_is_mapped(corpus):
    ask(corpus, [3, 1])
    assert isinstance(ask(corpus, [3, 1])[0].arrays["rows"], np.memmap)
    assert not isinstance(ask(corpus, [1, 3])[0].arrays["rows"], np.memmap)


def test_readers_use_what_there_is_and_keep_nothing(corpus):
    ask(corpus, [3])
    with Corpus.open(corpus.folder) as reader:
        assert ask(reader, [3, 1])[1] == [1]
        assert ask(reader, [3, 1])[1] == [1]
    assert rows(corpus) == 1


def test_many_small_packs_become_one(corpus):
    for value in range(1, 4 * MOST_USED):
        ask(corpus, list(range(1, value + 1)))
        assert rows(corpus) <= MOST_USED + 1
    files = {file for (file,) in corpus.connection.execute("SELECT file FROM model_arrays")}
    assert {path.name for path in corpus.arrays.iterdir()} == files


def test_other_code_makes_parts_anew_and_what_only_this_process_has_stays_in_memory(corpus, monkeypatch):
    ask(corpus, [3])
    monkeypatch.setattr(Kind, "code_version", "new")
    assert ask(corpus, [3])[1] == [3]
    monkeypatch.setattr(Kind, "code_version", "mine~1")
    assert ask(corpus, [3, 5])[1] == [3, 5]
    assert ask(corpus, [5])[1] == []
    assert rows(corpus) == 1


def test_what_was_made_before_an_interruption_is_kept(corpus):
    class Interrupted(Maker):
        def __call__(self, number):
            if number == 2:
                raise KeyboardInterrupt
            return super().__call__(number)

    with pytest.raises(KeyboardInterrupt):
        read_parts(corpus, KIND, [Part(f"key {v}", f"take {v}") for v in (1, 2, 3)], Interrupted([1, 2, 3]))
    assert ask(corpus, [1, 2, 3])[1] == [3]


def test_a_damaged_pack_is_made_again(corpus):
    ask(corpus, [3, 1])
    name = corpus.connection.execute("SELECT file FROM model_arrays WHERE name = 'rows'").fetchone()[0]
    path = corpus.arrays / name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert ask(corpus, [3, 1])[1] == [3, 1]


def test_takes_that_are_dropped_leave_the_others_of_their_pack(corpus):
    ask(corpus, [3, 1, 5])
    packs.drop_takes(corpus, {"take 1"})
    assert ask(corpus, [5, 3])[1] == []
    assert rows(corpus) == 1
    packs.drop_takes(corpus, {"take 3", "take 5"})
    assert rows(corpus) == 0 and not list(corpus.arrays.iterdir())
