"""Searching timelines: how near the answers are to exact programs, how long they take, and how that grows.

Gaps are of block chains, before their cuts are moved to single frames, beside the exact program over the same blocks
with the same objective; beside single frames they are of answers as they are given. Times are of one core.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.requests import football_requests, make_request
from motionloom.assembly import Answer, Material, choose_material, solve
from motionloom.cli.commands.warmup import STEPS
from motionloom.conform import ViewSettings, make_view
from motionloom.corpus import Corpus
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Request, Settings, prepare
from motionloom.methods.timeline.objective.costs import cost_of
from motionloom.methods.timeline.objective.problem import Problem, pose_problem
from motionloom.methods.timeline.objective.slots import chain_frames
from motionloom.methods.timeline.passes.exact import solve_exactly
from motionloom.methods.timeline.passes.trellis import make_trellis
from motionloom.methods.timeline.prepare import prepare_view
from motionloom.methods.timeline.search import State
from motionloom.methods.timeline.solvers.global_search import find_chains

ON_ALL_OF_F = ("stand, walk, run", "run, backwards, run, not stand")
WITH_SINGLE_FRAMES = ("stand, walk, run", "run, jump, run, walk", "run, backwards, run, not stand")
PART = 3000  # frames
RESTARTS = 20
CYCLE = (("walk", 0, 3), ("backwards", 3.5, 6), ("turn_left", 6.5, 8), ("stand", 8.5, 10))  # of 10 s


def figures(data: Path) -> list[dict]:
    """Everything that is claimed about searching."""
    _warm_up()
    return [*_index_figures(data), *_time_figures(data), *_growth_figures(data), *_change_figures(data), *_gaps(data)]


def _index_figures(data: Path) -> list[dict]:
    return [
        figure("index of F; time", _football(data).seconds, "s", "lower"),
        figure("index of 47 minutes; time", _everything(data).seconds, "s", "lower"),
        figure("view of F, before its index; time", _football(data).view_seconds, "s", "lower"),
        figure("view of 47 minutes, before its index; time", _everything(data).view_seconds, "s", "lower"),
    ]


def _time_figures(data: Path) -> list[dict]:
    on_football, on_all = (_times(made.model, _request(10)) for made in (_football(data), _everything(data)))
    return [
        figure("10 s on F; first motion", on_football[0], "s", "lower"),
        figure("10 s on F; near-exact motion", on_football[1], "s", "lower"),
        figure("10 s on 47 minutes; first motion", on_all[0], "s", "lower"),
        figure("10 s on 47 minutes; near-exact motion", on_all[1], "s", "lower"),
    ]


def _growth_figures(data: Path) -> list[dict]:
    seconds = (5, 10, 20, 40)
    by_length = [_times(_football(data).model, _request(length))[1] for length in seconds]
    everything = _everything(data)
    sizes, by_size = [], []
    for share in (0.25, 0.5):
        model = prepare(everything.corpus, Material(_first_takes(everything.model, share)))
        sizes.append(model.n_frames)
        by_size.append(_times(model, _request(10))[1])
    sizes.append(everything.model.n_frames)
    by_size.append(_times(everything.model, _request(10))[1])
    return [
        figure("time against length, 5 to 40 s; exponent", _exponent(seconds, by_length), "", "lower"),
        figure("time against corpus, 12 to 47 minutes; exponent", _exponent(sizes, by_size), "", "lower"),
    ]


def _change_figures(data: Path) -> list[dict]:
    """A stretch of paint a second long in the middle of ten seconds is changed, and searched from the answer of before.

    What a person waits for is the first motion; the near-exact one needs a forward pass of its own in any case.
    """
    model = _football(data).model
    before, after = _request(10), make_request(10, (*CYCLE, ("-turn_right", 4.5, 5.5)))
    with threadpool_limits(1):
        previous = solve(timeline, model, before)[0]
        first, last = (_times(model, after, previous=start) for start in (previous, None))
    return [
        figure("10 s on F; first motion after a change, beside all anew", first[0] / last[0], "x", "lower"),
        figure("10 s on F; near-exact motion after a change, beside all anew", first[1] / last[1], "x", "lower"),
    ]


def _gaps(data: Path) -> list[dict]:
    part = _part_of_football(data)
    gaps = [_gap(part, request) for request in football_requests().values()]
    on_all = [_gap(_football(data).model, football_requests()[name]) for name in ON_ALL_OF_F]
    by_blocks = [_gap_of_blocks(part, request) for request in football_requests().values()]
    single = np.array([_gaps_to_single_frames(part, football_requests()[name]) for name in WITH_SINGLE_FRAMES])
    return [
        figure("gap to exact blocks; 3,000 frames, mean", 100 * np.mean(gaps), "%", "lower"),
        figure("gap to exact blocks; 3,000 frames, worst", 100 * np.max(gaps), "%", "lower"),
        figure("gap to exact blocks; F, worse of two", 100 * np.max(on_all), "%", "lower"),
        figure("gap of blocks, 20 restarts; 3,000 frames, mean", 100 * np.mean(by_blocks), "%", "lower"),
        figure("gap to single frames; global, 3,000 frames, mean", 100 * single[:, 0].mean(), "%", "lower"),
        figure("gap to single frames; blocks, 3,000 frames, mean", 100 * single[:, 1].mean(), "%", "lower"),
        figure("gap to single frames; exact blocks, mean", 100 * single[:, 2].mean(), "%", "lower"),
    ]


def _gap(model: Model, request: Request) -> float:
    """How much more than the exact chain of blocks ours costs: 0.01 is one percent."""
    problem = pose_problem(model, request)
    trellis = make_trellis(model, problem)
    *_, chain = find_chains(trellis)
    return _more(_cost(model, problem, chain_frames(trellis.slots, chain)), _exact_cost(model, request))


def _gap_of_blocks(model: Model, request: Request) -> float:
    return _more(_cost_by_blocks(model, pose_problem(model, request)), _exact_cost(model, request))


def _gaps_to_single_frames(model: Model, request: Request) -> tuple[float, float, float]:
    """Of our answer, of the best of the paper's, and of the exact program over blocks."""
    problem = pose_problem(model, request)
    least = _cost(model, problem, solve_exactly(model, problem, 1))
    costs = solve(timeline, model, request)[0].cost, _cost_by_blocks(model, problem), _exact_cost(model, request)
    return _more(costs[0], least), _more(costs[1], least), _more(costs[2], least)


