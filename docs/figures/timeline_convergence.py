"""Draw timeline_convergence.png: how soon the paper's search gets how good, from which blocks and clusters."""

import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.assembly import solve
from motionloom.corpus import Corpus, Source, Take
from motionloom.methods import timeline
from motionloom.methods.timeline import Model, Request, prepare
from motionloom.methods.timeline.objective.problem import pose_problem
from motionloom.methods.timeline.solvers import block_search
from motionloom.performer import demo_scores, perform
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, new_page, write_text

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

KINDS = ("run/", "walk/", "wave/", "jump/", "turn/")  # of demo takes to choose from
N_RESTARTS = 40
SEEDS = (0, 1)
STARTS = {"64": (64, 32, 16, 8), "32": (32, 16, 8), "16": (16, 8), "8": (8,)}
CLUSTERS = (25, 50, 100, 200, 400)
TIMELINES = {
    "walk, then run": (("walk", 0, 4), ("run", 4.5, 8)),
    "run, jump, run": (("run", 0, 8), ("jump", 3.5, 4.2)),
    "walk, then wave too": (("walk", 0, 8), ("wave", 4, 8)),
}
INKS = ((52, 110, 190), (200, 80, 60), (60, 150, 90), (150, 100, 180), (120, 120, 120))
COSTS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)  # wrong frames that lines are drawn at
WIDTH, HEIGHT, TOP, BOTTOM, LEFT, BESIDE = 300, 360, 64, 56, 56, 150  # pixels of a chart and about it


@dataclass(frozen=True)
class Chart:
    """Curves of best cost against restarts, and costs to compare them with."""

    title: str
    curves: Mapping[str, np.ndarray]  # (R,) costs after 1, 2, ... restarts
    levels: Mapping[str, float]  # drawn across


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Corpus.create(Path(folder) / "corpus") as corpus:
        _perform(corpus)
        model = prepare(corpus)
        page = _draw(_measure(model))
    page.save(Path(__file__).with_suffix(".png"), optimize=True)


def _perform(corpus: Corpus) -> None:
    for score in demo_scores():
        if score.name.startswith(KINDS):
            made = perform(score, np.random.default_rng(zlib.crc32(score.name.encode())))
            source = Source(score.name, "performer", score.name, made.motion.fps, 1.0)
            corpus.add(Take(score.name, made.motion, source), floor_height=0.0)
            corpus.add_labels(made.labels)


def _measure(model: Model) -> list[Chart]:
    requests = {name: _request(stretches) for name, stretches in TIMELINES.items()}
    by_timeline = {name: _curve(model, [request]) for name, request in requests.items()}
    whole = {name: _cost_of_all(model, request) for name, request in requests.items()}
    every = [*requests.values()]
    mean = {"the whole corpus": float(np.mean([*whole.values()]))}
    starts = {f"start at {name}": _curve(_with(model, sizes=sizes), every) for name, sizes in STARTS.items()}
    clusters = {f"{count} clusters": _curve(_with(model, top_clusters=count), every) for count in CLUSTERS}
    return [
        Chart("timelines of 8 s", by_timeline, whole),
        Chart("frames of the first blocks", starts, mean),
        Chart("clusters of the first blocks", clusters, mean),
    ]


def _request(stretches: tuple[tuple[str, float, float], ...]) -> Request:
    paints = [{"label": label, "from": f"{a}s", "to": f"{b}s"} for label, a, b in stretches]
    return Request.from_data({"length": "8s", "labels": paints})


def _with(model: Model, **changes: object) -> Model:
    by_blocks = replace(model.settings.by_blocks, **changes)
    return replace(model, settings=replace(model.settings, by_blocks=by_blocks))


def _curve(model: Model, requests: list[Request]) -> np.ndarray:
    """(R,) best cost after each restart, mean over requests and seeds."""
    curves = []
    for request in requests:
        problem = pose_problem(model, request)
        for seed in SEEDS:
            curve = np.full(N_RESTARTS, np.inf)
            for answer in block_search.search(model, problem, np.random.default_rng(seed), iterations=N_RESTARTS):
                curve[int(answer.kind.split()[1]) - 1 :] = answer.cost
            curves.append(curve)
    return np.mean(curves, axis=0)


def _cost_of_all(model: Model, request: Request) -> float:
    return solve(timeline, model, request)[0].cost


def _draw(charts: list[Chart]) -> "Image.Image":
    page, pen = new_page(LEFT + len(charts) * (WIDTH + BESIDE), TOP + HEIGHT + BOTTOM, (255, 255, 255))
    title = (
        "best cost of the paper's search after so many restarts, in wrong frames; dashed: search over the whole corpus"
    )
    write_text(pen, (LEFT, 8), title, 15, INK)
    for number, chart in enumerate(charts):
        _draw_chart(page, pen, chart, LEFT + number * (WIDTH + BESIDE))
    return page


def _draw_chart(page: "Image.Image", pen: "ImageDraw.ImageDraw", chart: Chart, left: int) -> None:
    def to_page(restart: np.ndarray, cost: np.ndarray) -> np.ndarray:
        x = left + np.log(restart) / np.log(N_RESTARTS) * WIDTH
        y = TOP + HEIGHT * np.log(COSTS[-1] / np.asarray(cost, float)) / np.log(COSTS[-1] / COSTS[0])
        return np.stack(np.broadcast_arrays(x, y), axis=-1)

    write_text(pen, (left, TOP - 26), chart.title, 14, INK)
    for cost, (x, y) in zip(COSTS, to_page(np.ones(len(COSTS)), np.array(COSTS))):
        pen.line((x, y, x + WIDTH, y), fill=RULE)
        write_text(pen, (x - 8, y), f"{cost}", 12, FAINT_INK, "rm")
    for restart in (1, 2, 5, 10, 20, 40):
        x, y = to_page(np.array(restart), np.array(COSTS[0]))
        pen.line((x, y, x, y + 4), fill=FAINT_INK)
        write_text(pen, (x, y + 8), f"{restart}", 12, FAINT_INK, "ma")
    write_text(pen, (left + WIDTH / 2, TOP + HEIGHT + 28), "restarts", 12, FAINT_INK, "ma")
    inks = dict(zip(chart.curves, INKS))
    steps = np.repeat(np.arange(1, N_RESTARTS + 1), 2)[1:]
    for name, curve in chart.curves.items():
        draw_path(page, to_page(steps, np.repeat(curve, 2)[:-1]), inks[name], 2.0)
    lowest = -np.inf
    for name, curve in sorted(chart.curves.items(), key=lambda named: -named[1][-1]):
        x, y = to_page(np.array(N_RESTARTS), curve[-1])
        lowest = max(float(y), lowest + 14)  # names do not stand on each other
        write_text(pen, (x + 6, lowest), name, 12, inks[name], "lm")
    for name, level in chart.levels.items():
        for x, y in to_page(N_RESTARTS ** np.linspace(0, 1, 40, endpoint=False), np.array(level)):
            pen.line((x, y, x + WIDTH / 80, y), fill=inks.get(name, INK), width=2)


if __name__ == "__main__":
    main()
