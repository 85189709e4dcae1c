"""Running one function over many items: in this process or in worker processes, results in the order of the items."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from motionloom.tasks.threads import count_cores

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]  # called as progress(done, total)


@dataclass(frozen=True)
class Outcome(Generic[Item, Result]):
    """What became of one item: a result, or the error that its function raised."""

    item: Item
    result: Result | None
    error: Exception | None = None


def run_all(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    prepare: Callable[[], None] | None = None,
) -> Iterator[Result]:
    """Run a function over items and give the results in order; the first item that fails raises its error.

    Args:
        function: importable by its name (worker processes look it up); its results must be picklable.
        items: what to run it on; each is picklable.
        workers: processes; None for one per core, 0 or 1 to stay in this process.
        progress: called as progress(done, total) after each result was taken.
        prepare: run once before the worker processes part, so that they share what it loads; for speed and memory only.
    """
    outcomes = try_all(function, items, workers=workers, progress=progress, prepare=prepare)
    try:
        for outcome in outcomes:
            if outcome.error is not None:
                raise outcome.error
            yield outcome.result  # type: ignore[misc]
    finally:
        outcomes.close()  # type: ignore[attr-defined]


def try_all(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    prepare: Callable[[], None] | None = None,
) -> Iterator[Outcome[Item, Result]]:
    """Run a function over items and give what became of each, in order; an item that fails does not stop the others.

    Only a few results wait at a time, however many items there are. Arguments as in `run_all`.
    """
    queue = list(items)
    n_workers = min(len(queue), count_cores() if workers is None else workers)
    can_travel = _module_of(function) != "__main__"  # a script's own functions cannot be looked up elsewhere
    in_workers = n_workers > 1 and can_travel and hasattr(os, "fork")
    outcomes = _in_processes(function, queue, n_workers, prepare) if in_workers else _here(function, queue)
    try:
        for done, outcome in enumerate(outcomes, start=1):
            yield outcome
            if progress is not None:
                progress(done, len(queue))
    finally:
        outcomes.close()  # type: ignore[attr-defined]


@contextmanager
def keep_workers(
    function: Callable[[Item], Result], *, workers: int | None = None, prepare: Callable[[], None] | None = None
) -> Iterator[Callable[[Sequence[Item]], Iterator[Result]]]:
    """Give something that runs a function over items, in order, as often as one likes; its processes stay meanwhile.

    Args:
        function: as in `run_all`.
        workers: as in `run_all`.
        prepare: as in `run_all`.
    """
    n_workers = count_cores() if workers is None else workers
    if n_workers < 2 or _module_of(function) == "__main__" or not hasattr(os, "fork"):
        yield lambda items: (function(item) for item in items)
        return
    from motionloom.tasks.worker_pool import WorkerPool

    with WorkerPool(function, n_workers, prepare) as pool:

        def run(items: Sequence[Item]) -> Iterator[Result]:
            for result, error in pool.work(items):
                if error is not None:
                    raise error
                yield result

        yield run


def _here(function: Callable[[Any], Any], items: list[Any]) -> Iterator[Outcome]:
    for item in items:
        try:
            result = function(item)
        except Exception as error:
            yield Outcome(item, None, error)
        else:
            yield Outcome(item, result)


def _in_processes(
    function: Callable[[Any], Any], items: list[Any], n_workers: int, prepare: Callable[[], None] | None
) -> Iterator[Outcome]:
    from motionloom.tasks.worker_pool import WorkerPool

    with WorkerPool(function, n_workers, prepare) as pool:
        for index, (result, error) in enumerate(pool.work(items)):
            yield Outcome(items[index], result, error)


def _module_of(function: Callable[[Any], Any]) -> str | None:
    return getattr(getattr(function, "func", function), "__module__", None)  # looks through functools.partial
