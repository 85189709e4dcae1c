"""Mutated files: each is read or refused with a sentence, soon and in little memory.

Files are given to their readers, and what is read goes on to whatever uses it first, in a process that is watched: it
may neither raise anything but our own errors, nor compute for long, nor grow.
"""

import os
import pickle
import resource
import signal
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.faults.mutations import KINDS, mutate
from benchmarks.faults.readers import take_in
from benchmarks.faults.seeds import make_seeds
from benchmarks.faults.tries import Tries

MOST_SECONDS = 2.0  # of processor time for one input
MOST_BYTES = 500_000_000  # of memory that the process holds
PATIENCE = 30.0  # seconds after which an input counts as one that hangs
CHUNK = 500  # inputs that one process reads
ROOM = 3_000_000_000  # bytes of address space for it: a bomb must not take the machine with it


@dataclass
class Fuzzed:
    """What became of mutated files of one kind."""

    tries: Tries
    read: int = 0  # others were refused
    seconds: float = 0.0  # of the slowest
    bytes: int = 0  # most that a process has held


def fuzz(kind: str, count: int, seed: int, room: Path) -> Fuzzed:
    """Read mutated files of a kind.

    Args:
        kind: of `KINDS`.
        count: how many.
        seed: of the mutations; the n-th input is the same in every run.
        room: an empty folder.
    """
    fuzzed = Fuzzed(Tries(f"mutated {kind} files", seed))
    _warm_up(kind, room)
    for start in range(0, count, CHUNK):
        numbers = range(start, min(count, start + CHUNK))
        while numbers:
            heard, numbers = _read_chunk(kind, seed, numbers, room)
            for number, outcome, seconds, held in heard:
                slow = [f"computed for {seconds:.1f} s"] if seconds > MOST_SECONDS else []
                large = [f"held {held / 1e6:.0f} MB"] if held > MOST_BYTES else []
                raised = [] if outcome in ("read", "refused") else [outcome]
                fuzzed.tries.add(f"{kind} number {number}: {finding}" for finding in raised + slow + large)
                fuzzed.read += outcome == "read"
                fuzzed.seconds, fuzzed.bytes = max(fuzzed.seconds, seconds), max(fuzzed.bytes, held)
    return fuzzed


def _warm_up(kind: str, room: Path) -> None:
    """Read valid files: what is loaded and compiled once is no input's own."""
    folder = room / "valid"
    folder.mkdir()
    for content in make_seeds()[kind]:
        assert take_in(kind, content, folder) == "read"


def make_input(kind: str, seed: int, number: int) -> bytes:
    """One mutated file; the same in every run."""
    valid = make_seeds()[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that occur twice in an archive
        return mutate(valid[number % len(valid)], kind, np.random.default_rng([seed, KINDS.index(kind), number]))


def _read_chunk(kind: str, seed: int, numbers: range, room: Path) -> tuple[list[tuple[int, str, float, int]], range]:
    """Outcomes of inputs, and what is left where the process ended before the last one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            _work(kind, seed, numbers, room, writer)
        finally:
            os._exit(0)
    os.close(writer)
    heard = []
    with open(reader, "rb") as pipe:
        while True:
            try:
                heard.append(pickle.load(pipe))
            except EOFError:
                break
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = numbers[len(heard) :]
    if left and code != 0:  # the one that it did not come back from
        heard.append((left[0], f"the process ended with {code}", PATIENCE, 0))
        left = left[1:]
    return heard, left if code != 0 else range(0)


def _work(kind: str, seed: int, numbers: range, room: Path, writer: int) -> None:
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + ROOM, size + ROOM))
    folder = room / str(os.getpid())
    folder.mkdir()
    np.seterr(all="ignore")  # numbers that overflow are what these files have
    for number in numbers:
        content = make_input(kind, seed, number)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)  # its usual answer ends the process
        began = time.process_time()
        try:
            outcome = take_in(kind, content, folder)
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            outcome = f"{type(error).__name__}: {str(error)[:200]} at {Path(where.filename).name}:{where.lineno}"
        seconds = time.process_time() - began
        signal.setitimer(signal.ITIMER_REAL, 0)
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        os.write(writer, pickle.dumps((number, outcome, seconds, held)))
