"""`motionloom coverage`: what a corpus has of labels."""

import json

import pytest


@pytest.fixture
def labelled(motionloom, corpus, tmp_path):
    """The three recordings, walking first and waving then."""
    rows = ["walk/one,walk,0,20", "walk/one,wave,15,40", "walk/two,walk,0,41", "wave,wave,0,42"]
    (tmp_path / "labels.csv").write_text("take,label,start,stop\n" + "\n".join(rows) + "\n")
    assert motionloom("label", "import", corpus, tmp_path / "labels.csv").code == 0
    return corpus


def test_coverage_tells_labels_changes_and_what_comes_together(motionloom, labelled):
    ran = motionloom("coverage", labelled)
    assert ran.code == 0
    assert "3 takes" in ran.out
    assert "walk" in ran.out and "recorded" in ran.out
    assert "walk and wave 0.1 s" in ran.out


def test_coverage_for_programs_has_every_pair(motionloom, labelled):
    printed = json.loads(motionloom("coverage", labelled, "--json").out)
    assert [label["label"] for label in printed["labels"]] == ["walk", "wave"]
    pairs = {(change["before"], change["after"]): change for change in printed["changes"]}
    assert len(pairs) == 4
    assert pairs["walk", "wave"]["recorded"] == 1
    assert pairs["wave", "walk"]["recorded"] == 0
    assert printed["combinations"] == [{"labels": ["walk", "wave"], "seconds": pytest.approx(5 / 60)}]


def test_coverage_of_chosen_takes_and_labels(motionloom, labelled):
    printed = json.loads(motionloom("coverage", labelled, "--takes", "walk/*", "--labels", "walk", "--json").out)
    assert printed["takes"] == 2
    assert [label["label"] for label in printed["labels"]] == ["walk"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--labels", "fly"], "nothing is labelled 'fly'; the labels are walk, wave"),
        (["--takes", "swim/*"], "no take is called 'swim/*'"),
        (["--labels", ","], "--labels ',' has no label"),
    ],
)
def test_unknown_names_are_refused_in_a_sentence(motionloom, labelled, options, sentence):
    ran = motionloom("coverage", labelled, *options)
    assert ran.code == 2
    assert sentence in ran.err


def test_a_corpus_without_labels_is_refused(motionloom, corpus):
    ran = motionloom("coverage", corpus)
    assert ran.code == 2
    assert "has no labels" in ran.err


def test_a_corpus_that_cannot_be_written_is_covered_all_the_same(motionloom, labelled, monkeypatch):
    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("motionloom.corpus.store.write_lock.os.open", refuse)
    ran = motionloom("coverage", labelled)
    assert ran.code == 0
    assert "walk and wave 0.1 s" in ran.out
    assert "not cached" in ran.err and "Read-only file system" in ran.err
