"""What can be reached: places and poses asked for anywhere around last poses, of the default tree and the paper's.

Twenty last poses of each set, a thousand queries each: a place uniform within 2 m, a pose group uniform among 24. Cuts
are counted on the ways that are proposed first.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.buildup.material import SETS, model_of, random_entries
from benchmarks.buildup.trees import random_queries
from benchmarks.measure import figure
from motionloom.methods.buildup import Model
from motionloom.methods.buildup.sequence.ways import way_to
from motionloom.methods.buildup.tree.end_index import (
    End,
    EndIndex,
    NodeIndex,
    Query,
    find_ends,
    find_ends_as_printed,
    index_ends,
)
from motionloom.methods.buildup.tree.search_tree import Entry, SearchTree, grow_tree, unroll_to_depth

ROOTS = 20
NEAR = 0.25  # metres
PAPERS_DEPTH = 5
FOLLOWED = 50  # of the answers of each root, whose ways are looked at
HASTE = Query.haste  # the usual
REPEATS = 5  # of building the default tree, of which the fastest counts

Grow = Callable[[Model, Entry], SearchTree]


@dataclass
class Reached:
    """Of all roots: shares of queries, sizes, seconds, and the ways that are proposed first."""

    answered: list[bool]
    near: list[bool]
    n_nodes: list[int]
    built: list[float]  # seconds of each root
    query: list[float]  # seconds of each single call
    cuts: int = 0
    played: float = 0.0  # seconds of the ways that were looked at
    lasting: list[float] = field(default_factory=list)


def figures(data: Path) -> list[dict]:
    """The default tree of both sets; beside it the paper's tree, and both in the paper's order."""
    return [figure for name in SETS for figure in _of_set(name, model_of(data, name))]


def _of_set(name: str, model: Model) -> list[dict]:
    grown = measure_reach(model, _grown, is_printed=False, repeats=REPEATS)
    label = f"reach; {name}"
    return [
        figure(f"{label}; answered within half the height", _percent(grown.answered), "%", "higher"),
        figure(f"{label}; answered within 0.25 m", _percent(grown.near), "%", "higher"),
        figure(f"{label}; tree and index, slowest root", max(grown.built), "s", "lower"),
        figure(f"{label}; tree and index, median root", float(np.median(grown.built)), "s", "lower"),
        figure(f"{label}; nodes, median root", float(np.median(grown.n_nodes)), "nodes", "higher"),
        figure(f"{label}; each query", 1000 * float(np.median(grown.query)), "ms", "lower"),
        figure(f"{label}; cuts on the first way", grown.cuts / max(grown.played, 1e-9), "per second", "lower"),
        figure(f"{label}; duration of the first way, median", float(np.median(grown.lasting)), "s", "lower"),
        *_beside(f"{label}; default tree, the nearest ends", measure_reach(model, _grown, is_printed=False, haste=0.0)),
        *_beside(f"{label}; default tree in the paper's order", measure_reach(model, _grown, is_printed=True)),
        *_beside(f"{label}; the paper's tree in the default order", measure_reach(model, _unrolled, is_printed=False)),
        *_beside(f"{label}; the paper's tree in its order", measure_reach(model, _unrolled, is_printed=True)),
    ]


def measure_reach(model: Model, grow: Grow, *, is_printed: bool, haste: float = HASTE, repeats: int = 1) -> Reached:
    """Ask for places and poses around random last poses.

    Args:
        model: of a set.
        grow: how trees are made.
        is_printed: in the paper's order, nearest nodes first.
        haste: metres that an end counts as farther for each second until it.
        repeats: of building, of which the fastest counts.
    """
    reached = Reached([], [], [], [], [])
    for number, (frame, entry) in enumerate(random_entries(model, ROOTS)):
        index = _build(model, grow, frame, entry, reached, repeats)
        nodes = NodeIndex.of(index) if is_printed else None
        for count, query in enumerate(random_queries(model, entry, number, haste)):
            began = time.perf_counter()
            ends = find_ends(index, query) if nodes is None else find_ends_as_printed(nodes, query)
            reached.query.append(time.perf_counter() - began)
            reached.answered.append(bool(ends))
            reached.near.append(any(_away(end, query) <= NEAR for end in ends))
            if ends and count < FOLLOWED:
                _follow(model, index, ends[0], reached)
    return reached


def _build(model: Model, grow: Grow, frame: int, entry: Entry, reached: Reached, repeats: int) -> EndIndex:
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        tree = grow(model, entry)
        index = index_ends(tree, int(model.groups.of_frame[frame]), model.settings.settled)
        seconds.append(time.perf_counter() - began)
    reached.built.append(min(seconds))
    reached.n_nodes.append(tree.n_nodes)
    return index


def _follow(model: Model, index: EndIndex, end: End, reached: Reached) -> None:
    reached.cuts += way_to(model, index.tree, end).n_cuts
    reached.played += end.n_frames / model.fps
    reached.lasting.append(end.n_frames / model.fps)


def _grown(model: Model, entry: Entry) -> SearchTree:
    return grow_tree(model.tables, [entry], model.settings.growth)


def _unrolled(model: Model, entry: Entry) -> SearchTree:
    return unroll_to_depth(model.tables, [entry], PAPERS_DEPTH)


def _away(end: End, query: Query) -> float:
    assert query.position is not None
    return float(np.hypot(end.place[0] - query.position[0], end.place[1] - query.position[1]))


def _beside(label: str, reached: Reached) -> list[dict]:
    return [
        figure(f"{label}, answered", _percent(reached.answered), "%", "higher"),
        figure(f"{label}, within 0.25 m", _percent(reached.near), "%", "higher"),
        figure(f"{label}, duration of the first way, median", float(np.median(reached.lasting)), "s", "lower"),
    ]


def _percent(found: list[bool]) -> float:
    return 100 * float(np.mean(found))
