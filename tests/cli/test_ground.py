"""`motionloom ground`: what the feet of a take stand on, given and shown."""

import json

import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.assembly.requests.ground_files import write_ground_file
from motionloom.corpus import Corpus
from motionloom.formats.take import Source, Take


@pytest.fixture
def hill(tmp_path):
    """A corpus with a walk over a hill, and the file of its ground."""
    walk = perform_supports("hills", 95)
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("walks/hill", walk.motion, Source("hill", "made", "", 60.0, 1.0)), floor_height=0.0)
    write_ground_file(tmp_path / "hill.json", walk.ground)
    return tmp_path / "corpus", tmp_path / "hill.json", walk.ground


def test_a_ground_is_given_shown_and_forgotten(motionloom, hill, tmp_path):
    corpus, file, ground = hill
    assert "no ground given" in motionloom("ground", corpus, "hill").out
    ran = motionloom("ground", corpus, "hill", file)
    assert ran.code == 0 and "walks/hill: floor at 0.0000 m, terrain of" in ran.out
    shown = motionloom("ground", corpus, "hill", "--json")
    assert json.loads(shown.out) == ground.to_data()
    (tmp_path / "again.json").write_text(shown.out)  # what is printed is a ground file
    assert motionloom("ground", corpus, "hill", tmp_path / "again.json").code == 0
    assert "a ground is given" in motionloom("info", corpus, "hill").out
    assert json.loads(motionloom("info", corpus, "hill", "--json").out)["has_ground"]
    assert "no ground given" in motionloom("ground", corpus, "hill", "--clear").out
    with Corpus.open(corpus) as store:
        assert store.ground("walks/hill") is None


def test_what_is_wrong_is_one_sentence_and_nothing_is_changed(motionloom, hill, tmp_path):
    corpus, file, _ = hill
    (tmp_path / "bad.yaml").write_text("floor: 0\nboxes: [{top: 1}]\n")
    for arguments, problem in (
        ((tmp_path / "bad.yaml",), "box 0 of a ground lacks"),
        ((tmp_path / "none.yaml",), "no such file"),
        ((file, "--clear"), "not both"),
    ):
        ran = motionloom("ground", corpus, "hill", *arguments)
        assert ran.code == 2 and problem in ran.err and "Traceback" not in ran.err
    with Corpus.open(corpus) as store:
        assert store.ground("walks/hill") is None
    assert motionloom("ground", corpus, "dale", file).code == 2
