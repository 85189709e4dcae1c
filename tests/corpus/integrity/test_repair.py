"""What a repair must not lose: takes that cannot be read now, and annotations of damaged ones."""

import errno
import json
import os
import shutil

import numpy as np
import pytest

from motionloom.corpus import Contact, Corpus, Event, Label, check
from motionloom.corpus.store import array_files as store_module
from motionloom.errors import CorpusError


@pytest.fixture
def whole(corpus, takes):
    """A closed corpus of two bodies with labels, contacts and events."""
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add_labels([Label("a", "walk", 0, 5), Label("b", "run", 2, 12)])
    corpus.add_contacts([Contact("a", "left_heel", 1, 4)])
    corpus.add_events([Event("a", "catch", 3, "user", {"hand": "left"})])
    corpus.close()
    return corpus.folder


def file_of(folder, take):
    with Corpus.open(folder) as corpus:
        row = corpus.connection.execute("SELECT file FROM takes WHERE name = ?", [take]).fetchone()
        return corpus.arrays / row[0]


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[-7] ^= 0x10
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("number", [errno.EACCES, errno.EMFILE, errno.EIO])
def test_a_take_that_cannot_be_read_now_is_reported_and_left_alone(whole, monkeypatch, number):
    def refuse(path, *_, **__):
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(store_module.np, "load", refuse)
    report = check(whole, repair=True)
    assert [problem.is_repaired for problem in report.problems] == [False, False]
    assert all(
        f"cannot be read now ({os.strerror(number)})" in problem.message and "damaged" not in problem.message
        for problem in report.problems
    )
    with Corpus.open(whole) as corpus:
        with pytest.raises(CorpusError, match="cannot be read now") as error:
            corpus.take("a")
        assert "--repair" not in str(error.value)
    monkeypatch.undo()
    assert check(whole).problems == ()
    with Corpus.open(whole) as corpus:
        assert corpus.names() == ["a", "b"]


def test_a_take_that_was_set_aside_comes_back_when_its_array_is_whole_again(whole):
    path = file_of(whole, "a")
    good = path.read_bytes()
    flip_a_byte(path)
    check(whole, repair=True)
    with Corpus.open(whole, write=True) as corpus:
        with pytest.raises(CorpusError, match="in quarantine because it is damaged"):
            corpus.restore("a")
        (whole / "quarantine" / path.name).write_bytes(good)
        corpus.restore("a")
        assert corpus.take("a").motion.n_frames == 12
        assert corpus.labels("a") == [Label("a", "walk", 0, 5)]
    assert check(whole).problems == ()


def test_a_good_array_that_another_take_uses_too_stays_where_it_is(corpus, takes):
    corpus.add(takes.body("a", fps=60.0))
    corpus.add(takes.body("twin", fps=120.0))
    corpus.connection.execute("UPDATE takes SET n_frames = 13 WHERE name = 'a'")
    corpus.close()
    report = check(corpus.folder, repair=True)
    assert [problem.subject for problem in report.problems] == ["a"]
    with Corpus.open(corpus.folder) as reader:
        assert reader.take("twin").motion.n_frames == 12


@pytest.mark.parametrize("name", ["a", "elsewhere/a"])
def test_importing_a_damaged_take_again_brings_back_its_annotations(whole, takes, name):
    flip_a_byte(file_of(whole, "a"))
    check(whole, repair=True)
    with Corpus.open(whole, write=True) as corpus:
        added = corpus.add(takes.body(name, seed=1))
        assert (added.name, added.status) == (name, "imported")
        assert corpus.labels(name) == [Label(name, "walk", 0, 5)]
        assert corpus.contacts(name) == [Contact(name, "left_heel", 1, 4)]
        assert corpus.events(name) == [Event(name, "catch", 3, "user", {"hand": "left"})]
        assert corpus.infos(removed=True) == []
        assert corpus.take(name).motion.n_frames == 12
    assert check(whole).problems == ()


