"""Checking and repairing a corpus."""

import itertools
import os
import sqlite3

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label, check, make_layers
from motionloom.corpus.layers import keep_layers
from motionloom.corpus.models import keep_model
from motionloom.corpus.store import array_files
from motionloom.corpus.store.array_files import write_array
from motionloom.errors import CorpusBusy, CorpusError


@pytest.fixture
def whole(corpus, takes):
    """A closed corpus of two bodies and one face, with labels and layers."""
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add(takes.points("face"))
    corpus.add_labels([Label("a", "walk", 0, 5), Label("b", "run", 2, 12)])
    make_layers(corpus, workers=0)
    corpus.close()
    return corpus.folder


def file_of(folder, take):
    with Corpus.open(folder) as corpus:
        row = corpus.connection.execute("SELECT file FROM takes WHERE name = ?", [take]).fetchone()
        return corpus.arrays / row[0]


def change(folder, statement, *values):
    database = sqlite3.connect(folder / "catalogue.sqlite")
    with database:
        database.execute(statement, values)
    database.close()


def messages(report):
    return [str(problem) for problem in report.problems]


def test_a_whole_corpus_has_no_problems(whole):
    report = check(whole)
    assert report.problems == ()
    assert report.n_takes == 3
    assert report.summary == "3 takes, no problems found"
    assert check(whole, repair=True).problems == ()


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[-7] ^= 0x10
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (os.unlink, "is missing"),
        (flip_a_byte, "its checksum differs"),
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), "cannot be read"),
        (lambda path: path.write_bytes(b""), "cannot be read"),
        (lambda path: path.write_text("not numpy"), "cannot be read"),
    ],
)
def test_damaged_takes_are_found_and_set_aside_and_the_others_stay(whole, takes, damage, words):
    damage(file_of(whole, "a"))
    (found,) = messages(check(whole))
    assert found.startswith("a: take is damaged: ")
    assert words in found
    report = check(whole, repair=True)
    assert report.is_clean
    assert report.problems[0].is_repaired
    assert check(whole).problems == ()
    with Corpus.open(whole, write=True) as corpus:
        assert corpus.names() == ["b", "face"]
        assert corpus.take("b").motion.n_frames == 12
        with pytest.raises(CorpusError, match="in quarantine because it is damaged"):
            corpus.restore("a")
        assert corpus.add(takes.body("a", seed=1)).status == "imported"
        assert corpus.take("a").motion.n_frames == 12


def test_what_is_left_of_a_damaged_take_can_be_looked_at(whole):
    path = file_of(whole, "a")
    flip_a_byte(path)
    check(whole, repair=True)
    assert (whole / "quarantine" / path.name).exists()
    assert not path.exists()


def test_frames_that_are_no_rotations_are_found_although_their_checksum_is_right(whole):
    with Corpus.open(whole) as corpus:
        frames = np.array(corpus.frames("a"))
    frames[7, 3:7] = 0.0
    stored = write_array(whole / "arrays", frames)
    change(whole, "UPDATE takes SET file = ?, crc = ? WHERE name = 'a'", stored.file, stored.crc)
    found = messages(check(whole))
    assert any("1 frames have invalid values, the first is frame 7" in message for message in found)


def test_a_wrong_number_of_frames_is_found(whole):
    change(whole, "UPDATE takes SET n_frames = 13 WHERE name = 'b'")
    (found,) = messages(check(whole))
    assert "has shape (12, 87), expected (13, 87)" in found


def test_removed_takes_are_checked_too_because_they_may_come_back(whole):
    with Corpus.open(whole, write=True) as corpus:
        corpus.remove("a")
    flip_a_byte(file_of(whole, "a"))
    (found,) = messages(check(whole))
    assert found.startswith("a: removed take is damaged")


def test_files_that_nothing_uses_are_found_and_deleted(whole):
    (whole / "arrays" / "stray.npy").write_bytes(b"x")
    (whole / "arrays" / "half.npy.123.tmp").write_bytes(b"x")
    assert messages(check(whole)) == [
        "half.npy.123.tmp: incomplete: its process ended while writing it",
        "stray.npy: no take, layer or model refers to it",
    ]
    assert check(whole, repair=True).is_clean
    assert check(whole).problems == ()


