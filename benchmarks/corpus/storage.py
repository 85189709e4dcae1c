"""Opening a large corpus, and computing layers and views."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom.conform import make_view
from motionloom.corpus import Corpus, make_layers
from motionloom.formats.take import Source, Take
from motionloom.motion import Motion, Skeleton, rotations

N_TAKES, N_FRAMES = 250, 4000  # a million frames
SOURCE = Source("", "npz", "", 60.0, 1.0)


def opening_figures() -> list[dict]:
    """Opening a corpus of a million frames of 31 joints and listing its takes, and the memory that takes."""
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder) / "corpus")

        def open_and_list() -> None:
            with Corpus.open(Path(folder) / "corpus") as corpus:
                corpus.names()

        def open_and_read_a_second() -> None:
            with Corpus.open(Path(folder) / "corpus") as corpus:
                np.array(corpus.frames("take/100")[1000:1060])

        opening, reading = best_of(open_and_list), best_of(open_and_read_a_second)
        before = psutil.Process().memory_info().rss
        with Corpus.open(Path(folder) / "corpus") as corpus:
            corpus.infos()
            grown = psutil.Process().memory_info().rss - before
    return [
        figure("opening a corpus of 1 million frames", opening * 1000, "ms", "lower"),
        figure("opening it and reading one second of a take", reading * 1000, "ms", "lower"),
        figure("memory that opening it takes", max(grown, 0) / 1e6, "MB", "lower"),
    ]


def _fill(folder: Path) -> None:
    rng = np.random.default_rng(0)
    skeleton = Skeleton(tuple(f"j{i}" for i in range(31)), np.arange(31) - 1, rng.normal(scale=0.2, size=(31, 3)))
    root = rng.normal(size=(N_FRAMES, 3))
    local = rotations.normalize(rng.normal(size=(N_FRAMES, 31, 4)))
    with Corpus.create(folder) as corpus:
        for number in range(N_TAKES):
            root[0, 0] = number  # other content
            corpus.add(Take(f"take/{number}", Motion(skeleton, root, local, 60.0), SOURCE), floor_height=0.0)


def layer_figures(data: Path) -> list[dict]:
    """All layers of all takes on all cores, and a view of all takes."""
    takes = {name: motion for name, (motion, _) in read_all(data).items()}
    minutes = sum(motion.duration for motion in takes.values()) / 60
    with tempfile.TemporaryDirectory() as folder, Corpus.create(Path(folder) / "corpus") as corpus:
        for name, motion in takes.items():
            corpus.add(Take(name, motion, replace(SOURCE, path=name)))
        start = time.perf_counter()
        make_layers(corpus)
        layers = time.perf_counter() - start
        start = time.perf_counter()
        make_view(corpus)
        first = time.perf_counter() - start
        again = best_of(lambda: make_view(corpus))
    return [
        figure(f"computing and keeping all layers of {minutes:.0f} minutes", layers, "s", "lower"),
        figure("making a view of all takes", first, "s", "lower"),
        figure("opening a view that was made", again * 1000, "ms", "lower"),
    ]
