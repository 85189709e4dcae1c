"""Seeded timelines: random requests of 3 to 6 seconds on small corpora of many bodies, for measures of what comes out.

Every corpus holds up to nine takes of a few subjects, with the labels of the recordings. A request paints one to three
stretches of labels that the corpus has; a quarter of them also name a place, and a quarter force a frame.
"""

import csv
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from motionloom import formats
from motionloom.assembly import Answer, Performed, Result, solve
from motionloom.corpus import Corpus, Label
from motionloom.corpus import Take as CorpusTake
from motionloom.methods import timeline
from motionloom.methods.timeline import ForcedFrames, Model, Paint, Place, Request, prepare
from motionloom.motion import Motion

GROUPS: dict[str, tuple[str, ...]] = {  # subjects of each corpus
    "walks": ("69",),
    "lunges and steps": ("144", "136"),
    "everyday": ("13", "23", "36"),
    "football": ("143", "127", "33"),
    "styles": ("142", "77"),
    "runs and jumps": ("16", "49", "64"),
    "stools and ladders": ("40", "56", "86", "114"),
    "fights": ("14", "17", "76", "85"),
}
MOST_TAKES = 9  # of a corpus
LONGEST_TAKE = 20.0  # seconds; longer ones are cut
LEAST_LABELLED = 0.8  # seconds of a label in a corpus, for it to be asked for
SPEED = 0.8  # metres per second at which a place can be reached

Change = Callable[[Motion, np.random.Generator], Motion]  # of a recording, before it is added to a corpus

_folders: list[tempfile.TemporaryDirectory] = []  # kept until the benchmark ends


@dataclass(frozen=True, eq=False)
class SeededTimeline:
    """One timeline, with all that it was made from."""

    group: str
    seed: int
    request: Request
    model: Model  # its view has the source takes
    answer: Answer
    performed: Performed
    result: Result

    @property
    def name(self) -> str:
        return f"{self.group} {self.seed}"


def seeded_timelines(
    data: Path, count: int = 200, *, change: Change | None = None, quick: bool = False
) -> Iterator[SeededTimeline]:
    """Make so many timelines, one after another; the same every time.

    Args:
        data: folder of the recordings.
        count: of timelines, shared out among the corpora.
        change: made to every take before it is added to its corpus, such as legs that overstretch.
        quick: leave out what takes long in reports: quality, and reasons for what is missed.
    """
    for number, group in enumerate(GROUPS):
        seeds = range(number, count, len(GROUPS))
        if len(seeds):
            model = group_model(data, group, change)
            for seed in seeds:
                request = seeded_request(model, seed)
                answer = solve(timeline, model, request, seed=seed)[0]
                performed = timeline.perform(answer, model)
                result = timeline.judge(performed, model, quick=quick)
                yield SeededTimeline(group, seed, request, model, answer, performed, result)


@cache
def all_timelines(data: Path, count: int = 200) -> tuple[SeededTimeline, ...]:
    """All of them, made once for every measure of a benchmark."""
    return tuple(seeded_timelines(data, count))


@cache
def group_model(data: Path, group: str, change: Change | None = None) -> Model:
    """The corpus of a group of subjects, prepared for timelines."""
    _folders.append(tempfile.TemporaryDirectory(prefix="motionloom-bench-"))
    corpus = Corpus.create(Path(_folders[-1].name) / "corpus")
    fill_group(corpus, data, group, change)
    return prepare(corpus)


def fill_group(corpus: Corpus, data: Path, group: str, change: Change | None = None) -> None:
    """Add the takes of a group and their labels to a corpus."""
    rng = np.random.default_rng([list(GROUPS).index(group), 15])
    rows = [row for row in csv.DictReader((data / "cmu" / "INDEX.csv").open()) if row["subject"] in GROUPS[group]]
    chosen = [rows[i] for i in np.sort(rng.permutation(len(rows))[:MOST_TAKES])]
    names = {}
    for row in chosen:
        take = formats.read(data / "cmu" / row["file"])
        motion = take.motion
        assert isinstance(motion, Motion)
        motion = _shortened(motion)
        motion = motion if change is None else change(motion, rng)
        name = names[Path(row["file"]).stem] = row["file"].removesuffix(".bvh")
        corpus.add(CorpusTake(name, motion, take.source, take.findings))
    corpus.add_labels(_labels(data, corpus, names))


def seeded_request(model: Model, seed: int) -> Request:
    """A random request that the takes of a model can meet."""
    rng = np.random.default_rng([seed, 2026])
    corpus, seconds = model.view.corpus, round(float(rng.uniform(3.0, 6.0)), 2)
    known = _known_labels(corpus)
    stretches = int(rng.integers(1, 4))
    borders = np.linspace(0, seconds, stretches + 1).round(2)
    paints = tuple(
        Paint(label=str(rng.choice(known)), start=f"{a:g}s", stop=f"{b - 0.3:g}s")
        for a, b in zip(borders[:-1], borders[1:])
    )
    more = rng.random()
    places = (_place(rng, seconds),) if more < 0.25 else ()
    frames = (_forced(rng, corpus, seconds),) if more > 0.75 else ()
    return Request(length=f"{seconds:g}s", labels=paints, places=places, frames=frames)


def _place(rng: np.random.Generator, seconds: float) -> Place:
    away = rng.uniform(0.2, 1.0) * SPEED * seconds
    towards = rng.uniform(0, 2 * np.pi)
    return Place(position=(float(away * np.cos(towards)), float(away * np.sin(towards))))


def _forced(rng: np.random.Generator, corpus: Corpus, seconds: float) -> ForcedFrames:
    infos: Sequence = corpus.infos()
    info = infos[int(rng.integers(len(infos)))]
    at = float(rng.uniform(0.3, 0.7)) * seconds
    return ForcedFrames(at=f"{at:.2f}s", take=info.name, frame=int(rng.integers(info.n_frames)))


def _known_labels(corpus: Corpus) -> list[str]:
    seconds: dict[str, float] = {}
    for label in corpus.labels():
        fps = corpus.info(label.take).fps
        seconds[label.label] = seconds.get(label.label, 0.0) + (label.stop - label.start) / fps
    return sorted(name for name, total in seconds.items() if total >= LEAST_LABELLED)


def _labels(data: Path, corpus: Corpus, names: dict[str, str]) -> Iterator[Label]:
    for row in csv.DictReader((data / "cmu" / "labels.csv").open()):
        name = names.get(Path(row["take"]).name)
        if name is not None and int(row["start"]) < (end := corpus.info(name).n_frames):
            yield Label(name, row["label"], int(row["start"]), min(int(row["stop"]), end), row["source"])


def _shortened(motion: Motion) -> Motion:
    from motionloom.motion import cut

    return cut(motion, 0, min(motion.n_frames, round(LONGEST_TAKE * motion.fps)))
