"""Backups: complete, consistent beside a writer, and whole or not there at all."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from motionloom.corpus import Corpus, Label, back_up, check, make_layers
from motionloom.corpus.integrity import backup as backup_module
from motionloom.errors import BadInput, CorpusBusy, CorpusError


@pytest.fixture
def whole(corpus, takes):
    """A closed corpus of two bodies and one face, with labels, layers, a removed take and a document."""
    corpus.add(takes.body("a", seed=1))
    corpus.add(takes.body("b", seed=2))
    corpus.add(takes.points("face"))
    corpus.add(takes.body("gone", seed=3))
    corpus.remove("gone")
    corpus.add_labels([Label("a", "walk", 0, 5), Label("b", "run", 2, 12)])
    make_layers(corpus, workers=0)
    corpus.close()
    (corpus.folder / "studio").mkdir()
    (corpus.folder / "studio" / "untitled.yaml").write_text("workspace: library\n")
    return corpus.folder


def content_of(folder):
    """All rows of a corpus, and the frames of all takes."""
    with Corpus.open(folder) as corpus:
        tables = [name for (name,) in corpus.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows = {table: corpus.connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
        return rows, {name: np.array(corpus.frames(name)).tobytes() for name in corpus.names()}


@pytest.mark.parametrize("link", [False, True])
def test_a_backup_is_a_corpus_with_everything(whole, tmp_path, link):
    report = back_up(whole, tmp_path / "backups" / "monday", link=link)
    assert (report.n_takes, report.problems) == (3, ())
    assert content_of(report.folder) == content_of(whole)
    assert (report.folder / "studio" / "untitled.yaml").read_text() == "workspace: library\n"
    assert check(report.folder).problems == ()
    with Corpus.open(report.folder, write=True) as copy:
        copy.restore("gone")
        copy.add_labels([Label("gone", "walk", 0, 3)])
    assert sorted(path.name for path in (tmp_path / "backups").iterdir()) == ["monday"]
    assert check(whole).problems == ()


def test_changes_after_a_backup_are_not_in_it(whole, tmp_path):
    back_up(whole, tmp_path / "copy")
    with Corpus.open(whole, write=True) as corpus:
        corpus.remove("a")
        corpus.purge()
    with Corpus.open(tmp_path / "copy") as copy:
        assert copy.take("a").motion.n_frames == 12
        assert [label.label for label in copy.labels("a")] == ["walk"]


WRITER = """
import sys
import numpy as np
from motionloom.corpus import Corpus, Label
from motionloom.corpus.layers import keep_layers
from motionloom.formats.take import Source, Take
from motionloom.motion import Motion, Skeleton, rotations

skeleton = Skeleton(("Hips", "LeftUpLeg"), np.array([-1, 0]), np.zeros((2, 3)))
rng = np.random.default_rng(0)
with Corpus.open(sys.argv[1], write=True) as corpus:
    for number in range(100_000):
        corpus.add_labels([Label("a", f"label {number:05d}", 0, 5)])
        print(number, flush=True)
        keep_layers(corpus, corpus.info("a"), {"facing": np.full((12, 3), number, np.float32)})
        if number % 3 == 0:
            motion = Motion(skeleton, rng.normal(size=(30, 3)), rotations.normalize(rng.normal(size=(30, 2, 4))), 60.0)
            corpus.add(Take("short", motion, Source("x", "npz", "", 60.0, 1.0)), floor_height=0.0)
            corpus.remove("short")
            corpus.purge()
