"""Processes beside each other on one corpus: two writers, readers beside a writer, a reader who is another user."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.faults.disks import NOBODY
from benchmarks.faults.kill_scenarios import begin
from benchmarks.faults.tries import Tries

WRITER = """
import sys
from motionloom.corpus import Corpus, Label
for number in range(1_000_000):
    with Corpus.open(sys.argv[1], write=True) as corpus:
        for part in range(10):
            corpus.add_labels([Label("take 0", f"word {10 * number + part}", 0, 5)])
            print(10 * number + part, flush=True)
"""
SECOND = """
import sys
from motionloom.corpus import Corpus
from motionloom.errors import CorpusBusy
try:
    with Corpus.open(sys.argv[1], write=True):
        print("open")
except CorpusBusy:
    print("busy")
"""
READER = """
import os, sys
from motionloom.corpus import Corpus, check
from motionloom.errors import CorpusError
if int(sys.argv[2]):
    os.setgroups([]); os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
for line in sys.stdin:
    wanted = int(line)
    try:
        with Corpus.open(sys.argv[1]) as corpus:
            there = {label.label for label in corpus.labels("take 0")}
            missing = [number for number in range(wanted) if f"word {number}" not in there]
            take = corpus.take("take 1")
        problems = [str(problem) for problem in check(sys.argv[1]).problems]
        problems += [f"{len(missing)} of {wanted} acknowledged labels are missing"] * bool(missing)
        print("; ".join(problems), flush=True)
    except CorpusError as error:
        sentence = str(error)
        print("" if "writing" in sentence or "try again" in sentence or "in use" in sentence else sentence, flush=True)
    except Exception as error:
        print(repr(error), flush=True)
"""


def read_beside_writer(rounds: int, seed: int, room: Path, *, user: int = 0) -> Tries:
    """Open a corpus again and again while another process writes labels: everything acknowledged is seen.

    Args:
        rounds: how often.
        seed: of the pauses.
        room: an empty folder.
        user: that the reader becomes; 0 for this one.
    """
    chance = random.Random(seed)
    tries = Tries(f"reading {'as another user ' if user else ''}beside a writer", seed)
    if user and os.geteuid() != 0:
        return tries
    corpus, log = room / "corpus", room / "acknowledged"
    begin(corpus)
    for folder in (room, corpus):
        os.chmod(folder, 0o755)
    with (
        log.open("wb") as lines,
        subprocess.Popen([sys.executable, "-c", WRITER, str(corpus)], stdout=lines) as writer,
        subprocess.Popen(
            [sys.executable, "-c", READER, str(corpus), str(user)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        ) as reader,
    ):
        try:
            assert reader.stdin is not None and reader.stdout is not None
            for _ in range(rounds):
                time.sleep(chance.uniform(0.0, 0.05))
                print(len(log.read_bytes().split(b"\n")) - 1, file=reader.stdin, flush=True)
                found = reader.stdout.readline().strip()
                tries.add([found] if found else [])
        finally:
            writer.kill()
            reader.kill()
    return tries


def write_beside_writer(rounds: int, room: Path) -> Tries:
    """A second writer is refused while the first one writes, and gets its turn after."""
    tries = Tries("two writers", 0)
    corpus = room / "corpus"
    begin(corpus)
    holder = [sys.executable, "-c", "import sys; from motionloom.corpus import Corpus\n"]
    holder[-1] += "with Corpus.open(sys.argv[1], write=True): print('open', flush=True); sys.stdin.read()"
    for _ in range(rounds):
        with subprocess.Popen([*holder, str(corpus)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
            assert first.stdout is not None
            first.stdout.readline()
            during = _open_for_writing(corpus)
            first.kill()
        after = _open_for_writing(corpus)
        tries.add([] if (during, after) == ("busy", "open") else [f"during: {during}, after: {after}"])
    return tries


def _open_for_writing(corpus: Path) -> str:
    ran = subprocess.run([sys.executable, "-c", SECOND, str(corpus)], capture_output=True, text=True)
    return ran.stdout.strip() or ran.stderr[-200:]


def read_as_another_user(rounds: int, seed: int, room: Path) -> Tries:
    """As `read_beside_writer`, by a user who may only read."""
    return read_beside_writer(rounds, seed, room, user=NOBODY)
