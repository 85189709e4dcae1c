"""A word for a label is changed wherever it was said, or nowhere."""

import pytest

from motionloom.corpus import Label, Proposal
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.errors import BadInput


@pytest.fixture
def said(corpus, takes):
    """Two takes about which people and a machine have said something, one of them removed."""
    corpus.add(takes.body("a"))
    corpus.add(takes.body("b", seed=2))
    corpus.add_labels([Label("a", "walk", 0, 4), Label("b", "walk", 2, 5), Label("a", "run", 6, 9)])
    corpus.set_proposals("a", ["walk", "jump"], [Proposal("a", "walk", 5, 8, 0.7)])
    corpus.accept("a", ["walk"], 0, 3, {"walk": [(1, 3)]})
    corpus.remove("b")
    return corpus


def test_everything_that_was_said_with_a_word_is_said_with_the_other(said):
    before = read_label_state(said)
    assert said.rename_label("walk", "stroll") == 2
    after = read_label_state(said)
    for field in ("labelled", "verified", "proposed", "classified"):
        renamed = {
            (take, "stroll" if label == "walk" else label): x for (take, label), x in getattr(before, field).items()
        }
        assert getattr(after, field) == renamed, field
    assert after.listed_labels == {"stroll", "run"}
    said.restore("b")
    assert [one.label for one in said.labels("b")] == ["stroll"]
    assert said.rename_label("stroll", "walk") == 2
    said.remove("b")
    assert read_label_state(said) == before


def test_a_word_that_is_used_already_is_refused_even_where_only_a_machine_uses_it(said):
    before = read_label_state(said)
    for word in ("run", "jump"):
        with pytest.raises(BadInput, match=f"a label '{word}' exists already"):
            said.rename_label("walk", word)
    with pytest.raises(BadInput, match="is not a valid label"):
        said.rename_label("walk", " ")
    assert read_label_state(said) == before
