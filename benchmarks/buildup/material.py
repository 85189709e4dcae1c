"""What build-up is measured on: boxing and breakdance, and martial_arts, on which its settings were chosen."""

import csv
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.timeline import corpora
from motionloom import formats
from motionloom.corpus import Corpus, Take
from motionloom.methods.buildup import Material, Model, prepare
from motionloom.methods.buildup.tree.search_tree import Entry
from motionloom.motion import Placement

SETS = ("boxing", "breakdance")
GROUPS = 24
SEED = 1


@cache
def model_of(data: Path, name: str, measure: str = "points") -> Model:
    """A set, ready for building up; `measure` "angles" for the paper's graph."""
    return prepare(corpora.set_of(data, name), Material(groups=GROUPS, measure=measure))


def random_entries(model: Model, count: int) -> list[tuple[int, Entry]]:
    """Last poses, drawn from all frames that can be played, and how the graph is entered after them."""
    rng = np.random.default_rng(SEED)
    frames = [int(frame) for frame in rng.choice(model.tables.played_frames, count)]
    return [(frame, Entry(model.tables.node_at(frame), frame + 1, Placement.none())) for frame in frames]


def fill(folder: Path, data: Path, sets: tuple[str, ...]) -> None:
    """A corpus of the takes of some sets, in a folder of its own."""
    corpus = Corpus.create(folder)
    for row in csv.DictReader((data / "cmu" / "INDEX.csv").open()):
        if row["set"] in sets:
            take = formats.read(data / "cmu" / row["file"])
            corpus.add(Take(row["file"].removesuffix(".bvh"), take.motion, take.source, take.findings))
    corpus.close()
