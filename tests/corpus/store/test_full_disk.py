"""A disk without space: nothing is left behind, and removing takes frees some. The disk is a small real one."""

import os
import shutil
import subprocess

import numpy as np
import pytest

from motionloom.cli.main import run
from motionloom.corpus import Corpus, Label, check
from motionloom.corpus.layers import make_layers
from motionloom.corpus.models import keep_model
from motionloom.errors import CorpusError, MotionloomError

PAGE = 4096


class Disk:
    """A file system of eight megabytes that can be filled to the last page."""

    def __init__(self, folder) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def free(self) -> int:
        status = os.statvfs(self.folder)
        return status.f_bavail * status.f_frsize

    def fill(self, leave: int = 0) -> None:
        """Fill it up but for some bytes."""
        with open(self._filler, "ab") as file:
            while self.free() > leave:
                file.write(bytes(min(self.free() - leave, 1 << 16)))
                file.flush()

    def clear(self) -> None:
        self._filler.unlink(missing_ok=True)


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("this process may not mount a small file system that could be filled")
    yield Disk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def stored(disk, takes):
    """A closed corpus of thirty takes with labels on the small disk."""
    with Corpus.create(disk.folder / "corpus") as corpus:
        for number in range(30):
            corpus.add(takes.body(f"{number:02d}", seed=number, n_frames=200))
            corpus.add_labels([Label(f"{number:02d}", f"label {i}", i, i + 1) for i in range(25)])
    return corpus.folder


def arrays(folder) -> set[str]:
    return {path.name for path in (folder / "arrays").iterdir()}


def test_an_array_whose_row_cannot_be_written_does_not_stay(disk, stored, takes):
    refused = 0
    with Corpus.open(stored, write=True) as corpus:
        for pages in range(30):
            disk.clear()
            disk.fill(leave=pages * PAGE)
            try:
                corpus.add(takes.body(f"new {pages}", seed=100 + pages, n_frames=12))
            except CorpusError as error:
                assert "is the disk full" in str(error) or "could not be written" in str(error)
                refused += 1
            used = {file for (file,) in corpus.connection.execute("SELECT file FROM takes")}
            assert arrays(stored) == used
    assert refused >= 3
    disk.clear()
    assert check(stored).problems == ()


def test_layers_and_models_that_cannot_be_kept_leave_no_arrays(disk, stored):
    big = {"a": np.ones(500), "b": np.ones(10_000)}
    before = arrays(stored)
    with Corpus.open(stored, write=True) as corpus:
        disk.fill(leave=6 * PAGE)
        make_layers(corpus, workers=0)  # what cannot be cached stays in memory
        with pytest.raises(MotionloomError, match="is the disk full"):
            keep_model(corpus, "kind", "key", big, settings={}, takes=[], code_version=None)
        kept = {file for (file,) in corpus.connection.execute("SELECT file FROM layers")}
        assert arrays(stored) == before | kept
    disk.clear()
    assert check(stored).problems == ()


def test_a_corpus_on_a_full_disk_can_be_read(disk, stored):
    disk.fill()
    with Corpus.open(stored) as corpus:
        assert len(corpus.names()) == 30
        assert corpus.take("07").motion.n_frames == 200
        assert len(corpus.labels("07")) == 25


@pytest.mark.parametrize("is_open", [False, True])
def test_removing_and_purging_frees_space_on_a_full_disk(disk, stored, is_open):
    if not is_open:
        disk.fill()
    with Corpus.open(stored, write=True) as corpus:
        if is_open:
            disk.fill()
        corpus.remove([f"{number:02d}" for number in range(25)])
        assert len(corpus.purge()) == 25
        assert disk.free() > 10 * 4 * 200 * 80
        assert corpus.names() == [f"{number:02d}" for number in range(25, 30)]
    disk.clear()
    assert check(stored).problems == ()
    with Corpus.open(stored) as corpus:
        assert len(corpus.labels()) == 5 * 25


def test_the_command_that_frees_space_works_on_a_full_disk(disk, stored, capsys):
    disk.fill()
    assert run(["remove", str(stored), "0*"]) == 0
    assert run(["remove", str(stored), "--purge"]) == 0
    assert "10 removed takes deleted permanently" in capsys.readouterr().out
    assert disk.free() > 0


def test_the_space_that_is_kept_for_removing_is_not_used_up_by_imports(disk, stored, takes):
    disk.fill()
    for _ in range(5):
        with Corpus.open(stored, write=True) as corpus, pytest.raises(CorpusError):
            for number in range(100):
                corpus.add(takes.body(f"new {number}", seed=1000 + number, n_frames=300))
    with Corpus.open(stored, write=True) as corpus:
        corpus.remove([f"{number:02d}" for number in range(30)])
        corpus.purge()
    disk.clear()
    assert check(stored).problems == ()


def test_what_cannot_be_written_on_a_full_disk_is_refused_in_a_sentence_and_nothing_is_lost(
    disk, stored, tmp_path, capsys
):
    (tmp_path / "more.csv").write_text("take,label,start,stop\n" + "".join(f"03,x{i},0,9\n" for i in range(500)))
    with Corpus.open(stored) as corpus:
        labels = corpus.labels()
    disk.fill()
    assert run(["label", "import", str(stored), str(tmp_path / "more.csv")]) == 2
    assert "is the disk full?" in capsys.readouterr().err
    with Corpus.open(stored) as corpus:
        assert corpus.labels() == labels
    disk.clear()
    assert check(stored).problems == ()
    assert run(["rename", str(stored), "03", "other"]) == 0
