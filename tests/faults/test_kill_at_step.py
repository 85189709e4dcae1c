"""The step-killer itself: it counts what it says, kills before the step it was asked for, and lets it fail."""

import os
import sqlite3
from pathlib import Path

from benchmarks.faults.kill_at_step import run, run_and_kill, run_at_every_step


def write_twice(folder: Path):
    def action(acknowledge):
        for name in ("first", "second"):
            temporary = folder / f".{name}"
            with open(temporary, "wb") as file:
                file.write(b"content")
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, folder / name)
            acknowledge(name)
        (folder / "first").unlink()

    return action


STEPS = (
    "open .first",
    "write .first",
    "fsync .first",
    "replace first",
    "open .second",
    "write .second",
    "fsync .second",
    "replace second",
    "unlink first",
)


def clear(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def test_every_step_that_changes_a_folder_is_counted(tmp_path):
    outcome = run(write_twice(tmp_path), tmp_path)
    assert outcome.steps == STEPS
    assert (outcome.was_killed, outcome.error) == (False, "")
    assert outcome.acknowledged == ("first", "second")
    assert os.listdir(tmp_path) == ["second"]
    assert run(write_twice(tmp_path), tmp_path / "elsewhere").steps == ()


def test_a_process_is_killed_right_before_the_step_that_was_asked_for(tmp_path):
    left = []
    for number, outcome in run_at_every_step(write_twice(tmp_path), tmp_path, lambda: clear(tmp_path)):
        assert outcome.was_killed
        assert outcome.steps == STEPS[: number + 1]
        left.append((sorted(os.listdir(tmp_path)), outcome.acknowledged))
    assert left[0] == ([], ())
    assert left[1] == left[2] == left[3] == ([".first"], ())
    assert left[4] == (["first"], ("first",))
    assert left[8] == (["first", "second"], ("first", "second"))


def test_a_step_can_fail_as_on_a_full_disk(tmp_path):
    outcome = run(write_twice(tmp_path), tmp_path, fail_at=2)
    assert not outcome.was_killed
    assert "No space left on device" in outcome.error
    assert outcome.steps == STEPS[:3]


def test_what_a_database_writes_counts_as_a_step(tmp_path):
    def action(acknowledge):
        with sqlite3.connect(tmp_path / "d.sqlite", isolation_level=None) as database:
            database.execute("create table t (a)")
            database.execute("begin")
            database.execute("insert into t values (1)")
            database.execute("commit")
            acknowledge(str(database.execute("select count(*) from t").fetchone()[0]))

    outcome = run(action, tmp_path)
    assert outcome.steps == ("sqlite create", "sqlite begin", "sqlite insert", "sqlite commit")
    assert outcome.acknowledged == ("1",)
    (tmp_path / "d.sqlite").unlink()
    assert run(action, tmp_path, kill_at=3).was_killed
    with sqlite3.connect(tmp_path / "d.sqlite") as database:
        assert database.execute("select count(*) from t").fetchone() == (0,)


def test_a_process_can_be_killed_at_any_moment(tmp_path):
    def action(acknowledge):
        for number in range(10_000_000):
            acknowledge(str(number))

    outcome = run_and_kill(action, 0.01)
    assert outcome.was_killed
    assert outcome.acknowledged == tuple(map(str, range(len(outcome.acknowledged))))
