"""Renaming a label changes it in all takes and tables, or fails without a change."""

import pytest

from motionloom.corpus import Label, Proposal
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.errors import BadInput


@pytest.fixture
def labelled(corpus, takes):
    """Two takes with labels of people and proposals, one of them removed."""
    corpus.add(takes.body("a"))
    corpus.add(takes.body("b", seed=2))
    corpus.add_labels([Label("a", "walk", 0, 4), Label("b", "walk", 2, 5), Label("a", "run", 6, 9)])
    corpus.set_proposals("a", ["walk", "jump"], [Proposal("a", "walk", 5, 8, 0.7)])
    corpus.accept("a", ["walk"], 0, 3, {"walk": [(1, 3)]})
    corpus.remove("b")
    return corpus


def test_renaming_changes_labels_verified_ranges_and_proposals(labelled):
    before = read_label_state(labelled)
    assert labelled.rename_label("walk", "stroll") == 2
    after = read_label_state(labelled)
    for field in ("labelled", "verified", "proposed", "classified"):
        renamed = {
            (take, "stroll" if label == "walk" else label): x for (take, label), x in getattr(before, field).items()
        }
        assert getattr(after, field) == renamed, field
    assert after.listed_labels == {"stroll", "run"}
    labelled.restore("b")
    assert [label.label for label in labelled.labels("b")] == ["stroll"]
    assert labelled.rename_label("stroll", "walk") == 2
    labelled.remove("b")
    assert read_label_state(labelled) == before


def test_a_word_that_is_used_already_is_refused_even_where_only_a_machine_uses_it(labelled):
    before = read_label_state(labelled)
    for word in ("run", "jump"):
        with pytest.raises(BadInput, match=f"a label '{word}' exists already"):
            labelled.rename_label("walk", word)
    with pytest.raises(BadInput, match="is not a valid label"):
        labelled.rename_label("walk", " ")
    assert read_label_state(labelled) == before
