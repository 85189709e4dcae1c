"""The colour of a label is decided once: nothing that happens to a corpus afterwards changes it."""

import random

import pytest

from motionloom.corpus import Corpus, Label, Proposal, back_up, check
from motionloom.corpus.labels.label_colours import MOST, label_colours


@pytest.fixture
def labelled(corpus, takes):
    """Two takes with labels that do not come up in the order of the alphabet."""
    corpus.add(takes.body("a"))
    corpus.add(takes.body("b", seed=2))
    corpus.add_labels([Label("b", "walk", 0, 4), Label("a", "run", 6, 9), Label("a", "jump", 2, 5)])
    return corpus


def test_labels_are_numbered_in_the_order_in_which_they_come_up(labelled):
    assert label_colours(labelled) == {"walk": 0, "run": 1, "jump": 2}


def test_labels_that_are_added_change_no_other(labelled):
    before = label_colours(labelled)
    labelled.add_labels([Label("a", "about_face", 0, 2)])
    labelled.set_proposals("a", ["crawl"], [Proposal("a", "crawl", 5, 8, 0.7)])
    after = label_colours(labelled, ["back"])
    assert after == before | {"about_face": 3, "crawl": 4, "back": 5}
    assert label_colours(labelled) == after  # a word that was asked for once is known


def test_whatever_happens_to_a_corpus_no_number_ever_changes(labelled, takes):
    """Any order of steps: numbers are only added, and two labels share one only if one was renamed to the other."""
    dice, known = random.Random(5), {}
    words = [f"label {n}" for n in range(30)]
    steps = {
        "add": lambda: labelled.add_labels([Label(dice.choice("ab"), dice.choice(words), 0, 1 + dice.randrange(8))]),
        "drop": lambda: labelled.remove_labels(dice.sample(labelled.labels(), k=min(1, len(labelled.labels())))),
        "ask": lambda: label_colours(labelled, [dice.choice(words)]),
        "rename take": lambda: (labelled.rename("a", "c"), labelled.rename("c", "a")),
        "remove take": lambda: (labelled.remove("b"), label_colours(labelled), labelled.restore("b")),
    }
    for _ in range(80):
        steps[dice.choice(sorted(steps))]()
        now = label_colours(labelled)
        assert known.items() <= now.items()
        assert len(set(now.values())) == len(now)
        known = now


def test_a_corpus_that_is_opened_again_has_the_same_colours(labelled):
    before = label_colours(labelled, ["vocabulary word"])
    labelled.remove_labels([label for label in labelled.labels() if label.label == "walk"])
    labelled.close()
    with Corpus.open(labelled.folder) as corpus:
        assert label_colours(corpus) == before


def test_a_corpus_that_cannot_be_written_has_the_colours_that_it_would_get(labelled):
    labelled.close()
    with Corpus.open(labelled.folder) as corpus:
        seen = label_colours(corpus)
        further = label_colours(corpus, ["word"])["word"]
        assert label_colours(corpus, ["other", "word"])["word"] == further  # whatever else is asked
        assert label_colours(corpus) == seen
    with Corpus.open(labelled.folder, write=True) as corpus:
        assert label_colours(corpus) == seen


def test_a_renamed_label_keeps_its_colour_and_so_does_its_old_name(labelled):
    before = label_colours(labelled)
    labelled.rename_label("walk", "stroll")
    assert label_colours(labelled) == before | {"stroll": before["walk"]}
    labelled.rename_label("stroll", "walk")
    assert label_colours(labelled)["walk"] == before["walk"]


def test_a_backup_has_the_colours_too(labelled, tmp_path):
    before = label_colours(labelled, ["word"])
    labelled.close()
    back_up(labelled.folder, tmp_path / "copy")
    assert check(tmp_path / "copy").problems == ()
    with Corpus.open(tmp_path / "copy") as copy:
        assert label_colours(copy) == before


def test_a_damaged_row_is_as_if_nothing_was_decided(labelled):
    before = label_colours(labelled)
    for value in ("[1, 2]", '{"walk": -1, "run": "red", "jump": true}', "{"):
        with labelled.transaction():
            labelled.connection.execute("UPDATE about SET value = ? WHERE key LIKE '%label colours'", [value])
        assert label_colours(labelled) == before


def test_words_without_end_fill_no_catalogue(labelled):
    numbers = label_colours(labelled, [f"word {n}" for n in range(2 * MOST)] + ["bad\nword"])
    assert len(numbers) == 3 + 2 * MOST + 1
    assert len(label_colours(labelled)) == MOST
