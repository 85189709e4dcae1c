"""Running a method: written once for all of them, and used by commands, the tour, the studio and the tests alike."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from motionloom.assembly.method import OTHER, Answer, Method, Performed, best_first
from motionloom.assembly.playing.assemble import measure_played
from motionloom.assembly.results.result import Report, Result
from motionloom.assembly.results.yardsticks import Yardsticks
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


def measure_performed(performed: Performed[Any], yardsticks: Yardsticks, *, quick: bool = False) -> Result:
    """The characters of a performed answer with what is the same in every report: quality, timings, notes.

    Args:
        performed: by a method.
        yardsticks: of the recordings.
        quick: measure no quality.
    """
    results = [played.unmeasured if quick else measure_played(played, yardsticks) for played in performed.played]
    if len(results) == 1:
        (result,) = results
        return replace(result, report=replace(result.report, timings=(*performed.timings, *result.report.timings)))
    named = [(result.characters[0].name, result.report) for result in results]
    report = Report(
        asked=performed.answer.plans[0].request,
        parts=tuple(replace(part, name=f"{name}: {part.name}") for name, one in named for part in one.parts),
        quality=tuple(replace(line, name=f"{name}: {line.name}") for name, one in named for line in one.quality),
        timings=(*performed.timings, *(timing for _, one in named for timing in one.timings)),
        notes=tuple(f"{name}: {note}" for name, one in named for note in one.notes),
    )
    return Result(tuple(character for result in results for character in result.characters), report)


def _deadline(seconds: float | None, stop: Stop | None) -> Stop | None:
    if seconds is None:
        return stop
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end or (stop is not None and stop())
