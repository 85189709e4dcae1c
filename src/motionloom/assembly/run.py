"""Running a method: written once for all of them, and used by commands, the tour, the studio and the tests alike."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from motionloom.assembly.method import OTHER, Answer, Method, best_first
from motionloom.assembly.result import Result
from motionloom.corpus import Corpus
from motionloom.tasks import Progress, Stop


def prepare_for(
    method: Method, corpus: Corpus, request: Any, settings: Any = None, *, progress: Progress | None = None
) -> Any:
    """The model of the takes that a request chooses from; cached if the corpus is open for writing."""
    return method.prepare(corpus, method.material_of(corpus, request), settings, progress=progress)


def solve(
    method: Method,
    model: Any,
    request: Any,
    *,
    seed: int = 0,
    seconds: float | None = None,
    others: int = 0,
    previous: Answer[Any] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
    on_better: Callable[[Answer[Any]], None] | None = None,
) -> list[Answer[Any]]:
    """The best answer of a search, then the others, cheapest first.

    The same request and seed give the same answers, unless time runs out.

    Args:
        method: of the table of methods.
        model: from its `prepare`.
        request: what is asked.
        seed: random seed.
        seconds: to search at most; None for as long as the method takes.
        others: answers that are as good in another way, at most.
        previous: an answer of an earlier search of the model, to start from.
        stop: asked often; the search ends as soon as it answers True.
        progress: called as progress(done, total) where the method prepares something first.
        on_better: called with every answer that is better than all before it.
    """
    found: list[Answer[Any]] = []
    best: Answer[Any] | None = None
    ends = _deadline(seconds, stop)
    stream = method.search(model, request, seed=seed, stop=ends, previous=previous, others=others, progress=progress)
    for answer in stream:
        if answer.kind == OTHER:
            found.append(answer)
        elif best is None or answer.cost < best.cost:
            best = answer
            if on_better is not None:
                on_better(answer)
        if answer.is_settled:
            best = answer  # whatever the search started from
    assert best is not None  # the protocol promises a first answer
    return best_first([best, *found[:others]])  # with places another may be cheaper


def realize(
    method: Method,
    answer: Answer[Any],
    model: Any,
    *,
    others: Sequence[Answer[Any]] = (),
    stop: Stop | None = None,
) -> Result:
    """Perform an answer and judge it: motions with provenance, and the whole report.

    Args:
        method: of the table of methods.
        answer: of its search.
        model: that it was found with.
        others: answers that are as good in another way, for the report.
        stop: asked now and then; if it answers True, the work ends by an exception.
    """
    return method.judge(method.perform(answer, model, stop=stop), model, others=others, stop=stop)


def _deadline(seconds: float | None, stop: Stop | None) -> Stop | None:
    if seconds is None:
        return stop
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end or (stop is not None and stop())
