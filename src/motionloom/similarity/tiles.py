"""Tiles: going over a big pair matrix in small blocks, on all cores, so that it is never in memory as a whole."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from motionloom.errors import BadInput
from motionloom.tasks import Progress, one_thread_per_product, run_threads

Job = TypeVar("Job")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class TileSettings:
    """How much of a pair matrix is computed at a time: memory and speed depend on it, and no answer of a search does.

    A thread holds at most four float32 arrays of a tile: 2 MB each thread with these sizes.
    """

    rows: int = 256  # frames
    columns: int = 512  # frames
    threads: int | None = None  # None for one per core

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or (self.threads is not None and self.threads < 1):
            raise BadInput(
                f"tiles of {self.rows} x {self.columns} frames on {self.threads} threads; each must be at least 1"
            )


@dataclass(frozen=True)
class Scratch:
    """Memory that one thread uses again for every tile; what it gave is overwritten by the next call."""

    _arrays: dict[str, np.ndarray] = field(default_factory=dict)

    def take(self, name: str, *shape: int) -> np.ndarray:
        """An uninitialised float32 array of this shape."""
        size = int(np.prod(shape))
        if name not in self._arrays or self._arrays[name].size < size:
            self._arrays[name] = np.empty(size, np.float32)
        return self._arrays[name][:size].reshape(shape)


def split(start: int, stop: int, size: int) -> list[slice]:
    """Cut the frames [start, stop) into pieces of at most this size."""
    return [slice(a, min(a + size, stop)) for a in range(start, stop, size)]


def run_tiles(
    work: Callable[[Job, Scratch], Answer],
    jobs: Sequence[Job],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Answer]:
    """Run compiled work on all cores, with memory for each thread, and give the answers in the order of the jobs."""
    own = threading.local()

    def run(job: Job) -> Answer:
        if not hasattr(own, "scratch"):
            own.scratch = Scratch()
        return work(job, own.scratch)

    with one_thread_per_product():
        return run_threads(run, jobs, threads=threads, progress=progress)
