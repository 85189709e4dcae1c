"""Corpora of the format before: they can be read as they are, and are brought up to date by who writes."""

import hashlib
import sqlite3

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label, Proposal, Verified, check
from motionloom.corpus.integrity.backup import back_up
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.corpus.store.catalogue import APPLICATION
from motionloom.errors import CorpusError
from motionloom.motion import Curves

FORMAT_1 = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE skeletons (digest TEXT PRIMARY KEY, hierarchy TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE takes (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('body', 'points')),
    n_frames INTEGER NOT NULL, fps REAL NOT NULL, floor_height REAL NOT NULL, floor_given INTEGER NOT NULL,
    skeleton TEXT REFERENCES skeletons (digest), point_names TEXT, digest TEXT NOT NULL, source TEXT NOT NULL,
    findings TEXT NOT NULL, file TEXT NOT NULL, crc INTEGER NOT NULL, added TEXT NOT NULL, code_version TEXT NOT NULL,
    removed TEXT, removed_because TEXT
);
CREATE UNIQUE INDEX take_names ON takes (name) WHERE removed IS NULL;
CREATE UNIQUE INDEX take_contents ON takes (digest) WHERE removed IS NULL;
CREATE TABLE labels (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, source TEXT NOT NULL,
    UNIQUE (take, label, start, stop, source)
);
CREATE TABLE contacts (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    point TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, source TEXT NOT NULL,
    UNIQUE (take, point, start, stop, source)
);
CREATE TABLE events (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL, frame INTEGER NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL,
    UNIQUE (take, kind, frame, source, data)
);
CREATE TABLE layers (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    layer TEXT NOT NULL, key TEXT NOT NULL, made_with TEXT NOT NULL, code_version TEXT NOT NULL,
    take_digest TEXT NOT NULL, file TEXT NOT NULL, crc INTEGER NOT NULL, made TEXT NOT NULL, UNIQUE (take, layer)
);
CREATE TABLE models (
    kind TEXT NOT NULL, key TEXT NOT NULL, settings TEXT NOT NULL, code_version TEXT NOT NULL, takes TEXT NOT NULL,
    made TEXT NOT NULL, PRIMARY KEY (kind, key)
);
CREATE TABLE model_arrays (
    kind TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (kind, key, name), FOREIGN KEY (kind, key) REFERENCES models (kind, key) ON DELETE CASCADE
);
CREATE TABLE set_aside (what TEXT NOT NULL, content TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL);
"""
TABLES = "about skeletons takes labels contacts events layers models model_arrays set_aside".split()


@pytest.fixture
def old(corpus, takes):
    """A corpus of format 1 with two takes and a label: its tables by hand, its rows those of a new one."""
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add_labels([Label("a", "walk", 0, 5)])
    rows = {table: corpus.connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    corpus.close()
    path = corpus.folder / "catalogue.sqlite"
    for left in corpus.folder.glob("catalogue.sqlite*"):
        left.unlink()
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute("PRAGMA user_version = 1")
    database.executescript(FORMAT_1)
    for table, content in rows.items():
        for row in content:
            database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    database.close()
    return corpus.folder


def version_of(folder):
    database = sqlite3.connect(folder / "catalogue.sqlite")
    try:
        return database.execute("PRAGMA user_version").fetchone()[0]
    finally:
        database.close()


def digest(folder):
    return hashlib.sha256((folder / "catalogue.sqlite").read_bytes()).hexdigest()


def test_an_old_corpus_is_read_without_being_changed(old):
    before = digest(old)
    with Corpus.open(old) as corpus:
        assert corpus.names() == ["a", "b"]
        assert corpus.labels() == [Label("a", "walk", 0, 5)]
        assert (corpus.verified(), corpus.proposals("a"), corpus.classified()) == ([], [], [])
        assert read_label_state(corpus).listed_takes == {"a"}
        assert corpus.take("a").motion.n_frames == 12
    assert check(old).problems == ()
    assert (digest(old), version_of(old)) == (before, 1)


def test_an_old_corpus_on_a_disk_that_cannot_be_written_is_read(old, monkeypatch):
    before = digest(old)
    monkeypatch.setattr("motionloom.corpus.store.connection.os.access", lambda *_: False)
    with Corpus.open(old) as corpus:
        assert (corpus.labels(), corpus.verified()) == ([Label("a", "walk", 0, 5)], [])
        assert (corpus.proposals(), corpus.classified()) == ([], [])
    assert digest(old) == before


def test_opening_for_writing_brings_an_old_corpus_up_to_date(old):
    with Corpus.open(old) as reader:  # one that has been there before
        with Corpus.open(old, write=True) as corpus:
            corpus.accept("a", ["walk"], 0, 12, {"walk": [(0, 6)]})
            corpus.set_proposals("b", ["walk"], [Proposal("b", "walk", 0, 12, 0.9)])
        assert reader.labels() == [Label("a", "walk", 0, 6)]
        assert reader.verified() == []  # until it opens the corpus again
    assert version_of(old) == 5
    with Corpus.open(old) as corpus:
        assert corpus.verified() == [Verified("a", "walk", 0, 12)]
        assert corpus.proposals() == [Proposal("b", "walk", 0, 12, 0.9)]
    assert check(old).problems == ()
    with Corpus.open(old, write=True) as corpus:
        assert corpus.verified() == [Verified("a", "walk", 0, 12)]


def test_labels_of_an_old_corpus_are_lists_of_what_its_takes_hold(old):
    with Corpus.open(old, write=True) as corpus:
        corpus.accept("a", ["walk"], 0, 6, {})
        state = read_label_state(corpus)
        assert (state.listed_takes, state.listed_labels) == ({"a"}, {"walk"})


@pytest.mark.parametrize("write", [False, True])
def test_a_corpus_of_format_2_gets_what_it_lacks(old, write):
    with Corpus.open(old, write=True) as corpus:
        corpus.verify([Verified("a", "walk", 0, 12)])
        corpus.connection.execute("DROP TABLE listed")
        corpus.connection.execute("DROP TABLE grounds")
        corpus.connection.execute("DROP TABLE curves")
        corpus.connection.execute("PRAGMA user_version = 2")
    with Corpus.open(old, write=write) as corpus:
        assert corpus.verified() == [Verified("a", "walk", 0, 12)]
        assert read_label_state(corpus).listed_takes == {"a"}
        assert corpus.ground("a") is None and corpus.curves("a") is None
    assert version_of(old) == (5 if write else 2)


def test_a_corpus_of_format_4_is_read_backed_up_and_brought_up_to_date(old, tmp_path):
    with Corpus.open(old, write=True) as corpus:
        corpus.connection.execute("DROP TABLE curves")
        corpus.connection.execute("PRAGMA user_version = 4")
    with Corpus.open(old) as corpus:
        assert corpus.take("a").curves is None
    assert back_up(old, tmp_path / "backup").problems == ()
    assert (version_of(old), version_of(tmp_path / "backup")) == (4, 4)
    with Corpus.open(tmp_path / "backup", write=True) as corpus:
        corpus.set_curves("a", Curves(("JawOpen",), np.zeros((2, 1)), np.zeros(2), np.arange(2.0), 60.0, 60.0))
        assert corpus.take("a").curves.names == ("JawOpen",)
    assert version_of(tmp_path / "backup") == 5


def test_repairing_brings_an_old_corpus_up_to_date_too(old):
    (old / "arrays" / "stray.npy").write_bytes(b"x")
    assert check(old, repair=True).is_clean
    assert version_of(old) == 5


def test_an_upgrade_that_fails_leaves_the_old_corpus(old, monkeypatch):
    from motionloom.corpus.store import catalogue

    broken = catalogue.ADDED[3] + "CREATE TABLE oops (;\n"
    monkeypatch.setattr(catalogue, "ADDED", {2: catalogue.ADDED[2], 3: broken})
    with pytest.raises(CorpusError):
        Corpus.open(old, write=True)
    monkeypatch.undo()
    assert version_of(old) == 1
    with Corpus.open(old, write=True) as corpus:
        assert corpus.labels() == [Label("a", "walk", 0, 5)]


def test_a_new_corpus_has_the_same_tables_as_one_that_was_brought_up_to_date(old, tmp_path):
    Corpus.create(tmp_path / "new").close()
    Corpus.open(old, write=True).close()

    def tables(folder):
        database = sqlite3.connect(folder / "catalogue.sqlite")
        try:
            rows = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        finally:
            database.close()
        return {name: " ".join(sql.split()) for name, sql in rows}

    assert tables(old) == tables(tmp_path / "new")
