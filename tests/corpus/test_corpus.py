"""What a corpus keeps, and how it is changed."""

import json
import shutil
import sqlite3
import subprocess
import sys
import threading

import numpy as np
import pytest

from motionloom.corpus import Contact, Corpus, Event, Label
from motionloom.corpus.store.write_lock import WriteLock, is_held
from motionloom.errors import BadInput, CorpusBusy, CorpusError
from motionloom.formats.take import Take
from motionloom.motion import Motion


def test_a_take_comes_back_as_it_was_added(corpus, takes):
    take = takes.body("walks/a", n_frames=30)
    assert corpus.add(take).status == "imported"
    back = corpus.take("walks/a")
    assert (back.name, back.source, back.findings) == (take.name, take.source, take.findings)
    assert back.motion.skeleton == take.motion.skeleton
    assert back.motion.fps == take.motion.fps
    np.testing.assert_array_equal(back.motion.root_positions, take.motion.root_positions.astype(np.float32))
    np.testing.assert_array_equal(back.motion.local_rotations, take.motion.local_rotations.astype(np.float32))
    assert back.motion.local_rotations.dtype == np.float64


def test_points_come_back_with_their_gaps(corpus, takes):
    take = takes.points("faces/smile")
    corpus.add(take)
    back = corpus.take("faces/smile").motion
    assert back.names == take.motion.names
    np.testing.assert_array_equal(back.positions, take.motion.positions.astype(np.float32))
    info = corpus.info("faces/smile")
    assert (info.kind, info.skeleton, info.n_frames, info.fps) == ("points", None, 9, 100.0)


def test_skeletons_come_back_with_roles_ends_and_every_bit_of_their_offsets(corpus, takes, make):
    skeleton = make.skeleton(seed=3).with_roles({"head": "Neck"})
    still = make.motion(n_frames=5)
    corpus.add(Take("odd", Motion(skeleton, still.root_positions, still.local_rotations, 60.0), takes.body("x").source))
    back = corpus.take("odd").motion.skeleton
    assert back.digest == skeleton.digest
    assert back.name == skeleton.name
    np.testing.assert_array_equal(back.offsets, skeleton.offsets)


def test_infos_tell_about_takes_without_reading_their_frames(corpus, takes):
    corpus.add(takes.body("b", seed=1, n_frames=20, fps=30.0))
    corpus.add(takes.body("a", seed=2))
    for path in corpus.arrays.iterdir():
        path.unlink()
    assert corpus.names() == ["a", "b"]
    assert [(info.name, info.n_frames, info.fps, info.duration) for info in corpus.infos()] == [
        ("a", 12, 60.0, 0.2),
        ("b", 20, 30.0, 20 / 30),
    ]
    assert [flag.kind for flag in corpus.info("a").flags] == ["rate"]
    with pytest.raises(CorpusError, match=r"missing; `motionloom check .*/corpus --repair` repairs the corpus"):
        corpus.take("a")


def test_the_same_content_is_recognised_under_any_name(corpus, takes):
    corpus.add(takes.body("first", seed=1))
    same = corpus.add(takes.body("first", seed=1))
    other_name = corpus.add(takes.body("second", seed=1))
    assert (same.status, same.duplicate_of) == ("duplicate", "first")
    assert (other_name.status, other_name.name, other_name.duplicate_of) == ("duplicate", "second", "first")
    assert corpus.names() == ["first"]


def test_a_take_read_from_one_corpus_is_the_same_content_in_another(corpus, takes, tmp_path):
    corpus.add(takes.body("a"))
    with Corpus.create(tmp_path / "other") as other:
        other.add(corpus.take("a"))
        assert other.info("a").digest == corpus.info("a").digest


