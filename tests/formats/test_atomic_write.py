"""A file is replaced whole: synced before it is acknowledged, and as it was when writing fails."""

import os
import resource
import threading

import pytest
from benchmarks.faults.kill_at_step import run, run_at_every_step

from motionloom.errors import BadInput
from motionloom.formats.atomic_write import replace_file


def kinds(steps):
    """Steps with the name of the temporary file left out, which is random."""
    return [
        " ".join((step.split()[0], "temporary" if step.endswith(".part") else step.split(maxsplit=1)[1]))
        for step in steps
    ]


STEPS = ["open temporary", "write temporary", "fsync temporary", "replace file", "fsync ."]


@pytest.fixture
def file(tmp_path):
    (tmp_path / "file").write_bytes(b"before")
    return tmp_path / "file"


def test_a_file_and_its_folder_are_synced_before_a_write_is_acknowledged(file):
    assert kinds(run(lambda _: replace_file(file, b"after"), file.parent).steps) == STEPS
    assert file.read_bytes() == b"after"


def test_a_kill_at_any_step_leaves_the_old_file_or_the_new_one(file):
    found = []
    for _, outcome in run_at_every_step(
        lambda _: replace_file(file, b"after"), file.parent, lambda: file.write_bytes(b"before")
    ):
        assert outcome.was_killed
        found.append(file.read_bytes())
    assert found == [b"before"] * 4 + [b"after"]


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_a_step_that_fails_leaves_no_temporary_file_and_one_whole_file(file, step):
    outcome = run(lambda _: replace_file(file, b"after"), file.parent, fail_at=step)
    assert "BadInput" in outcome.error
    assert "No space left on device" in outcome.error
    assert os.listdir(file.parent) == ["file"]
    assert file.read_bytes() == (b"after" if STEPS[step] == "fsync ." else b"before")


def test_a_file_that_may_not_grow_leaves_the_old_one(file):
    def action(_):
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 12, 1 << 12))  # bytes: a write beyond them fails half-way
        replace_file(file, bytes(1 << 16))

    outcome = run(action, file.parent)
    assert "BadInput" in outcome.error
    assert "File too large" in outcome.error
    assert os.listdir(file.parent) == ["file"]
    assert file.read_bytes() == b"before"


def test_threads_that_write_the_same_file_do_not_share_a_temporary_file(file, monkeypatch):
    both = threading.Barrier(2)
    real = os.replace

    def replace_together(*names):
        both.wait(60)  # both have written, and neither has renamed
        real(*names)

    monkeypatch.setattr(os, "replace", replace_together)
    problems = []

    def write(content):
        try:
            replace_file(file, content)
        except BadInput as error:
            problems.append(error)

    threads = [threading.Thread(target=write, args=[letter * 100_000]) for letter in (b"a", b"b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert file.read_bytes() in (b"a" * 100_000, b"b" * 100_000)
    assert os.listdir(file.parent) == ["file"]


def test_a_long_name_can_be_written(tmp_path):
    path = tmp_path / ("é" * 120 + ".yaml")  # 245 bytes of the 255 that a name may have
    replace_file(path, b"content")
    assert path.read_bytes() == b"content"


def test_a_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nowhere/file cannot be written .*does the folder exist"):
        replace_file(tmp_path / "nowhere" / "file", b"")
