"""The paper's search on F: how soon it gets how good, what it starts from, how its time grows, what its pool is for.

Costs are in wrong frames, means over four timelines. Seconds are those of the processor, on whatever else it does.
"""

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.timeline.corpora import football
from benchmarks.timeline.requests import football_requests, make_request
from motionloom.assembly import Material
from motionloom.corpus import Corpus
from motionloom.methods.timeline import Model, Place, Request, prepare
from motionloom.methods.timeline.objective.costs import path_of, place_misses
from motionloom.methods.timeline.objective.problem import Problem, pose_problem
from motionloom.methods.timeline.objective.solution import Solution
from motionloom.methods.timeline.request import BlockSettings
from motionloom.methods.timeline.solvers import block_search
from motionloom.methods.timeline.solvers.block_clusters import cluster_blocks

TIMELINES = (
    "stand, walk, run",
    "run, jump, run, walk",
    "walk, backwards, turn, stand",
    "walk, sideways, walk, pick up, carry",
)
N_RESTARTS = 20  # that are compared
SECONDS = 1.0  # of the processor that are compared
STARTS = {64: (64, 32, 16, 8), 32: (32, 16, 8), 16: (16, 8), 8: (8,)}  # frames of the blocks at each level
N_CLUSTERS = (25, 50, 100, 200, 400)
FAR = 4.0  # metres to the place at the end
TO_A_PLACE = {
    "walk": (5.0, (("walk", 0, 5),)),
    "stand, walk, stand": (6.0, (("stand", 0, 1), ("walk", 1.5, 4.5), ("stand", 5, 6))),
    "run, walk": (5.0, (("run", 0, 2.3), ("walk", 2.8, 5))),
}


def figures(data: Path) -> list[dict]:
    """Convergence, starts, growth and places."""
    corpus = football(data)
    model = prepare(corpus)
    problems = [pose_problem(model, football_requests()[name]) for name in TIMELINES]
    return [
        *_clustering(model),
        *_converging(model, problems),
        *_starting(model, problems),
        *_growing(model, corpus),
        *_reaching(model),
    ]


def with_blocks(model: Model, **changes: object) -> Model:
    """The same model with other settings of the search."""
    by_blocks = replace(model.settings.by_blocks, **changes)  # type: ignore[arg-type]
    return replace(model, settings=replace(model.settings, by_blocks=by_blocks))


def best_after(
    model: Model, problem: Problem, *, restarts: int | None = None, seconds: float | None = None
) -> Solution:
    """The best answer after so many restarts, or so many seconds of the processor."""
    _ready(model, problem)
    begun = time.process_time()
    stop = None if seconds is None else lambda: time.process_time() - begun > seconds
    *_, last = block_search.search(model, problem, np.random.default_rng(0), iterations=restarts, stop=stop)
    return last


def _ready(model: Model, problem: Problem) -> None:
    """Have the clusters made, which is counted apart."""
    next(block_search.search(model, problem, np.random.default_rng(0), iterations=1))