def test_the_same_name_with_other_content_is_an_error(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    with pytest.raises(CorpusError, match="a take 'a' with other content"):
        corpus.add(takes.body("a", seed=2))


def test_another_rate_is_other_content(corpus, takes):
    corpus.add(takes.body("a", fps=60.0))
    assert corpus.add(takes.body("b", fps=120.0)).status == "imported"


@pytest.mark.parametrize("name", ["", "/a", "a/", "a//b", "a/../b", ".", " a", "a\n", "a/./b"])
def test_names_that_are_no_paths_are_refused(corpus, takes, name):
    with pytest.raises(BadInput, match="is not a valid name for a take"):
        corpus.add(takes.body(name))


def test_a_body_with_a_hole_in_it_is_refused(corpus, takes):
    take = takes.body("a")
    root = take.motion.root_positions.copy()
    root[5, 1] = np.nan
    broken = Motion(take.motion.skeleton, root, take.motion.local_rotations, 60.0)
    with pytest.raises(BadInput, match="a: frame 5 has a value that is not finite"):
        corpus.add(Take("a", broken, take.source))
    assert corpus.names() == []


def test_the_floor_is_estimated_unless_it_is_given_and_can_be_corrected(corpus, takes):
    corpus.add(takes.body("estimated", seed=1))
    corpus.add(takes.body("given", seed=2), floor_height=0.25)
    assert not corpus.info("estimated").floor_given
    assert (corpus.info("given").floor_height, corpus.info("given").floor_given) == (0.25, True)
    corpus.set_floor("estimated", -0.5)
    assert (corpus.info("estimated").floor_height, corpus.info("estimated").floor_given) == (-0.5, True)
    with pytest.raises(BadInput, match="floor height must be finite"):
        corpus.set_floor("given", float("nan"))


def test_renaming_keeps_content_and_labels(corpus, takes):
    corpus.add(takes.body("old"))
    corpus.add(takes.body("other", seed=5))
    corpus.add_labels([Label("old", "walk", 0, 5)])
    corpus.rename("old", "new/name")
    assert corpus.names() == ["new/name", "other"]
    assert corpus.labels("new/name") == [Label("new/name", "walk", 0, 5)]
    with pytest.raises(CorpusError, match="other content"):
        corpus.rename("other", "new/name")
    with pytest.raises(CorpusError, match="no take 'old'"):
        corpus.rename("old", "x")


def test_unknown_takes_are_answered_with_names_that_are_meant(corpus, takes):
    with pytest.raises(CorpusError, match="it is empty"):
        corpus.take("a")
    corpus.add(takes.body("football_like/143_04"))
    with pytest.raises(CorpusError, match=r"did you mean football_like/143_04\?"):
        corpus.take("143_04")
    with pytest.raises(CorpusError, match=r"did you mean football_like/143_04\?"):
        corpus.info("football_like/143_05")


def test_what_is_open_for_reading_cannot_be_changed(corpus, takes):
    corpus.add(takes.body("a"))
    with Corpus.open(corpus.folder) as reader:
        for change in (
            lambda: reader.add(takes.body("b", seed=3)),
            lambda: reader.remove("a"),
            lambda: reader.restore("a"),
            lambda: reader.rename("a", "b"),
            lambda: reader.set_floor("a", 0.0),
            lambda: reader.add_labels([Label("a", "walk", 0, 5)]),
            reader.purge,
        ):
            with pytest.raises(CorpusError, match="open for reading"):
                change()


def test_only_one_writes_and_the_message_names_its_process(corpus):
    with pytest.raises(CorpusBusy, match=r"process \d+ \(this one\) is writing"):
        Corpus.open(corpus.folder, write=True)
    corpus.close()
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from motionloom.corpus import Corpus\nc = Corpus.open({str(corpus.folder)!r}, write=True)\n"
            "print('open', flush=True)\ninput()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(CorpusBusy, match=f"process {holder.pid} is writing"):
            Corpus.open(corpus.folder, write=True)
        with Corpus.open(corpus.folder) as reader:
            assert reader.names() == []
        holder.kill()
    Corpus.open(corpus.folder, write=True).close()  # a dead holder holds nothing


def test_readers_see_takes_as_soon_as_they_are_added_and_keep_what_they_hold(corpus, takes):
    with Corpus.open(corpus.folder) as reader:
        assert reader.names() == []
        corpus.add(takes.body("a"))
        assert reader.names() == ["a"]
        frames = reader.frames("a")
        corpus.remove("a")
        corpus.purge()
        assert reader.names() == []
        assert frames.shape == (12, 3 + 4 * 21)
        assert np.isfinite(frames).all()  # mapped before it was deleted


def test_frames_are_mapped_and_cannot_be_changed(corpus, takes):
    corpus.add(takes.body("a"))
    frames = corpus.frames("a")
    assert isinstance(frames, np.memmap)
    assert frames.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        frames[0, 0] = 1.0


def test_a_folder_that_is_no_corpus_says_what_to_do(tmp_path):
    with pytest.raises(CorpusError, match=r"is not a corpus.*motionloom new"):
        Corpus.open(tmp_path)
    with pytest.raises(CorpusError, match="is not a corpus"):
        Corpus.open(tmp_path / "nowhere", write=True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "catalogue.sqlite").write_text("hello")
    with pytest.raises(CorpusError, match="not the catalogue of a corpus"):
        Corpus.open(tmp_path)
    (tmp_path / "catalogue.sqlite").unlink()
    sqlite3.connect(tmp_path / "catalogue.sqlite").execute("CREATE TABLE x (y)")
    with pytest.raises(CorpusError, match="not the catalogue of a corpus"):
        Corpus.open(tmp_path)


@pytest.mark.parametrize(("version", "advice"), [(99, "update motionloom"), (0, "import the recordings into a new")])
def test_a_corpus_of_another_format_version_says_what_to_do(corpus, version, advice):
    corpus.close()
    database = sqlite3.connect(corpus.folder / "catalogue.sqlite")
    database.execute(f"PRAGMA user_version = {version}")
    database.close()
    with pytest.raises(CorpusError, match=f"corpus format {version}, this motionloom .* reads format 5; {advice}"):
        Corpus.open(corpus.folder)


def test_a_corpus_is_made_only_where_nothing_is(corpus, tmp_path):
    with pytest.raises(CorpusError, match="already a corpus"):
        Corpus.create(corpus.folder)
    with pytest.raises(CorpusError, match="is not empty"):
        Corpus.create(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(CorpusError, match="is a file"):
        Corpus.create(tmp_path / "file")
    (tmp_path / "empty").mkdir()
    Corpus.create(tmp_path / "empty").close()


def test_a_corpus_that_cannot_be_written_can_be_read(corpus, takes, monkeypatch):
    corpus.add(takes.body("a"))
    corpus.close()
    monkeypatch.setattr("os.access", lambda *_: False)
    with Corpus.open(corpus.folder) as reader:
        assert reader.take("a").motion.n_frames == 12
    monkeypatch.setattr("os.open", _refuse)
    with pytest.raises(CorpusError, match="is not writable"):
        Corpus.open(corpus.folder, write=True)


def _refuse(*_):
    raise PermissionError(13, "Permission denied")


def test_a_full_disk_is_reported_and_leaves_the_corpus_as_it_was(corpus, takes, monkeypatch):
    corpus.add(takes.body("a", seed=1))
    monkeypatch.setattr("os.fsync", _full)
    with pytest.raises(CorpusError, match=r"'b' could not be written.*No space left.*not added"):
        corpus.add(takes.body("b", seed=2))
    monkeypatch.undo()
    assert corpus.names() == ["a"]
    assert len(list(corpus.arrays.iterdir())) == 1
    assert corpus.add(takes.body("b", seed=2)).status == "imported"


def _full(_):
    raise OSError(28, "No space left on device")


def test_events_carry_plain_data(corpus, takes):
    corpus.add(takes.body("a"))
    events = [
        Event("a", "step", 3, "performer", {"side": "left", "at": [0.5, 1.25]}),
        Event("a", "step", 7, "performer"),
    ]
    assert corpus.add_events(events) == 2
    assert corpus.add_events(events) == 0
    assert corpus.events("a") == events
    assert corpus.events(source="user") == []
    with pytest.raises(BadInput, match="cannot be stored as JSON"):
        corpus.add_events([Event("a", "step", 3, "user", {"x": np.zeros(2)})])
    assert json.loads(json.dumps(corpus.events("a")[0].data)) == {"side": "left", "at": [0.5, 1.25]}


def test_contacts_must_be_frames_of_the_take(corpus, takes):
    corpus.add(takes.body("a"))
    with pytest.raises(
        BadInput, match=r"frames \[5, 13\) of contact of left_heel are out of range: the take has 12 frames"
    ):
        corpus.add_contacts([Contact("a", "left_ball", 0, 12), Contact("a", "left_heel", 5, 13)])
    assert corpus.contacts() == []


@pytest.mark.parametrize("height", [float("inf"), float("nan")])
def test_a_floor_height_that_is_not_finite_is_refused_when_a_take_is_added(corpus, takes, height):
    with pytest.raises(BadInput, match=f"a: floor height must be finite, got {height}"):
        corpus.add(takes.body("a"), floor_height=height)
    assert corpus.names() == []


def test_renaming_onto_a_name_that_is_taken_says_what_to_do(corpus, takes):
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    with pytest.raises(CorpusError, match="choose another name") as error:
        corpus.rename("a", "b")
    assert "prefix" not in str(error.value)


def test_suggested_commands_can_be_pasted(tmp_path):
    with pytest.raises(CorpusError, match=r"`motionloom new '.*/my corpus'` creates one"):
        Corpus.open(tmp_path / "my corpus")
    (tmp_path / "file").write_text("x")
    with pytest.raises(CorpusError, match="is a file; a corpus is a folder"):
        Corpus.open(tmp_path / "file")


def test_a_corpus_that_cannot_be_made_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("os.fsync", _full)
    with pytest.raises(CorpusError, match=r"cannot create a corpus here \(No space left on device\)"):
        Corpus.create(tmp_path / "new" / "corpus")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match="cannot create a corpus here"):
        Corpus.create(tmp_path / "empty")
    monkeypatch.undo()
    assert list((tmp_path / "empty").iterdir()) == []
    Corpus.create(tmp_path / "new" / "corpus").close()


def test_a_full_disk_names_the_file_that_could_not_be_written(corpus, takes):
    corpus.add(takes.body("a"))
    pages = corpus.connection.execute("PRAGMA page_count").fetchone()[0]
    corpus.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CorpusError, match=r"catalogue\.sqlite cannot be written .*full"):
        corpus.add_labels([Label("a", f"word {i}", 0, 5) for i in range(5000)])
    assert corpus.labels() == []


