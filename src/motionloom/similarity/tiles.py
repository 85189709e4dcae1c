"""Tiles: going over a big pair matrix in small blocks, on all cores, so that it is never in memory as a whole."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from motionloom.errors import BadInput
from motionloom.tasks import Progress

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


def run_threads(
    work: Callable[[Job, Scratch], Answer],
    jobs: Sequence[Job],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Answer]:
    """Run compiled work on all cores and give the answers in the order of the jobs."""
    n_threads = min(threads or _n_cores(), max(len(jobs), 1))
    own = threading.local()

    def run(job: Job) -> Answer:
        if not hasattr(own, "scratch"):
            own.scratch = Scratch()
        return work(job, own.scratch)

    answers = []
    with one_thread_per_product(), ThreadPoolExecutor(n_threads) as pool:
        try:
            for done, answer in enumerate(pool.map(run, jobs), start=1):
                answers.append(answer)
                if progress is not None:
                    progress(done, len(jobs))
        except BaseException:  # also when the caller of progress wants no more
            pool.shutdown(cancel_futures=True)
            raise
    return answers


_lock = threading.Lock()
_limits: list = []  # of those who are inside now; the first one's is taken back by the last


@contextlib.contextmanager
def one_thread_per_product() -> Iterator[None]:
    """Let matrix products run on the thread that asks for them, because there are as many of those as cores."""
    from threadpoolctl import threadpool_limits

    with _lock:
        _limits.append(threadpool_limits(1, user_api="blas") if not _limits else None)
    try:
        yield
    finally:
        with _lock:
            if len(_limits) == 1:
                _limits[0].restore_original_limits()
                _limits.clear()
            else:
                _limits.pop()


def _n_cores() -> int:
    """As many as this process may use; worker processes are told to stay on one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    told = os.environ.get("NUMBA_NUM_THREADS", "")
    return min(cores, int(told)) if told.isdigit() and int(told) else cores