"""


def test_backups_beside_a_writer_hold_all_that_was_acknowledged_before_and_are_clean(whole, tmp_path):
    with subprocess.Popen([sys.executable, "-c", WRITER, str(whole)], stdout=subprocess.PIPE, text=True) as writer:
        acknowledged = -1
        try:
            for round_ in range(12):
                for _ in range(7):
                    acknowledged = int(writer.stdout.readline())
                report = back_up(whole, tmp_path / f"copy {round_}")
                assert report.problems == ()
                with Corpus.open(report.folder) as copy:
                    labels = {label.label for label in copy.labels("a")}
                assert labels >= {f"label {number:05d}" for number in range(acknowledged + 1)}
                assert check(report.folder).problems == ()
        finally:
            writer.kill()
    assert acknowledged >= 80


def test_arrays_that_are_deleted_while_they_are_copied_are_in_the_backup(whole, tmp_path, monkeypatch):
    real = backup_module._copy_arrays

    def purge_first(*arguments):
        with Corpus.open(whole, write=True) as corpus:
            corpus.remove(["a", "b"])
            corpus.purge()
        return real(*arguments)

    monkeypatch.setattr(backup_module, "_copy_arrays", purge_first)
    assert back_up(whole, tmp_path / "copy").problems == ()
    with Corpus.open(whole) as corpus:
        assert corpus.names() == ["face"]
    with Corpus.open(tmp_path / "copy") as copy:
        assert copy.names() == ["a", "b", "face"]
    assert check(tmp_path / "copy").problems == ()


def test_arrays_that_are_deleted_before_they_are_pinned_lead_to_a_newer_catalogue(whole, tmp_path, monkeypatch):
    real = backup_module._snapshot
    snapshots = []

    def purge_after(*arguments):
        stored = real(*arguments)
        snapshots.append(stored)
        if len(snapshots) == 1:
            with Corpus.open(whole, write=True) as corpus:
                corpus.purge()
        return stored

    monkeypatch.setattr(backup_module, "_snapshot", purge_after)
    assert back_up(whole, tmp_path / "copy").problems == ()
    assert check(tmp_path / "copy").problems == ()
    with Corpus.open(tmp_path / "copy") as copy:
        assert copy.infos(removed=True) == []


def test_documents_that_change_while_they_are_copied_are_copied_again(whole, tmp_path, monkeypatch):
    from motionloom.corpus.integrity import other_files

    real, saved = other_files.copy_file, []

    def save_after(source, target, **named):
        real(source, target, **named)
        if not saved:
            saved.append(source)
            for name in ("untitled.yaml", "other.yaml"):
                (whole / "studio" / f"{name}.part").write_text("workspace: annotate\n")
                os.replace(whole / "studio" / f"{name}.part", whole / "studio" / name)

    monkeypatch.setattr(other_files, "copy_file", save_after)
    assert back_up(whole, tmp_path / "copy").problems == ()
    copied = {path.name: path.read_text() for path in (tmp_path / "copy" / "studio").iterdir()}
    assert copied == {"untitled.yaml": "workspace: annotate\n", "other.yaml": "workspace: annotate\n"}


@pytest.mark.parametrize("link", [False, True])
def test_damaged_and_missing_arrays_are_reported_and_the_rest_is_copied(whole, tmp_path, link):
    with Corpus.open(whole) as corpus:
        (a,) = corpus.connection.execute("SELECT file FROM takes WHERE name = 'a'").fetchone()
        (b,) = corpus.connection.execute("SELECT file FROM takes WHERE name = 'b'").fetchone()
    content = bytearray((whole / "arrays" / a).read_bytes())
    content[-7] ^= 1
    (whole / "arrays" / a).write_bytes(bytes(content))
    (whole / "arrays" / b).unlink()
    report = back_up(whole, tmp_path / "copy", link=link)
    assert sorted(str(problem) for problem in report.problems) == [
        f"take a: {a} has changed since it was written (its checksum differs)",
        f"take b: {b} is missing",
    ]
    with Corpus.open(tmp_path / "copy") as copy:
        assert copy.take("face").motion.n_frames == 9
        assert len(copy.labels()) == 2


def test_a_backup_that_is_interrupted_leaves_nothing(whole, tmp_path, monkeypatch):
    real = backup_module._copy_array
    for step in range(4):
        left = [step]

        def interrupt(*arguments, left=left):
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            return real(*arguments)

        monkeypatch.setattr(backup_module, "_copy_array", interrupt)
        with pytest.raises(KeyboardInterrupt):
            back_up(whole, tmp_path / "backups" / "copy")
        assert list((tmp_path / "backups").iterdir()) == []


def test_a_backup_that_is_killed_leaves_no_corpus_and_can_be_made_again(whole, tmp_path, monkeypatch):
    real = backup_module._copy_array
    for step in range(3):
        child = os.fork()
        if child == 0:
            left = [step]

            def crash(*arguments, left=left):
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
                return real(*arguments)

            backup_module._copy_array = crash
            try:
                back_up(whole, tmp_path / "backups" / "copy")
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        (left_over,) = (tmp_path / "backups").iterdir()
        with pytest.raises(CorpusError, match="is not a corpus"):
            Corpus.open(left_over)
    back_up(whole, tmp_path / "backups" / "copy")
    assert [path.name for path in (tmp_path / "backups").iterdir()] == ["copy"]
    assert check(tmp_path / "backups" / "copy").problems == ()


def test_two_backups_to_one_place_are_refused(whole, tmp_path, monkeypatch):
    real = backup_module._copy_arrays

    def again(*arguments):
        with pytest.raises(CorpusBusy, match="another process is making a backup there"):
            back_up(whole, tmp_path / "copy")
        return real(*arguments)

    monkeypatch.setattr(backup_module, "_copy_arrays", again)
    back_up(whole, tmp_path / "copy")
    assert check(tmp_path / "copy").problems == ()


def test_an_empty_folder_will_do_and_others_are_refused(whole, tmp_path):
    (tmp_path / "empty").mkdir()
    back_up(whole, tmp_path / "empty")
    assert check(tmp_path / "empty").problems == ()
    (tmp_path / "file").write_text("")
    for place, words in (
        (tmp_path / "empty", "is not empty"),
        (tmp_path / "file", "is a file"),
        (whole, "is inside of the corpus"),
        (whole / "studio" / "copy", "is inside of the corpus"),
        ("/proc", "is not empty"),
    ):
        with pytest.raises(BadInput, match=words):
            back_up(whole, place)
    with pytest.raises(CorpusError, match="is not a corpus"):
        back_up(tmp_path / "nothing", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_disk_that_is_too_small_is_refused_before_anything_is_copied(whole, tmp_path, monkeypatch):
    usage = backup_module.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(backup_module.shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(CorpusError, match=r"has 0\.0 MB free and the backup needs"):
        back_up(whole, tmp_path / "backups" / "copy")
    assert list((tmp_path / "backups").iterdir()) == []
