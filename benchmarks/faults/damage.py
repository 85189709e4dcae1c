"""Damaged corpora: bytes of the catalogue and of arrays that changed by themselves.

Reading says what is wrong, or gives what was written; a repair keeps rows as they were or sets them aside, and never
invents one.
"""

import random
import shutil
from pathlib import Path

from benchmarks.faults.folder_states import corpus_state
from benchmarks.faults.kill_scenarios import begin
from benchmarks.faults.tries import Tries
from motionloom.corpus import Corpus, check
from motionloom.errors import MotionloomError

WAYS = ("flip", "zeros", "noise", "cut")


def damage_often(tries: int, seed: int, room: Path) -> Tries:
    """Damage the catalogue or an array, read, check and repair."""
    chance = random.Random(seed)
    counted = Tries("damaged catalogues and arrays", seed)
    first = room / "first"
    begin(first)
    with Corpus.open(first) as corpus:
        frames = {name: corpus.frames(name).tobytes() for name in corpus.names()}
    rows, _ = corpus_state(first)
    for _ in range(tries):
        folder = room / "try"
        shutil.copytree(first, folder)
        file = chance.choice([folder / "catalogue.sqlite", chance.choice(sorted((folder / "arrays").iterdir()))])
        what = _damage(file, chance)
        try:
            findings = _read(folder, frames) + _repair(folder, frames, rows)
        except MotionloomError as error:
            findings = [f"an error outside: {error}"]
        except Exception as error:
            findings = [f"raised {error!r}"]
        counted.add(f"{what} of {file.name}: {finding}" for finding in findings)
        shutil.rmtree(folder)
    return counted


def _damage(file: Path, chance: random.Random) -> str:
    content = bytearray(file.read_bytes())
    way, at = chance.choice(WAYS), chance.randrange(len(content))
    size = min(chance.choice([1, 16, 512, 4096, 16384]), len(content) - at)
    if way == "flip":
        content[at] ^= 1 << chance.randrange(8)
    elif way == "cut":
        del content[at:]
    else:
        content[at : at + size] = bytes(size) if way == "zeros" else chance.randbytes(size)
    file.write_bytes(content)
    return f"{way} at {at} ({size} bytes)"


def _read(folder: Path, frames: dict[str, bytes]) -> list[str]:
    """Whatever is read is as it was written, or an error says why it cannot be."""
    findings = []
    try:
        with Corpus.open(folder) as corpus:
            for name in corpus.names():
                try:
                    if name in frames and corpus.frames(name).tobytes() != frames[name]:
                        findings.append(f"frames of '{name}' differ, and nobody noticed")
                except MotionloomError:
                    pass
            corpus.labels()
    except MotionloomError:
        pass
    return findings


def _repair(folder: Path, frames: dict[str, bytes], rows: dict[str, list[str]]) -> list[str]:
    try:
        report = check(folder, repair=True)
    except MotionloomError:
        return []  # it says that it cannot be repaired
    if not report.is_clean:
        return []
    findings = [f"a second check finds: {problem}" for problem in check(folder).problems]
    after, _ = corpus_state(folder)
    with Corpus.open(folder) as corpus:
        for name in corpus.names():
            if name in frames and corpus.frames(name).tobytes() != frames[name]:
                findings.append(f"frames of '{name}' differ after the repair")
    new = [row for row in after["labels"] if row not in rows["labels"]]
    return findings + [f"a label that nobody gave: {row}" for row in new[:3]]
