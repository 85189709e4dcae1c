"""Curves beside takes: kept with them exactly, whatever happens to the take, and told apart when damaged."""

from dataclasses import replace

import numpy as np
import pytest
from tests.formats.live_link_files import live_link_file

from motionloom import formats
from motionloom.corpus import Corpus, check
from motionloom.corpus.integrity.backup import back_up
from motionloom.errors import BadInput, CorpusError


@pytest.fixture
def curves(tmp_path):
    (tmp_path / "face.csv").write_bytes(live_link_file(40, untracked=(7,)))
    return formats.read_curves(tmp_path / "face.csv")


def same(folder, name, curves):
    with Corpus.open(folder) as corpus:
        kept = corpus.take(name).curves
    arrays = all(
        np.array_equal(getattr(kept, key), getattr(curves, key), True) for key in ("values", "seconds", "frames")
    )
    return arrays and (kept.names, kept.fps, kept.start) == (curves.names, curves.fps, curves.start)


def test_curves_stay_with_their_take(corpus, takes, curves, tmp_path):
    for name, take in (("body", takes.body("body")), ("points", takes.points("points"))):
        corpus.add(take)
        corpus.set_curves(name, replace(curves, start=-0.5))
    assert corpus.info("body").curves is not None
    corpus.rename("body", "walks/body")
    corpus.remove("walks/body")
    with pytest.raises(CorpusError, match="no take 'walks/body'"):
        corpus.curves("walks/body")
    corpus.restore("walks/body")
    corpus.close()
    for name in ("walks/body", "points"):
        assert same(corpus.folder, name, replace(curves, start=-0.5))
    assert check(corpus.folder).problems == ()
    assert back_up(corpus.folder, tmp_path / "backup").problems == ()
    assert same(tmp_path / "backup", "walks/body", replace(curves, start=-0.5))
    assert check(tmp_path / "backup").problems == ()


def test_other_curves_take_the_place_of_the_old_and_none_forget_them(corpus, takes, curves):
    corpus.add(takes.body("body"))
    n_files = len(list(corpus.arrays.iterdir()))
    corpus.set_curves("body", curves)
    corpus.set_curves("body", replace(curves, values=curves.values + 1))
    assert len(list(corpus.arrays.iterdir())) == n_files + 1
    assert corpus.curves("body").values[0, 0] == curves.values[0, 0] + 1
    corpus.set_curves("body", None)
    assert corpus.curves("body") is None and corpus.info("body").curves is None
    assert len(list(corpus.arrays.iterdir())) == n_files


def test_takes_that_share_curves_do_not_take_them_from_each_other(corpus, takes, curves):
    for name, seed in (("a", 1), ("b", 2)):
        corpus.add(takes.body(name, seed=seed))
        corpus.set_curves(name, curves)
    corpus.set_curves("a", None)
    assert corpus.curves("b").n_rows == 40
    corpus.remove("b")
    corpus.purge()
    assert corpus.connection.execute("SELECT count(*) FROM curves").fetchone() == (0,)
    assert len(list(corpus.arrays.iterdir())) == 1


def test_a_take_that_comes_with_curves_keeps_them(corpus, takes, curves):
    corpus.add(replace(takes.body("body"), curves=curves))
    assert corpus.curves("body").n_rows == 40
    assert corpus.take("body").curves.names == curves.names


def test_a_damaged_take_that_is_imported_again_still_has_its_curves(corpus, takes, curves):
    take = takes.body("body")
    corpus.add(take)
    corpus.set_curves("body", curves)
    file = corpus.connection.execute("SELECT file FROM takes").fetchone()[0]
    corpus.close()
    (corpus.arrays / file).write_bytes(b"broken")
    assert check(corpus.folder, repair=True).is_clean
    with Corpus.open(corpus.folder, write=True) as again:
        again.add(take)
    assert same(corpus.folder, "body", curves)


def damage_array(corpus):
    (corpus.arrays / corpus.connection.execute("SELECT file FROM curves").fetchone()[0]).write_bytes(b"broken")


def damage_row(corpus):
    corpus.connection.execute("UPDATE curves SET content = replace(content, 'JawOpen', 'JawShut')")


@pytest.mark.parametrize("damage", [damage_array, damage_row])
def test_damaged_curves_are_found_told_and_set_aside_and_their_take_stays(corpus, takes, curves, damage):
    corpus.add(takes.body("body"))
    corpus.set_curves("body", curves)
    damage(corpus)
    corpus.close()
    with Corpus.open(corpus.folder) as reader, pytest.raises(CorpusError, match="its curves are damaged") as told:
        reader.curves("body")
    assert "motionloom check" in str(told.value)
    found = check(corpus.folder)
    assert ["its curves are damaged" in str(problem) for problem in found.problems] == [True]
    assert check(corpus.folder, repair=True).is_clean
    assert check(corpus.folder).problems == ()
    with Corpus.open(corpus.folder) as again:
        assert again.curves("body") is None and again.take("body").motion.n_frames == 12
        assert again.connection.execute("SELECT what FROM set_aside").fetchall() == [("curves",)]
    assert len(list((corpus.folder / "quarantine").iterdir())) == 1


def test_curves_of_a_catalogue_that_is_made_anew_are_recovered(corpus, takes, curves):
    corpus.add(takes.body("body"))
    corpus.set_curves("body", curves)
    corpus.close()
    content = bytearray((corpus.folder / "catalogue.sqlite").read_bytes())
    content[:16] = b"no SQLite here.."
    (corpus.folder / "catalogue.sqlite").write_bytes(content)
    report = check(corpus.folder, repair=True)
    assert report.is_clean and "1 set of curves" in str(report.problems[0])
    assert same(corpus.folder, "body", curves)


def test_curves_beyond_the_limits_are_refused(corpus, takes, curves):
    corpus.add(takes.body("body"))
    with pytest.raises(BadInput, match="begin 1e\\+06 s after their motion"):
        corpus.set_curves("body", replace(curves, start=1e6))
    with pytest.raises(BadInput, match="rows per second"):
        corpus.add(replace(takes.body("other", seed=3), curves=replace(curves, fps=1e6)))
    corpus.close()
    with Corpus.open(corpus.folder) as reader, pytest.raises(CorpusError, match="open for reading only"):
        reader.set_curves("body", curves)