@cache
def _exact_cost(model: Model, request: Request) -> float:
    problem = pose_problem(model, request)
    return _cost(model, problem, solve_exactly(model, problem))


def _cost_by_blocks(model: Model, problem: Problem) -> float:
    from motionloom.methods.timeline.solvers import block_search

    *_, best = block_search.search(model, problem, np.random.default_rng(0), iterations=RESTARTS)
    return best.cost


def _cost(model: Model, problem: Problem, frames: np.ndarray) -> float:
    return cost_of(model, problem, frames).total


def _more(cost: float, least: float) -> float:
    return cost / least - 1 if least > 1e-6 else float(cost > 1e-6)


def _times(
    model: Model, request: Request, times: int = 5, previous: Answer[State] | None = None
) -> tuple[float, float]:
    """Seconds until the first motion and until the near-exact one, each the best of several runs on one core."""
    runs = []
    with threadpool_limits(1):
        for _ in range(times):
            start = time.perf_counter()
            moments = [time.perf_counter() - start for _ in timeline.search(model, request, previous=previous)]
            runs.append((moments[0], moments[-1]))
    first, last = np.min(runs, axis=0)
    return float(first), float(last)


def _request(seconds: int) -> Request:
    """Ten seconds of walking, backing, turning and standing, over and over."""
    stretches = [(label, a + at, min(b + at, seconds)) for at in range(0, seconds, 10) for label, a, b in CYCLE]
    return make_request(seconds, tuple(stretch for stretch in stretches if stretch[1] < stretch[2]))


def _exponent(sizes: tuple[int, ...] | list[int], seconds: list[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


@dataclass(frozen=True, eq=False)
class _Made:
    """A model made afresh, and how long that took."""

    corpus: Corpus
    model: Model
    view_seconds: float  # to bring all takes onto one skeleton, rate and floor
    seconds: float  # for the features, the lists of neighbours and the labels


@cache
def _football(data: Path) -> _Made:
    return _make(lambda: corpora.football.__wrapped__(data))  # another one, with nothing kept in it


@cache
def _everything(data: Path) -> _Made:
    return _make(lambda: corpora.everything.__wrapped__(data))


def _make(make_corpus: Callable[[], Corpus]) -> _Made:
    corpus = make_corpus()
    moments = [time.perf_counter()]
    view = make_view(corpus, choose_material(corpus, None), ViewSettings(fps=60.0))
    moments.append(time.perf_counter())
    model = prepare_view(view, Settings())
    moments.append(time.perf_counter())
    return _Made(corpus, model, *np.diff(moments))


@cache
def _part_of_football(data: Path) -> Model:
    """About 3,000 frames of F: in turn, for each label, the shortest take that has it for half a second."""
    made = _football(data)
    model = made.model
    lengths = np.diff(model.starts)
    n_with = np.add.reduceat((model.tracks == 1).astype(int), model.starts[:-1], axis=0)
    chosen: list[int] = []
    while lengths[chosen].sum() < PART:
        label = corpora.FOOTBALL_LABELS[len(chosen) % len(corpora.FOOTBALL_LABELS)]
        has = n_with[:, model.labels.index(label)] >= 0.5 * model.fps
        chosen.append(
            next(int(take) for take in np.argsort(lengths, kind="stable") if has[take] and take not in chosen)
        )
    return prepare(made.corpus, Material(tuple(model.view.names[take] for take in sorted(chosen))))


def _first_takes(model: Model, share: float) -> tuple[str, ...]:
    """The names of takes, spread over all sets, that have a share of the frames; more have those of less."""
    order = np.random.default_rng(0).permutation(len(model.view.names))
    until = np.searchsorted(np.cumsum(np.diff(model.starts)[order]), share * model.n_frames)
    return tuple(model.view.names[take] for take in order[: until + 1])


def _warm_up() -> None:
    """Compile all loops."""
    for step in STEPS:
        step()