def _clustering(model: Model) -> list[dict]:
    chosen, begun = model.settings.by_blocks, time.process_time()
    for level, size in enumerate(chosen.sizes):
        cluster_blocks(model, size, model.n_frames // chosen.blocks_per_cluster if level else chosen.top_clusters)
    return [figure("blocks; clusters of all three lengths; time", time.process_time() - begun, "s", "lower")]


def _converging(model: Model, problems: list[Problem]) -> list[dict]:
    streams = []
    for problem in problems:
        _ready(model, problem)
        streams.append([*block_search.search(model, problem, np.random.default_rng(0), iterations=100)])
    backwards = sum(int((np.diff([answer.cost for answer in stream]) >= 0).sum()) for stream in streams)
    measured = [figure("blocks; answers that cost no less than the one before", backwards, "answers", "lower")]
    for restarts in (1, 5, 20, 50, 100):
        costs = [_cost_by(stream, restarts) for stream in streams]
        name = f"blocks; cost after {restarts} restart{'s' if restarts > 1 else ''}"
        measured.append(figure(name, float(np.mean(costs)), "wrong frames", "lower"))
    return measured


def _cost_by(stream: list[Solution], restarts: int) -> float:
    return min(answer.cost for answer in stream if int(answer.kind.removeprefix("restart ")) <= restarts)


def _starting(model: Model, problems: list[Problem]) -> list[dict]:
    """Section 5 says: shorter first blocks hardly help and are slower, longer ones are too coarse, 100 clusters do."""
    ways = {f"start at {size}": with_blocks(model, sizes=sizes) for size, sizes in STARTS.items()}
    ways |= {f"{count} clusters": with_blocks(model, top_clusters=count) for count in N_CLUSTERS}
    measured = []
    for name, way in ways.items():
        by_restarts = _mean_cost(best_after(way, problem, restarts=N_RESTARTS) for problem in problems)
        by_seconds = _mean_cost(best_after(way, problem, seconds=SECONDS) for problem in problems)
        took = _seconds(way, problems[:1])
        measured += [
            figure(f"blocks; {name}; cost after {N_RESTARTS} restarts", by_restarts, "wrong frames", "lower"),
            figure(f"blocks; {name}; cost after {SECONDS:g} s", by_seconds, "wrong frames", "lower"),
            figure(f"blocks; {name}; a restart", 1000 * took, "ms", "lower"),
        ]
    return measured


def _mean_cost(answers: Iterable[Solution]) -> float:
    return float(np.mean([answer.cost for answer in answers]))


def _seconds(model: Model, problems: Iterable[Problem], restarts: int = 10) -> float:
    """Seconds of a restart."""
    spent = []
    for problem in problems:
        _ready(model, problem)
        begun = time.process_time()
        [*block_search.search(model, problem, np.random.default_rng(0), iterations=restarts)]
        spent.append((time.process_time() - begun) / restarts)
    return float(np.mean(spent))


def _growing(model: Model, corpus: Corpus) -> list[dict]:
    """Section 5: with as many clusters as blocks in each, time is linear in the length and in the corpus."""
    lengths = [5.0, 10.0, 20.0, 40.0]
    asked = [_walk_and_run(model, seconds) for seconds in lengths]
    by_length = [_seconds(model, [problem]) for problem in asked]
    names = np.random.default_rng(0).permutation([*model.view.names])
    sizes, by_size = [], []
    for part in (8, 4, 2, 1):
        some = prepare(corpus, Material(tuple(str(name) for name in names[::part])))
        even = round(np.sqrt(some.n_frames))
        some = with_blocks(some, top_clusters=even, blocks_per_cluster=even)
        sizes.append(some.n_frames)
        by_size.append(_seconds(some, [_walk_and_run(some, 10.0)]))
    return [
        figure("blocks; a restart of 10 s", 1000 * by_length[1], "ms", "lower"),
        figure("blocks; exponent of time in length", _exponent(lengths, by_length), "", "lower"),
        figure("blocks; exponent of time in corpus size", _exponent(sizes, by_size), "", "lower"),
    ]


def _walk_and_run(model: Model, seconds: float) -> Problem:
    """Walking and running in turns of two and a half seconds."""
    turns = np.arange(0, seconds, 2.5)
    stretches = tuple(("walk" if n % 2 else "run", a, a + 2.5) for n, a in enumerate(turns.tolist()))
    return pose_problem(model, make_request(seconds, stretches))


def _exponent(sizes: Iterable[float], seconds: Iterable[float]) -> float:
    return float(np.polyfit(np.log([*sizes]), np.log([*seconds]), 1)[0])


def _reaching(model: Model) -> list[dict]:
    """Section 3.4: places 4 m away in eight directions, with the pool and by restarts alone."""
    measured = []
    for name, (seconds, stretches) in TO_A_PLACE.items():
        for kept, how in ((BlockSettings().pool, "with the pool"), (0, "by restarts alone")):
            chosen = with_blocks(model, pool=kept)
            misses = [_miss(chosen, make_request(seconds, stretches, places=(place,))) for place in _around()]
            title = f"blocks; places {FAR:g} m away; {name}; miss {how}"
            measured.append(figure(title, float(np.mean(misses)), "m", "lower"))
    return measured


def _around() -> list[Place]:
    turns = np.arange(8) * np.pi / 4
    return [Place(position=(FAR * np.sin(turn), FAR * np.cos(turn))) for turn in turns.tolist()]


def _miss(model: Model, request: Request) -> float:
    problem = pose_problem(model, request)
    answer = best_after(model, problem, restarts=2 * N_RESTARTS)
    return float(place_misses(problem, path_of(model, problem, answer.frames))[0, 0])