def test_importing_a_damaged_take_again_keeps_corrections(whole, takes):
    with Corpus.open(whole, write=True) as corpus:
        corpus.set_floor("a", 0.25)
        corpus.set_roles("a", {"head": "Neck"})
    flip_a_byte(file_of(whole, "a"))
    check(whole, repair=True)
    with Corpus.open(whole, write=True) as corpus:
        corpus.add(takes.body("a", seed=1))
        assert (corpus.info("a").floor_height, corpus.info("a").floor_given) == (0.25, True)
        assert corpus.take("a").motion.skeleton.roles["head"] == "Neck"


def test_purging_leaves_damaged_takes_alone_unless_asked(whole, takes):
    path = file_of(whole, "a")
    flip_a_byte(path)
    check(whole, repair=True)
    with Corpus.open(whole, write=True) as corpus:
        corpus.remove("b")
        assert corpus.purge() == ["b"]
        assert [info.name for info in corpus.infos(removed=True)] == ["a"]
        assert corpus.infos(removed=True)[0].is_damaged
        assert corpus.purge(damaged=True) == ["a"]
        assert corpus.infos(removed=True) == []
        assert not (whole / "quarantine" / path.name).exists()


def test_a_corpus_whose_empty_folder_of_arrays_was_not_copied_works(corpus, takes):
    corpus.close()
    (corpus.folder / "arrays").rmdir()
    (found,) = check(corpus.folder).problems
    assert str(found) == "arrays: the folder of the arrays is missing"
    report = check(corpus.folder, repair=True)
    assert report.is_clean
    assert check(corpus.folder).problems == ()
    shutil.rmtree(corpus.folder / "arrays")
    with Corpus.open(corpus.folder, write=True) as writer:
        assert writer.purge() == []
        assert writer.add(takes.body("a")).status == "imported"


@pytest.mark.parametrize("column", ["source", "findings"])
@pytest.mark.parametrize("text", ["{oops", b"\xff\xfe{", '[1, "x"]', '{"path": 3}', "null"])
def test_a_take_whose_source_or_findings_are_damaged_stays_in_use_and_says_so(whole, column, text):
    with Corpus.open(whole, write=True) as corpus:
        corpus.connection.execute(f"UPDATE takes SET {column} = CAST(? AS TEXT) WHERE name = 'a'", [text])
        assert any("is damaged" in flag.message for flag in corpus.info("a").flags)
        assert corpus.take("a").motion.n_frames == 12
        assert [info.name for info in corpus.infos()] == ["a", "b"]
    (found,) = check(whole).problems
    assert (found.subject, found.is_repaired) == ("a", False)
    assert check(whole, repair=True).is_clean
    assert check(whole).problems == ()
    with Corpus.open(whole) as corpus:
        assert corpus.labels("a") == [Label("a", "walk", 0, 5)]
        assert any("is damaged" in flag.message for flag in corpus.info("a").flags)
        assert corpus.connection.execute("SELECT what FROM set_aside").fetchall() == [("takes",)]


@pytest.mark.parametrize(
    "change", ["n_frames = 'x'", "fps = -1", "floor_height = 'high'", "name = CAST(x'ff61' AS TEXT)"]
)
def test_a_take_whose_row_cannot_be_right_is_reported_in_a_sentence_and_set_aside(whole, takes, change):
    with Corpus.open(whole, write=True) as corpus:
        corpus.connection.execute(f"UPDATE takes SET {change} WHERE name = 'a'")
        with pytest.raises(CorpusError, match=r"take '.?a': its .* cannot be right; `motionloom check .* --repair`"):
            corpus.infos()
        assert corpus.take("b").motion.n_frames == 12
    (found,) = check(whole).problems
    assert "cannot be right" in found.message
    assert check(whole, repair=True).is_clean
    assert check(whole).problems == ()
    with Corpus.open(whole, write=True) as corpus:
        assert corpus.names() == ["b"]
        assert corpus.infos(removed=True) == []  # what it was is unknown
        assert corpus.add(takes.body("a", seed=1)).status == "imported"
        assert corpus.labels("a") == [Label("a", "walk", 0, 5)]


