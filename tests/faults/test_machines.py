"""Disks, signals, neighbours, clients and damage: each kind of fault a few times, with a fixed seed."""

import os
import tempfile
from pathlib import Path

import pytest
from benchmarks.faults import clients, closing_race, damage, disks, neighbours, signals
from benchmarks.faults.kill_scenarios import SCENARIOS
from benchmarks.faults.messages import send_messages, send_requests
from benchmarks.faults.studio_client import PATIENCE, attacked_studio

SEED = 3
QUICK = [scenario for scenario in SCENARIOS if scenario.name not in ("building graphs", "views")]
named = pytest.mark.parametrize("scenario", QUICK, ids=lambda scenario: scenario.name)


@pytest.fixture
def room():
    """An empty folder that other users may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@named
def test_a_full_disk_is_refused_in_words_and_leaves_what_was_there(scenario, room):
    tries = disks.fail_every_step(scenario, 6, SEED, room)
    assert tries.count and tries.findings == []


@named
def test_a_small_file_system_that_is_full_loses_nothing(scenario, room):
    assert disks.fill_disk(scenario, 3, SEED, room).findings == []  # nothing is tried where none can be mounted


def test_folders_that_are_locked_are_refused_in_words(room, monkeypatch):
    chosen = [words for words in disks._commands(room / "corpus") if words[0] in ("check", "export", "backup")]
    monkeypatch.setattr(disks, "_commands", lambda corpus: chosen)
    assert disks.lock_folders(room).findings == []  # nothing is tried by a user who cannot become another one


@named
def test_few_descriptors_lose_nothing(scenario, room):
    tries = disks.take_descriptors(scenario, SEED, room, range(4, 40, 9))
    assert tries.count == 4 and tries.findings == []


def test_readers_see_what_was_acknowledged_also_as_another_user(room):
    for read in (neighbours.read_beside_writer, neighbours.read_as_another_user):
        (room / read.__name__).mkdir()
        assert read(15, SEED, room / read.__name__).findings == []


def test_a_second_writer_waits_for_the_first(room):
    assert neighbours.write_beside_writer(1, room).findings == []


def test_damage_is_noticed_and_repaired_or_reported(room):
    tries = damage.damage_often(25, SEED, room)
    assert tries.count == 25 and tries.findings == []


def test_the_closing_race_ends_with_an_answer():
    tries = closing_race.race_often(20, SEED)
    assert tries.count == 20 and tries.findings == []


def test_signals_end_long_commands_in_words(room, monkeypatch):
    chosen = [command for command in signals.commands() if command.name in ("export", "snap build")]
    monkeypatch.setattr(signals, "commands", lambda: chosen)
    tries = signals.signal_often(1, SEED, room)
    assert tries.count == 4 and tries.findings == []


def test_odd_requests_and_messages_are_answered(room):
    with attacked_studio(room) as client:
        assert send_messages(client, 150, SEED).findings == []
        assert send_requests(client, 300, SEED, limit=PATIENCE).findings == []


def test_slow_clients_keep_nobody_from_being_answered(room):
    tries, memory = clients.besiege(10, 40, 20, room)
    assert tries.count == 80 and tries.findings == []
    assert memory.before > 0 and memory.after > 0
