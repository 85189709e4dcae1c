"""A backup that is taken while labels are written: it opens clean, and has everything acknowledged before it began."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.faults.folder_states import corpus_check
from benchmarks.faults.tries import Tries
from motionloom.corpus import Corpus, import_files

WRITER = """
import sys
from motionloom.corpus import Corpus, Label
with Corpus.open(sys.argv[1], write=True) as corpus:
    names = corpus.names()
    for number in range(1_000_000):
        name = names[number % len(names)]
        corpus.add_labels([Label(name, f"backup {number}", 0, 1)])
        print(number, flush=True)
"""


def back_up_while_labelling(corpus: Path, rounds: int, room: Path) -> Tries:
    """Back a corpus up by the command line while another process writes labels to it.

    Args:
        corpus: folder of a corpus; it gets labels.
        rounds: how often.
        room: an empty folder.
    """
    tries = Tries("backup while labels are written", 0)
    log = room / "acknowledged"
    with log.open("wb") as lines, subprocess.Popen([sys.executable, "-c", WRITER, str(corpus)], stdout=lines) as writer:
        try:
            while len(log.read_bytes().splitlines()) < 20:
                time.sleep(0.05)
                if writer.poll() is not None:
                    raise RuntimeError("the process that labels has ended")
            for number in range(rounds):
                copy = room / f"copy {number}"
                acknowledged = log.read_bytes().split(b"\n")[:-1]
                words = [sys.executable, "-m", "motionloom", "backup", str(corpus), str(copy)]
                ran = subprocess.run(words, capture_output=True, text=True)
                tries.add(_judge(copy, len(acknowledged), ran))
                shutil.rmtree(copy, ignore_errors=True)
        finally:
            os.kill(writer.pid, 9)
    return tries


def back_up_recordings(data: Path, rounds: int, room: Path) -> Tries:
    """As `back_up_while_labelling`, of a corpus of all recordings."""
    with Corpus.create(room / "corpus") as corpus:
        import_files(corpus, [data / "cmu"])
    return back_up_while_labelling(room / "corpus", rounds, room)


def _judge(copy: Path, acknowledged: int, ran: subprocess.CompletedProcess) -> list[str]:
    if ran.returncode != 0:
        return [f"ended with {ran.returncode}: {ran.stderr[-300:]}"]
    findings = corpus_check(copy)
    with Corpus.open(copy) as corpus:
        there = {label.label for label in corpus.labels()}
    missing = [number for number in range(acknowledged) if f"backup {number}" not in there]
    return findings + ([f"{len(missing)} of {acknowledged} acknowledged labels are missing"] if missing else [])