def test_labels_and_events_that_are_no_text_any_more_are_set_aside(whole):
    with Corpus.open(whole, write=True) as corpus:
        corpus.connection.execute("UPDATE labels SET label = CAST(x'77ff6b' AS TEXT) WHERE label = 'walk'")
        corpus.connection.execute("UPDATE events SET data = '{'")
        assert corpus.events("a") == [Event("a", "catch", 3, "user", {})]
    assert [problem.subject for problem in check(whole).problems] == ["a", "a"]
    assert check(whole, repair=True).is_clean
    with Corpus.open(whole) as corpus:
        assert (corpus.labels("a"), corpus.events("a")) == ([], [])
        assert len(corpus.connection.execute("SELECT what FROM set_aside").fetchall()) == 2


def test_a_damaged_skeleton_faults_its_takes_and_no_others(whole, takes, make):
    with Corpus.open(whole, write=True) as corpus:
        corpus.connection.execute("UPDATE skeletons SET content = ?", [json.dumps({"names": ["x" * 5000]})])
    report = check(whole)
    assert [problem.subject for problem in report.problems] == ["a", "b"]
    assert all("skeleton" in problem.message and len(problem.message) < 300 for problem in report.problems)


def test_random_damage_to_the_catalogue_never_looks_like_a_bug(whole):
    path = whole / "catalogue.sqlite"
    good = path.read_bytes()
    rng = np.random.default_rng(3)
    for _ in range(60):
        content = bytearray(good)
        for place in rng.integers(100, len(good), size=40):
            content[place] = rng.integers(256)
        path.write_bytes(bytes(content))
        for repair in (False, True):
            try:
                report = check(whole, repair=repair)
            except CorpusError as error:
                words = [str(error)]
            else:
                words = [str(problem) for problem in report.problems]
            assert all(len(sentence) < 400 and sentence.count("restore it") <= 1 for sentence in words)
            assert not any("run `motionloom check`" in sentence for sentence in words)
        for left_over in ("catalogue.sqlite-wal", "catalogue.sqlite-shm"):
            (whole / left_over).unlink(missing_ok=True)


def test_a_take_that_was_removed_before_it_was_damaged_is_deleted_by_purging(whole, takes):
    with Corpus.open(whole, write=True) as corpus:
        corpus.remove("a")
    path = file_of(whole, "a")
    flip_a_byte(path)
    assert check(whole, repair=True).is_clean
    assert check(whole).problems == ()
    with Corpus.open(whole, write=True) as corpus:
        with pytest.raises(CorpusError, match="in quarantine because it is damaged"):
            corpus.restore("a")
        assert corpus.purge() == ["a"]
        assert corpus.add(takes.body("a", seed=1)).status == "imported"
        assert corpus.labels("a") == []


def test_damaged_texts_and_labels_of_one_take_are_repaired_at_once(whole):
    with Corpus.open(whole, write=True) as corpus:
        corpus.connection.execute("UPDATE takes SET source = '{' WHERE name = 'a'")
        corpus.connection.execute("UPDATE labels SET stop = 99 WHERE label = 'walk'")
    assert len(check(whole, repair=True).problems) == 2
    assert check(whole).problems == ()


def test_a_take_whose_file_name_is_damaged_in_the_catalogue_is_noticed_and_its_array_is_kept(whole, takes):
    path = file_of(whole, "a")
    with Corpus.open(whole, write=True) as corpus:
        corpus.connection.execute("UPDATE takes SET file = CAST(x'ff61' AS TEXT) WHERE name = 'a'")
    assert [problem.subject for problem in check(whole).problems] == ["a", path.name]
    assert check(whole, repair=True).is_clean
    assert (whole / "quarantine" / path.name).exists()
    with Corpus.open(whole, write=True) as corpus:
        assert corpus.names() == ["b"]
        corpus.add(takes.body("a", seed=1))
        assert corpus.labels("a") == [Label("a", "walk", 0, 5)]
    assert check(whole).problems == ()
