"""A process that is killed at any step of its work loses nothing that it acknowledged and leaves nothing half done."""

import signal

import pytest
from benchmarks.faults.kill_at_step import run, run_and_kill
from benchmarks.faults.kill_scenarios import SCENARIOS
from benchmarks.faults.kills import Scenario, kill_often

SEED = 7
KILLS = 8


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_what_was_acknowledged_is_there_and_nothing_is_half_done(scenario, tmp_path):
    tries = kill_often(scenario, KILLS, SEED, tmp_path)
    assert tries.count == KILLS
    assert tries.findings == []


def two_files(is_written_first: bool):
    """Changes of two files that belong together, in two steps; the changes are acknowledged too early or not."""

    def change(folder):
        for number in range(3):
            if is_written_first:
                yield
            (folder / "a").write_text(str(number))
            (folder / "b").write_text(str(number))
            if not is_written_first:
                yield

    return Scenario("two files", lambda folder: folder.mkdir(), change, lambda folder: read_all(folder))


def read_all(folder):
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(("is_written_first", "words"), [(False, "a mixture"), (True, "changes acknowledged")])
def test_changes_in_two_steps_and_early_acknowledgements_are_found(is_written_first, words, tmp_path):
    tries = kill_often(two_files(is_written_first), 20, SEED, tmp_path)
    assert tries.findings and all(words in finding for finding in tries.findings)
    assert "20 tries" in str(tries)


def test_a_process_that_fails_by_itself_is_no_kill(tmp_path):
    def raising(acknowledge):
        acknowledge("one")
        raise OSError("the disk is on fire")

    outcome = run(raising, tmp_path)
    assert outcome.acknowledged == ("one",) and not outcome.was_killed and "on fire" in outcome.error


def test_a_process_can_be_killed_after_a_time(tmp_path):
    def waiting(acknowledge):
        acknowledge("begun")
        signal.pause()

    assert run_and_kill(waiting, 0.5, at_once=True).was_killed
