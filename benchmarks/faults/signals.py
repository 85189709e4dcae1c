"""Ctrl-C and SIGTERM in every command that takes long: it ends soon, in words, and leaves nothing half done."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults.folder_states import corpus_check
from benchmarks.faults.kill_scenarios import GRAPH_TAKES, begin_graph
from benchmarks.faults.tries import Tries
from motionloom import formats
from motionloom.corpus import Corpus, Verified

END = 30.0  # seconds that a command may take to end
START = 900.0  # seconds that a whole command may take
ENDED = (0, 1)  # done before the signal came, or stopped
_STUDIO = "studio"


@dataclass(frozen=True)
class Command:
    """A command that takes long, on a corpus of two walks."""

    name: str
    words: Callable[[Path], list[str]]  # from the folder that has `corpus`


def commands() -> list[Command]:
    """All of them."""
    take = GRAPH_TAKES[0]
    return [
        Command("import", lambda room: ["import", f"{room}/corpus", f"{room}/recordings"]),
        Command("check", lambda room: ["check", f"{room}/corpus", "--repair"]),
        Command("coverage", lambda room: ["coverage", f"{room}/corpus"]),
        Command("show", lambda room: ["show", f"{room}/corpus", take, "-o", f"{room}/out.mp4"]),
        Command("export", lambda room: ["export", f"{room}/corpus", "*", "-o", f"{room}/out/{{take}}.glb"]),
        Command("clean", lambda room: ["clean", f"{room}/recordings/walk 0.bvh", "-o", f"{room}/clean.bvh"]),
        Command("timeline", lambda room: ["timeline", f"{room}/corpus", f"{room}/walk.yaml", "-o", f"{room}/new.npz"]),
        Command("snap suggest", lambda room: ["snap", "suggest", f"{room}/corpus", "-o", f"{room}/graph.yaml"]),
        Command("snap build", lambda room: ["snap", "build", f"{room}/corpus", "-o", f"{room}/new.hubs"]),
        Command(
            "snap walk", lambda room: ["snap", "walk", f"{room}/corpus", f"{room}/steps.yaml", "-o", f"{room}/w.npz"]
        ),
        Command("annotate learn", lambda room: ["annotate", "learn", f"{room}/corpus"]),
        Command("annotate propose", lambda room: ["annotate", "propose", f"{room}/corpus"]),
        Command("warmup", lambda room: ["warmup"]),
        Command("backup", lambda room: ["backup", f"{room}/corpus", f"{room}/copy"]),
        Command("demo", lambda room: ["demo", f"{room}/demo"]),
        Command(_STUDIO, lambda room: ["studio", f"{room}/corpus", "--no-open", "--port", "0"]),
    ]


def signal_often(rounds: int, seed: int, room: Path) -> Tries:
    """Send both signals to every command, each so many times, at random moments."""
    chance = random.Random(seed)
    tries = Tries("Ctrl-C and SIGTERM in long commands", seed)
    first = room / "first"
    _begin(first)
    for command in commands():
        longest = _time(command, first, room / "whole")
        for _ in range(rounds):
            for number in (signal.SIGINT, signal.SIGTERM):
                folder = room / "try"
                shutil.copytree(first, folder)
                delay = chance.uniform(0.0, longest)
                findings = _signal(command, folder, number, delay)
                tries.add(f"{command.name}, {number.name} after {delay:.2f} s: {finding}" for finding in findings)
                shutil.rmtree(folder)
    return tries


def _begin(room: Path) -> None:
    begin_graph(room / "corpus")
    (room / "recordings").mkdir()
    with Corpus.open(room / "corpus") as corpus:
        for number, name in enumerate(corpus.names()):
            formats.write(room / "recordings" / f"walk {number}.bvh", corpus.take(name).motion)
    with Corpus.open(room / "corpus", write=True) as corpus:
        first, *_ = corpus.names()
        frames = corpus.info(first).n_frames
        corpus.verify(Verified(first, label, 0, frames) for label in {each.label for each in corpus.labels(first)})
    words = [sys.executable, "-m", "motionloom", "annotate", "learn", str(room / "corpus")]
    subprocess.run(words, check=True, capture_output=True)
    (room / "steps.yaml").write_text("steps: [{action: walk}]\n")
    (room / "walk.yaml").write_text("length: 4s\nlabels:\n- {label: walk, from: 0s, to: 4s}\n")


def _time(command: Command, first: Path, folder: Path) -> float:
    """Seconds that a command takes when nobody stops it; a studio goes on until somebody does."""
    if command.name == _STUDIO:
        return 3.0
    shutil.copytree(first, folder)
    began = time.monotonic()
    with _start(command, folder) as process:
        _, errors = process.communicate(timeout=START)
    if process.returncode != 0:
        raise RuntimeError(f"{command.name} failed without a signal: {errors[-300:]!r}")
    shutil.rmtree(folder)
    return time.monotonic() - began


def _start(command: Command, folder: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "motionloom", *command.words(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        start_new_session=True,
        preexec_fn=_listen,
    )


def _listen() -> None:
    """Take signals as a terminal's commands do: a shell makes what it starts in the background ignore Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _signal(command: Command, folder: Path, number: signal.Signals, delay: float) -> list[str]:
    with _start(command, folder) as process:
        time.sleep(delay)
        os.kill(process.pid, number)
        try:
            _, errors = process.communicate(timeout=END)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return [f"did not end within {END:.0f} s"]
    early = process.returncode == -number  # before Python could listen
    findings = [] if process.returncode in ENDED or early else [f"ended with {process.returncode}: {errors[-300:]!r}"]
    if b"Traceback" in errors:
        findings.append(f"a traceback: {errors[-300:]!r}")
    left = [path.name for path in folder.rglob("*") if path.name.endswith((".part", ".tmp", ".new"))]
    findings += [f"left {name}" for name in left if not early]
    return findings + [f"corpus: {problem}" for problem in corpus_check(folder / "corpus")]
