"""Running a method: written once for all of them, and used by commands, the tour, the studio and the tests alike."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from motionloom.assembly.method import BEST, OTHER, Answer, Method, Performed, best_first
from motionloom.assembly.playing.assemble import measure_played
from motionloom.assembly.results.result import Report, Result
from motionloom.assembly.results.yardsticks import Yardsticks
from motionloom.conform import PointView, describe_left_out
from motionloom.conform.base_view import BaseView
from motionloom.conform.statistics import describe_used
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
    """The best answer of a search, then the others, cheapest first; see `follow`.

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
    ranking = Ranking()
    stream = follow(
        method,
        model,
        request,
        seed=seed,
        seconds=seconds,
        others=others,
        previous=previous,
        stop=stop,
        progress=progress,
    )
    for answer in stream:
        if ranking.add(answer) and on_better is not None:
            on_better(answer)
    assert ranking.best is not None  # the protocol promises a first answer
    return [ranking.best, *ranking.others]


@dataclass
class Ranking:
    """The best answer so far and the others, cheapest first, of what `follow` yields."""

    best: Answer[Any] | None = None
    others: list[Answer[Any]] = field(default_factory=list)

    def add(self, answer: Answer[Any]) -> bool:
        """Put an answer in its place; returns whether it is better than all before."""
        self.others = [other for other in self.others if other.plans is not answer.plans]
        if answer.kind == OTHER:
            self.others = best_first([*self.others, answer])
            return False
        is_better = self.best is None or answer.cost < self.best.cost
        self.best = answer
        return is_better


def follow(
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
) -> Iterator[Answer[Any]]:
    """The answers of a search as they are found: each better than all before, the settled one, then the others.

    There is a settled answer however the search ends. Where one of the others turns out to be cheaper, it is yielded
    again as the settled best, and after it the former best as one of the others.

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
    """
    best: Answer[Any] | None = None
    cheapest: Answer[Any] | None = None
    n_others = 0
    ends = _deadline(seconds, stop)
    for answer in method.search(
        model, request, seed=seed, stop=ends, previous=previous, others=others, progress=progress
    ):
        if answer.kind == OTHER:
            n_others += 1
            if n_others > others:
                break
            cheapest = answer if cheapest is None else min(cheapest, answer, key=lambda other: other.cost)
            yield answer
        elif best is None or answer.cost < best.cost or answer.is_settled:
            best = answer
            yield answer
    assert best is not None  # the protocol promises a first answer
    if not best.is_settled:
        best = replace(best, is_settled=True)
        yield best
    if cheapest is not None and cheapest.cost < best.cost:
        yield replace(cheapest, kind=BEST, differs=None, is_settled=True)
        yield replace(best, kind=OTHER, differs=cheapest.differs, is_settled=False)


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


def measure_performed(
    performed: Performed[Any], yardsticks: Yardsticks | None, *, view: BaseView | None = None, quick: bool = False
) -> Result:
    """The characters of a performed answer with what is the same in every report: quality, timings, notes.

    The last notes say which takes could not be used, and which statistics of the corpus were.

    Args:
        performed: by a method.
        yardsticks: of recorded bodies; None for points, which are held against their view.
        view: that was used; None for that of the yardsticks.
        quick: measure no quality.
    """
    shown = yardsticks.view if view is None and yardsticks is not None else view
    points = shown if isinstance(shown, PointView) else None
    results = [
        played.unmeasured if quick else measure_played(played, yardsticks, points) for played in performed.played
    ]
    used = [] if quick or shown is None else [*describe_left_out(shown.left_out), *describe_used(shown)]
    if len(results) == 1:
        (result,) = results
        timings, notes = (*performed.timings, *result.report.timings), (*result.report.notes, *used)
        return replace(result, report=replace(result.report, timings=timings, notes=notes))
    named = [(result.characters[0].name, result.report) for result in results]
    report = Report(
        asked=performed.answer.plans[0].request,
        parts=tuple(replace(part, name=f"{name}: {part.name}") for name, one in named for part in one.parts),
        quality=tuple(replace(line, name=f"{name}: {line.name}") for name, one in named for line in one.quality),
        timings=(*performed.timings, *(timing for _, one in named for timing in one.timings)),
        notes=(*(f"{name}: {note}" for name, one in named for note in one.notes), *used),
    )
    return Result(tuple(character for result in results for character in result.characters), report)


def _deadline(seconds: float | None, stop: Stop | None) -> Stop | None:
    if seconds is None:
        return stop
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end or (stop is not None and stop())
