"""The report: how often each fault was tried, with which seed, and what was found."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults import (
    backups,
    clients,
    closing_race,
    damage,
    disks,
    fuzzing,
    kills,
    messages,
    neighbours,
    signals,
)
from benchmarks.faults.bombs import measure_bombs
from benchmarks.faults.kill_scenarios import SCENARIOS
from benchmarks.faults.mutations import KINDS
from benchmarks.faults.studio_client import attacked_studio
from benchmarks.faults.tries import Tries, total
from benchmarks.measure import calibration, figure

SEED = 14
KILLS = 40  # in each of the scenarios
FILES = 12_000  # mutated, of each kind
REQUESTS, MESSAGES = 12_000, 6_000
RACES = 1_000
CLIENTS, ORDINARY, JOBS = 50, 1_000, 300
BACKUPS = 3


def fault_figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about what cannot go wrong; backups of 47 minutes only where there are recordings."""
    subprocess.run([sys.executable, "-m", "motionloom", "warmup"], check=True, capture_output=True)  # compiles once
    measured = [*kill_figures(), *input_figures(), *race_figures(), *client_figures(), *machine_figures()]
    if data is not None:
        measured += backup_figures(data)
    return [*measured, calibration()]


def kill_figures() -> list[dict]:
    """Kills before every step and at random times."""
    tried = [_try(lambda room, each=scenario: kills.kill_often(each, KILLS, SEED, room)) for scenario in SCENARIOS]
    count, found = total(tried)
    torn = sum(len(tries.findings) for tries in tried if "documents" in tries.what)
    return [
        figure("kills", count, "kills", "higher"),
        figure("kills; acknowledged changes lost, or changes half done", found, "findings", "lower"),
        figure("kills; documents torn", torn, "findings", "lower"),
    ]


def input_figures() -> list[dict]:
    """Mutated files, requests and messages, and files that are made to explode."""
    fuzzed = []
    for kind in KINDS:
        with _room() as room:
            fuzzed.append(fuzzing.fuzz(kind, FILES, SEED, room))
            _report(fuzzed[-1].tries)
    sent = []
    for send, count in ((messages.send_messages, MESSAGES), (messages.send_requests, REQUESTS)):
        with _room() as room, attacked_studio(room) as client:
            sent.append(_report(send(client, count, SEED)))
    count, found = total([*(each.tries for each in fuzzed), *sent])
    with _room() as room:
        bombs = measure_bombs(room)
    broken = [f"{bomb['name']}: {bomb['outcome']}" for bomb in bombs if bomb["outcome"] not in ("read", "refused")]
    _report(Tries("files made to explode", 0, len(bombs), broken))
    return [
        figure("mutated inputs", count, "inputs", "higher"),
        figure("mutated inputs; findings", found + len(broken), "findings", "lower"),
        figure(
            "mutated files; share that is read all the same",
            100 * sum(f.read for f in fuzzed) / (FILES * len(KINDS)),
            "%",
            "higher",
        ),
        figure("mutated files; the slowest, processor time", max(f.seconds for f in fuzzed), "s", "lower"),
        figure("mutated files; most memory", max(f.bytes for f in fuzzed) / 1e6, "MB", "lower"),
        figure("files made to explode; the slowest, processor time", max(b["seconds"] for b in bombs), "s", "lower"),
        figure("files made to explode; most memory", max(b["megabytes"] for b in bombs), "MB", "lower"),
    ]


def race_figures() -> list[dict]:
    """The assistant's closing race, on a busy machine."""
    tries = _report(closing_race.race_often(RACES, SEED))
    return [
        figure("closing race; rounds under load", tries.count, "rounds", "higher"),
        figure("closing race; hangs and wrong answers", len(tries.findings), "findings", "lower"),
    ]


def client_figures() -> list[dict]:
    """A studio under siege: answers, and memory."""
    with _room() as room:
        tries, memory = clients.besiege(CLIENTS, ORDINARY, JOBS, room)
    _report(tries)
    return [
        figure(
            f"requests beside {CLIENTS} slow clients and {JOBS} jobs; not answered",
            len(tries.findings),
            "findings",
            "lower",
        ),
        figure(f"memory after {ORDINARY:,} requests and {CLIENTS} clients; grows by", memory.growth, "%", "lower"),
    ]


def machine_figures() -> list[dict]:
    """Full disks, locked folders, few descriptors, signals, other processes, damaged files."""
    quick = [scenario for scenario in SCENARIOS if scenario.name != "building graphs"]
    parts: dict[str, list[Tries]] = {
        "full disks": [
            _try(lambda room, each=scenario, way=way: way(each, 25, SEED, room))
            for scenario in quick
            for way in (disks.fail_every_step, disks.fill_disk)
        ],
        "few descriptors": [_try(lambda room, each=s: disks.take_descriptors(each, SEED, room)) for s in quick],
        "read-only and unreadable folders": [_try(disks.lock_folders)],
        "Ctrl-C and SIGTERM in long commands": [_try(lambda room: signals.signal_often(2, SEED, room))],
        "two writers": [_try(lambda room: neighbours.write_beside_writer(10, room))],
        "readers beside a writer, other users too": [
            _try(lambda room, read=read: read(300, SEED, room))
            for read in (neighbours.read_beside_writer, neighbours.read_as_another_user)
        ],
        "damaged catalogues and arrays": [_try(lambda room: damage.damage_often(600, SEED, room))],
    }
    measured = []
    for name, tried in parts.items():
        count, found = total(tried)
        measured += [
            figure(f"{name}; tries", count, "tries", "higher"),
            figure(f"{name}; findings", found, "findings", "lower"),
        ]
    return measured


def backup_figures(data: Path) -> list[dict]:
    """A backup of all recordings while labels are written."""
    with _room() as room:
        tries = _report(backups.back_up_recordings(data, BACKUPS, room))
    return [
        figure("backups of 47 minutes while labels are written", tries.count, "backups", "higher"),
        figure("backups of 47 minutes while labels are written; findings", len(tries.findings), "findings", "lower"),
    ]


def _try(run: Callable[[Path], Tries]) -> Tries:
    with _room() as room:
        return _report(run(room))


def _report(tries: Tries) -> Tries:
    print(tries, flush=True)
    return tries


@contextmanager
def _room() -> Iterator[Path]:
    """An empty folder that other users may enter."""
    with tempfile.TemporaryDirectory() as room:
        os.chmod(room, 0o755)
        yield Path(room)
