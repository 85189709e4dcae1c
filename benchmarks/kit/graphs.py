"""Transition graphs of real recordings: what is kept, how long it takes, and what random graph walks are like."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.measure import best_of, figure
from motionloom.assembly import Plan, Result, assemble, learn_yardsticks, plan_clips
from motionloom.conform import View, make_view
from motionloom.corpus import Corpus, import_files
from motionloom.graphs import TransitionGraph, clips_along, random_walk
from motionloom.graphs.transition_graph_builder import build
from motionloom.quality import compare_joins

SETS = ("football_like", "walking", "boxing")
SECONDS = 10.0  # of a graph walk
N_WALKS = 10
KIND = "displacement"


def figures(data: Path) -> list[dict]:
    """For each set: its graph, and graph walks through it."""
    measured = []
    for name in SETS:
        with view_of(data, name) as view:
            measured += _figures_of(name, view)
    return measured


def _figures_of(name: str, view: View) -> list[dict]:
    pruned = build(view)
    report = pruned.report
    plans = [plan_walk(view, pruned.graph, seed) for seed in range(N_WALKS)]
    results = [assemble(plan, view) for plan in plans]
    minutes = view.n_frames / view.fps / 60
    took = best_of(lambda: build(view), times=3)
    return [
        figure(f"{name}; recordings in the graph", 100 * report.kept_seconds / report.seconds, "%", "higher"),
        figure(f"{name}; transitions per second", report.n_transitions / report.kept_seconds, "1/s", "higher"),
        figure(f"{name}; graph of {minutes:.1f} minutes", took, "s", "lower"),
        *_walk_figures(name, view, plans, results),
    ]


def _walk_figures(name: str, view: View, plans: list[Plan], results: list[Result]) -> list[dict]:
    joined = [(result.motion, plan.begins[1:]) for plan, result in zip(plans, results)]
    untouched = [view.motion(motion) for motion in view.names]
    joins = compare_joins(joined, learn_yardsticks(view).bars, untouched)
    farthest = max(part.value for result in results for part in result.report.parts)
    assembling = best_of(lambda: assemble(plans[0], view), times=3)
    return [
        figure(
            f"{name}; joins above the bar more often than untouched windows",
            joins.acceleration_excess,
            "points",
            "lower",
        ),
        figure(f"{name}; farthest step of a planted point in graph walks", farthest, "mm per frame", "lower"),
        figure(f"{name}; {SECONDS:g} s of graph walk, assembled and planted", 1000 * assembling, "ms", "lower"),
    ]


def plan_walk(view: View, graph: TransitionGraph, seed: int) -> Plan:
    """A plan of a random graph walk."""
    walk = random_walk(graph, SECONDS, np.random.default_rng(seed))
    clips = clips_along(graph, walk, n_frames=round(SECONDS * view.fps))
    return plan_clips(view, clips, kind=KIND, request={"random graph walk": seed})


@contextmanager
def view_of(data: Path, name: str) -> Iterator[View]:
    """A view of all takes of one set."""
    with tempfile.TemporaryDirectory() as folder, Corpus.create(Path(folder) / "corpus") as corpus:
        import_files(corpus, [data / "cmu" / name], workers=0)
        yield make_view(corpus)