def test_a_log_on_a_disk_that_cannot_be_written_is_read_with_the_catalogue(corpus, takes, monkeypatch, tmp_path):
    corpus.add(takes.body("a"))
    shutil.copytree(corpus.folder, tmp_path / "copy")
    (tmp_path / "copy" / "catalogue.sqlite-shm").unlink()
    monkeypatch.setattr("os.access", lambda *_: False)
    with Corpus.open(tmp_path / "copy") as copy:
        assert copy.names() == ["a"]
    assert not (tmp_path / "copy" / "catalogue.sqlite-shm").exists()
    corpus.close()
    (corpus.folder / "catalogue.sqlite-wal").write_bytes(b"")
    with Corpus.open(corpus.folder) as reader:
        assert reader.names() == ["a"]


def test_a_worker_of_the_holder_writes_with_the_lock_that_is_lent_to_it(corpus, takes):
    corpus.add(takes.body("walks/a", n_frames=30))
    with Corpus.open(corpus.folder, write=True, lent=True) as lent:
        lent.add_labels([Label("walks/a", "walk", 0, 9)])
        assert lent.can_write
    assert [label.label for label in corpus.labels("walks/a")] == ["walk"]
    with pytest.raises(CorpusBusy):  # the lock is still held by its holder
        Corpus.open(corpus.folder, write=True)


def test_a_lock_that_nobody_holds_cannot_be_lent(corpus):
    corpus.close()
    with pytest.raises(CorpusError, match="no process holds"):
        Corpus.open(corpus.folder, write=True, lent=True)


def test_a_reader_that_asks_whether_somebody_writes_does_not_keep_a_writer_out(corpus):
    corpus.close()
    asking = threading.Event()

    def ask() -> None:
        while not asking.is_set():
            is_held(corpus.folder)

    readers = [threading.Thread(target=ask)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(300):
            WriteLock(corpus.folder).release()
    finally:
        asking.set()
        for reader in readers:
            reader.join()
