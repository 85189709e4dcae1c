"""Tiles: a large distance matrix processed in blocks, on all cores, so that it is never in memory as a whole."""

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
    """Block sizes of a distance matrix: memory and speed depend on them, results do not.

    A thread holds at most four float32 arrays of a tile: 2 MB per thread with these sizes.
    """

    rows: int = 256  # frames
    columns: int = 512  # frames
    threads: int | None = None  # None for one per core

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or (self.threads is not None and self.threads < 1):
            raise BadInput(
                f"rows {self.rows}, columns {self.columns} and threads {self.threads} of tiles must be at least 1"
            )


@dataclass(frozen=True)
class Scratch:
    """Scratch memory that one thread reuses for every tile; arrays are overwritten by the next call."""

    _arrays: dict[str, np.ndarray] = field(default_factory=dict)

    def take(self, name: str, *shape: int) -> np.ndarray:
        """An uninitialised float32 array of this shape."""
        size = int(np.prod(shape))
        if name not in self._arrays or self._arrays[name].size < size:
            self._arrays[name] = np.empty(size, np.float32)
        return self._arrays[name][:size].reshape(shape)


def split(start: int, stop: int, size: int) -> list[slice]:
    """Split the frames [start, stop) into slices of at most this size."""
    return [slice(a, min(a + size, stop)) for a in range(start, stop, size)]


def run_tiles(
    work: Callable[[Job, Scratch], Answer],
    jobs: Sequence[Job],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Answer]:
    """Run compiled work on all cores, with scratch memory for each thread; results in the order of the jobs."""
    own = threading.local()

    def run(job: Job) -> Answer:
        if not hasattr(own, "scratch"):
            own.scratch = Scratch()
        return work(job, own.scratch)

    with one_thread_per_product():
        return run_threads(run, jobs, threads=threads, progress=progress)
