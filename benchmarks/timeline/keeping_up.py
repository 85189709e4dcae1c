"""Preparation that keeps up: a corpus of 47 minutes opened again, added to, and asked in part, each in a new process.

What a person waits for: the view of all takes after a restart, and the first motion after a change.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.requests import make_request
from motionloom.assembly import Material, follow
from motionloom.conform import make_view
from motionloom.corpus import Corpus, Take
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, prepare
from motionloom.motion import cut

REQUEST = make_request(10.0, (("walk", 0, 5), ("run", 5.5, 10)))
CHOICES = {  # patterns of takes: some 7 and 25 of 47 minutes, and a few takes
    "football_like": ("football_like/*",),
    "more than half": ("everyday/*", "walking/*", "styles/*"),
    "few takes": ("walking/69_*",),
}
ADDED, FRAMES = "walking/69_06", 600  # a take that is like one there is, and as long as this


def figures(data: Path) -> list[dict]:
    """Seconds that a person waits, on a corpus that was prepared before."""
    folder = corpora.everything(data).folder
    prepare(corpora.everything(data))
    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as place:
        copy = Path(place) / "corpus"
        shutil.copytree(folder, copy)
        opened, added = _run(copy, "open"), _run(copy, "add")
        chosen = _run(copy, "choose")
    return [
        figure("keeping up; view of 47 minutes opened again", opened["view"], "s", "lower"),
        figure("keeping up; first motion after a restart", opened["first"], "s", "lower"),
        figure("keeping up; a take of 10 s added, next answer", added["added"], "s", "lower"),
        figure("keeping up; a take renamed, next answer", added["renamed"], "s", "lower"),
        figure("keeping up; a take removed, next answer", added["removed"], "s", "lower"),
        *(figure(f"keeping up; {name}, next answer", chosen[name], "s", "lower") for name in CHOICES),
        figure("keeping up; another choice of takes, at worst", max(chosen[name] for name in CHOICES), "s", "lower"),
    ]


def _run(folder: Path, step: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.timeline.keeping_up", str(folder), step]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    return dict(json.loads(answer.stdout.splitlines()[-1]))


def _open(corpus: Corpus) -> dict[str, float]:
    view = _seconds(lambda: make_view(corpus))
    return {"view": view, "first": _seconds(lambda: _first_motion(prepare(corpus)))}


def _add(corpus: Corpus) -> dict[str, float]:
    _first_motion(prepare(corpus))
    take = corpus.take(ADDED)
    motion = cut(take.motion, 0, FRAMES)
    motion = replace(motion, root_positions=motion.root_positions * 1.01)
    corpus.add(Take("new/take", motion, take.source))
    waited = {"added": _seconds(lambda: _first_motion(prepare(corpus)))}
    corpus.rename("new/take", "another/take")
    waited["renamed"] = _seconds(lambda: _first_motion(prepare(corpus)))
    corpus.remove("another/take")
    return {**waited, "removed": _seconds(lambda: _first_motion(prepare(corpus)))}


def _choose(corpus: Corpus) -> dict[str, float]:
    _first_motion(prepare(corpus))
    return {
        name: _seconds(lambda patterns=patterns: _first_motion(prepare(corpus, Material(patterns, 60.0))))  # type: ignore[misc]
        for name, patterns in CHOICES.items()
    }


def _first_motion(model: Model) -> None:
    """What is shown first: the first answer, performed."""
    answer = next(iter(follow(timeline, model, REQUEST)))
    timeline.perform(answer, model, quick=True)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    with Corpus.open(sys.argv[1], write=True) as opened:
        print(json.dumps({"open": _open, "add": _add, "choose": _choose}[sys.argv[2]](opened)))
