"""Running one function over many items on threads, which share memory: for compiled work, which runs side by side."""

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_threads(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Run a function over items and give the results in order; the first item that fails raises its error.

    Args:
        function: releases the interpreter lock where it takes long, as compiled loops and matrix products do.
        items: what to run it on.
        threads: None for one per core, or for one alone in a worker process.
        progress: called as progress(done, total), in the caller's thread; what it raises ends the work.
    """
    queue = list(items)
    n_threads = min(threads or count_threads(), len(queue))
    results = []
    with contextlib.ExitStack() as ending:
        if n_threads < 2:
            coming: Iterator[Result] = map(function, queue)
        else:
            pool = ThreadPoolExecutor(n_threads)
            ending.callback(pool.shutdown, cancel_futures=True)
            coming = pool.map(function, queue)
        for done, result in enumerate(coming, start=1):
            results.append(result)
            if progress is not None:
                progress(done, len(queue))
    return results


_guard = threading.Lock()
_limits: list = []  # of those who are inside now; the first one's is taken back by the last


@contextlib.contextmanager
def one_thread_per_product() -> Iterator[None]:
    """Let matrix products run on the thread that asks for them: as many as cores, or small ones."""
    with _guard:
        libraries = _libraries("scipy.linalg" in sys.modules)
        _limits.append(libraries.limit(limits=1, user_api="blas") if not _limits else None)
    try:
        yield
    finally:
        with _guard:
            if len(_limits) == 1:
                _limits[0].restore_original_limits()
                _limits.clear()
            else:
                _limits.pop()


@functools.cache
def _libraries(with_scipy: bool) -> Any:
    """The libraries of matrix products that are loaded, which take milliseconds to find; scipy brings its own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def count_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_threads() -> int:
    """How many threads compiled work may use: one per core, and one alone in worker processes."""
    limit = os.environ.get("NUMBA_NUM_THREADS", "")
    return min(count_cores(), int(limit)) if limit.isdigit() and int(limit) else count_cores()