def test_files_of_a_writer_at_work_are_no_problem(whole):
    with Corpus.open(whole, write=True):
        (whole / "arrays" / "half.npy.123.tmp").write_bytes(b"x")
        assert check(whole).problems == ()
        with pytest.raises(CorpusBusy):
            check(whole, repair=True)


def test_labels_beyond_the_take_are_set_aside_and_not_lost(whole):
    change(whole, "UPDATE labels SET stop = 99 WHERE label = 'run'")
    (found,) = messages(check(whole))
    assert found == "b: label 'run': frames [2, 99) are out of range: the take has 12 frames"
    assert check(whole, repair=True).is_clean
    with Corpus.open(whole) as corpus:
        assert [label.label for label in corpus.labels()] == ["walk"]
        assert "run" in corpus.connection.execute("SELECT content FROM set_aside").fetchone()[0]


def test_damaged_layers_are_made_again(whole):
    with Corpus.open(whole) as corpus:
        good = np.array(corpus.layer("a", "velocities"))
        file = corpus.connection.execute("SELECT file FROM layers WHERE layer = 'velocities'").fetchone()[0]
    flip_a_byte(whole / "arrays" / file)
    (found,) = messages(check(whole))
    assert found.startswith("a: layer 'velocities' is damaged")
    assert check(whole, repair=True).is_clean
    assert check(whole).problems == ()
    with Corpus.open(whole) as corpus:
        assert isinstance(corpus.layer("a", "velocities"), np.memmap)
        np.testing.assert_array_equal(corpus.layer("a", "velocities"), good)


def test_a_damaged_catalogue_is_reported_and_then_recovered(whole):
    path = whole / "catalogue.sqlite"
    content = bytearray(path.read_bytes())
    content[5000:9000] = bytes(4000)
    path.write_bytes(bytes(content))
    (found,) = messages(check(whole))
    assert f"`motionloom check {whole} --repair` recovers what can be read of it" in found
    assert path.read_bytes() == bytes(content)
    report = check(whole, repair=True)
    assert "and is made anew: 3 takes, 2 labels" in messages(report)[0]
    assert check(whole).problems == ()


def test_layers_models_and_takes_that_a_writer_replaces_meanwhile_are_no_problems(whole, monkeypatch):
    with Corpus.open(whole, write=True) as writer:
        writer.remove("b")
        keep_model(writer, "kind", "key", {"a": np.zeros(9)}, settings={}, takes=[], code_version="1")
        info, real, left = writer.info("a"), array_files.find_damage, [1]

        def replace_first(folder, stored):
            if left.pop() if left else 0:  # after the rows were read, before their files are
                keep_layers(writer, info, {"facing": np.ones((12, 3), np.float32)})
                keep_model(writer, "kind", "key", {"a": np.ones(9)}, settings={}, takes=[], code_version="1")
                writer.purge()
            return real(folder, stored)

        monkeypatch.setattr(array_files, "find_damage", replace_first)
        assert messages(check(whole)) == []


def test_layers_that_a_writer_replaces_at_every_step_are_no_problems(whole, monkeypatch):
    with Corpus.open(whole, write=True) as writer:
        info, real, count = writer.info("a"), array_files.find_damage, itertools.count()

        def replace_each(folder, stored):
            keep_layers(writer, info, {"facing": np.full((12, 3), next(count), np.float32)})
            return real(folder, stored)

        monkeypatch.setattr(array_files, "find_damage", replace_each)
        assert messages(check(whole)) == []


def test_a_report_can_be_read_by_programs(whole):
    (whole / "arrays" / "stray.npy").write_bytes(b"x")
    report = check(whole)
    assert report.as_json() == {
        "takes": 3,
        "problems": [{"subject": "stray.npy", "message": "no take, layer or model refers to it", "repaired": False}],
    }
    assert report.summary == "3 takes, 1 problem found, 0 repaired"
