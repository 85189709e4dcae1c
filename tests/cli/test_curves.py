"""Curves beside takes on the command line: imported, listed, exported, corrected and forgotten."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.formats.live_link_files import live_link_file

from motionloom import formats
from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus


@pytest.fixture
def face(tmp_path):
    path = tmp_path / "face.csv"
    path.write_bytes(live_link_file(40, untracked=(7,)))
    return path


def test_a_file_of_curves_is_kept_beside_the_take_that_is_named(motionloom, corpus, face, tmp_path):
    ran = motionloom("import", corpus, face, "--beside", "one")
    assert ran.code == 0, ran.err
    assert "walk/one: 61 curves of" in ran.out and "0 takes imported" in ran.out
    shown = motionloom("info", corpus, "walk/one").out
    assert "beside it: 61 curves, 40 rows at 30 per second (1.3 s, 1 without values)" in shown
    assert "from timecode 16:55:51:38.453, which is with the take" in shown
    about = json.loads(motionloom("info", corpus, "walk/one", "--json").out)
    assert about["has_curves"] and about["curves"]["rows"] == 40 and about["curves"]["timecode_fps"] == 60
    assert json.loads(motionloom("info", corpus, "wave", "--json").out)["curves"] is None
    out = tmp_path / "out" / "again.csv"
    ran = motionloom("curves", corpus, "one", "-o", out)
    assert ran.code == 0 and "JawOpen" in ran.out
    assert out.read_bytes() == face.read_bytes()
    again = motionloom("import", corpus, face, "--beside", "walk/one")
    assert again.code == 0 and "already there" in again.err


def test_in_a_folder_curves_go_beside_the_take_of_their_name(motionloom, corpus, recordings, tmp_path):
    (recordings / "walk" / "one.csv").write_bytes(live_link_file(30))
    (recordings / "walk" / "three.csv").write_bytes(live_link_file(30, seed=1))
    ran = motionloom("import", corpus, recordings, "--json", "--workers", "1")
    assert ran.code == 1
    told = json.loads(ran.out)
    assert [(each["take"], each["curves"]) for each in told["curves"]] == [("walk/one", 61)]
    assert len(told["duplicates"]) == 3 and told["imported"] == []
    assert "there is no take 'walk/three'. Import it first, or give one with --beside TAKE" in ran.err
    with Corpus.open(corpus) as store:
        assert store.take("walk/one").curves.n_rows == 30 and store.take("walk/two").curves is None


def test_takes_and_curves_of_one_import_find_each_other(motionloom, recordings, tmp_path):
    (recordings / "wave.csv").write_bytes(live_link_file(30))
    motionloom("new", tmp_path / "new")
    assert motionloom("import", tmp_path / "new", recordings).code == 0
    with Corpus.open(tmp_path / "new") as store:
        assert [name for name in store.names() if store.info(name).curves] == ["wave"]


def test_npz_files_carry_curves_out_and_in(motionloom, corpus, face, tmp_path):
    motionloom("import", corpus, face, "--beside", "wave")
    assert motionloom("export", corpus, "wave", "-o", tmp_path / "wave.npz").code == 0
    motionloom("new", tmp_path / "new")
    assert motionloom("import", tmp_path / "new", tmp_path / "wave.npz").code == 0
    assert motionloom("curves", tmp_path / "new", "wave", "-o", tmp_path / "again.csv").code == 0
    assert (tmp_path / "again.csv").read_bytes() == face.read_bytes()


def test_when_they_begin_is_corrected_and_they_are_forgotten(motionloom, corpus, face):
    motionloom("import", corpus, face, "--beside", "wave")
    ran = motionloom("curves", corpus, "wave", "--start", "-0.25", "--json")
    assert ran.code == 0 and json.loads(ran.out)["start"] == -0.25
    assert "0.25 s before it" in motionloom("info", corpus, "wave").out
    again = motionloom("import", corpus, face, "--beside", "wave")
    assert again.code == 0 and "already there" in again.err  # the same curves, wherever they begin
    assert motionloom("curves", corpus, "wave", "--clear").code == 0
    assert motionloom("curves", corpus, "wave").code == 2


def test_views_sample_them_at_their_frames(corpus, face):
    with Corpus.open(corpus, write=True) as store:
        curves = replace(formats.read_curves(face), start=0.1)
        store.set_curves("wave", curves)
        view = make_view(store, ["wave", "walk/one"], ViewSettings(fps=30, mirrored=True))
        names, values = view.curves("wave")
        n_frames = np.diff(view.range_of("wave"))[0]
        assert names == curves.names and values.shape == (n_frames, 61)
        assert np.isnan(values[:3]).all() and np.isfinite(values[3:10]).all()
        np.testing.assert_allclose(values[3:10], curves.values[:7], atol=1e-9)
        _, mirrored = view.curves("wave~mirrored")
        left, right = names.index("EyeBlinkLeft"), names.index("EyeBlinkRight")
        np.testing.assert_array_equal(mirrored[:, left], values[:, right])
        assert view.curves("walk/one") is None


def test_takes_made_of_a_take_have_its_curves(corpus, face):
    from motionloom.assembly.derived.derived_takes import mirror_take, trim_take

    with Corpus.open(corpus, write=True) as store:
        store.set_curves("wave", formats.read_curves(face))
        kept = store.curves("wave")
        trimmed = store.curves(trim_take(store, "wave", 12, 36, "short"))
        np.testing.assert_array_equal(trimmed.values, kept.values[6:18])
        assert trimmed.start == pytest.approx(0.0, abs=1e-9)
        np.testing.assert_array_equal(store.curves(mirror_take(store, "wave", "other")).values, kept.mirrored().values)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["import", "CORPUS", "FACE", "--beside", "nobody"], "nobody"),
        (["import", "CORPUS", "BODY", "--beside", "wave"], "0 such and 1 other files are given; give one alone"),
        (["import", "CORPUS", "missing.csv", "--beside", "wave"], "missing.csv"),
        (["import", "CORPUS", "BROKEN", "--beside", "wave"], "is not a valid number"),
        (["import", "CORPUS", "FACE"], "there is no take 'face'"),
        (["curves", "CORPUS", "wave"], "there are no curves beside it; motionloom import --beside"),
        (["curves", "CORPUS", "wave", "-o", "face.txt"], "curves are written as .csv"),
        (["curves", "CORPUS", "wave", "--clear", "--start", "1"], "it goes with no other option"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    motionloom, corpus, face, recordings, tmp_path, monkeypatch, arguments, sentence
):
    broken = tmp_path / "broken.csv"
    broken.write_bytes(face.read_bytes().replace(b"0.", b"o.", 3))
    given = {"CORPUS": corpus, "FACE": face, "BODY": recordings / "wave.bvh", "BROKEN": broken}
    monkeypatch.chdir(tmp_path)
    before = {path.name for path in tmp_path.iterdir()}
    ran = motionloom(*(given.get(word, word) for word in arguments))
    assert ran.code == 2
    assert sentence in ran.err and "Traceback" not in ran.err and "bug" not in ran.err
    assert {path.name for path in tmp_path.iterdir()} == before
    with Corpus.open(corpus) as store:
        assert not any(info.curves for info in store.infos())


def test_other_curves_are_not_put_in_the_place_of_those_that_are_there(motionloom, corpus, face, tmp_path):
    motionloom("import", corpus, face, "--beside", "wave")
    (tmp_path / "other.csv").write_bytes(live_link_file(10, seed=5))
    ran = motionloom("import", corpus, tmp_path / "other.csv", "--beside", "wave")
    assert ran.code == 2 and "'wave' has other curves already" in ran.err
    with Corpus.open(corpus) as store:
        assert store.curves("wave").n_rows == 40
