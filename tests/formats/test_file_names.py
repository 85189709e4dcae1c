"""Names of files that no file system takes for the same."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from motionloom.formats.file_names import distinct_names, portable

E = "caf\u00e9"


def test_names_that_differ_stay_as_they_are():
    assert distinct_names(["walk/1", "walk/2", "run"], ".bvh") == ["walk/1.bvh", "walk/2.bvh", "run.bvh"]


def test_names_that_some_system_takes_for_the_same_are_numbered():
    assert distinct_names(["walk", "Walk", "WALK"], ".bvh") == ["walk.bvh", "Walk (2).bvh", "WALK (3).bvh"]
    decomposed = unicodedata.normalize("NFD", E)
    assert distinct_names([E, decomposed]) == [E, f"{decomposed} (2)"]
    assert distinct_names(["a", "a.", "a "]) == ["a", "a. (2)", "a  (2)"]
    assert distinct_names(["stra\u00dfe", "STRASSE"]) == ["stra\u00dfe", "STRASSE (2)"]
    assert distinct_names([portable("a:b"), portable("a?b")]) == ["a_b", "a_b (2)"]


def test_a_number_that_is_taken_is_passed_over():
    assert distinct_names(["a", "A (2)", "A"]) == ["a", "A (2)", "A (3)"]
    assert distinct_names(["a", "A", "A (2)"]) == ["a", "A (2)", "A (2) (2)"]


def test_a_file_is_no_folder_of_another():
    assert distinct_names(["a", "a.bvh/b", "A.BVH/c"], ".bvh") == ["a.bvh", "a.bvh (2)/b.bvh", "A.BVH (2)/c.bvh"]
    assert distinct_names(["a.bvh/b", "A"], ".bvh") == ["a.bvh/b.bvh", "A (2).bvh"]


PARTS = st.text("aA\u00e9e\u0301E.: b", min_size=1, max_size=3)


@given(st.lists(st.lists(PARTS, min_size=1, max_size=3).map("/".join), max_size=12))
def test_all_are_there_in_order_and_no_two_fold_to_the_same(names):
    found = distinct_names(names, ".npz")
    folded = [unicodedata.normalize("NFC", name).casefold() for name in found]
    assert len(set(folded)) == len(names)
    assert not any(other.startswith(f"{name}/") for name in folded for other in folded)
    for name, file in zip(names, found):
        assert file.rsplit("/")[-1].startswith(name.rsplit("/")[-1]) and file.endswith(".npz")
