"""Table 1 of the paper: search trees to a depth, how long they and their index take, and what a query takes.

The graph is made with the paper's measure, joint angles. The paper does not say from which pose its trees grow: ours
grow from the node whose tree of depth 9 comes nearest to the paper's number of nodes. Construction is that of the tree,
of the index of its ends and of the paper's index of its nodes; queries are asked in the paper's order.
"""

import time
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.buildup.material import SEED, SETS, model_of
from benchmarks.measure import best_of, figure
from motionloom.methods.buildup import Model
from motionloom.methods.buildup.tree import _kernels
from motionloom.methods.buildup.tree.end_index import (
    EndIndex,
    NodeIndex,
    Query,
    find_ends,
    find_ends_as_printed,
    index_ends,
)
from motionloom.methods.buildup.tree.search_tree import Entry, SearchTree, unroll_to_depth
from motionloom.motion import Placement

DEPTHS = (1, 3, 5, 7, 9)
NODES = {"boxing": (8, 47, 389, 4442, 46340), "breakdance": (8, 50, 367, 2591, 18652)}
CONSTRUCTION = {  # seconds
    "boxing": (0.000559, 0.004731, 0.041086, 0.634487, 8.901384),
    "breakdance": (0.000582, 0.002936, 0.027238, 0.246508, 2.338281),
}
QUERY = {"boxing": (0.163, 0.191, 0.3, 0.416, 0.599), "breakdance": (0.117, 0.152, 0.22, 0.316, 0.403)}  # ms
QUERIES = 1000
AROUND = 2.0  # metres from the last pose, within which places are asked for
MILLION = 1_000_000


def figures(data: Path) -> list[dict]:
    """Table 1 for both sets, answers beside brute force, and a million nodes."""
    found = [figure for name in SETS for figure in _table(data, name)]
    return [*found, *_answers(model_of(data, "boxing", "angles")), _million(model_of(data, "boxing", "angles"))]


@cache
def counts_at_nine(model: Model) -> np.ndarray:
    """(nodes,) of the graph: nodes of the tree of depth 9 from each."""
    first, targets = model.tables.edges[:2]
    roots = range(model.graph.n_nodes)
    return np.array([_kernels.count_to_depth(first, targets, np.array([root]), DEPTHS[-1]) for root in roots])


def root_nearest(model: Model, n_nodes: int) -> Entry:
    """The node whose tree of depth 9 has about so many nodes, from its first frame."""
    node = int(np.abs(counts_at_nine(model) - n_nodes).argmin())
    return Entry(node, int(model.graph.starts[node]), Placement.none())


def build(model: Model, entry: Entry, depth: int) -> tuple[SearchTree, NodeIndex]:
    """A tree to a depth, with the indices of its ends and nodes."""
    tree = unroll_to_depth(model.tables, [entry], depth)
    return tree, NodeIndex.of(index_ends(tree, int(model.groups.of_frame[entry.begin]), 0.0))


def random_queries(model: Model, entry: Entry, seed: int = SEED, haste: float = 0.0) -> list[Query]:
    """Places anywhere around the last pose, and any pose group; late ends count as near as soon ones, as printed."""
    rng = np.random.default_rng(seed)
    middle = model.facings[entry.begin, :2]
    angles, radii = 2 * np.pi * rng.random(QUERIES), AROUND * np.sqrt(rng.random(QUERIES))
    places = middle + radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    groups = rng.integers(model.groups.n_groups, size=QUERIES)
    return [
        Query((float(x), float(z)), int(group), within=model.radius, haste=haste)
        for (x, z), group in zip(places, groups)
    ]


def usual_milliseconds(index: NodeIndex, queries: list[Query]) -> float:
    """The median of single calls in the paper's order."""
    seconds = []
    for query in queries:
        began = time.perf_counter()
        find_ends_as_printed(index, query)
        seconds.append(time.perf_counter() - began)
    return 1000 * float(np.median(seconds))


def brute_force(index: EndIndex, query: Query) -> list[int]:
    """Numbers of the nearest ends in a group, the soonest first: every end is looked at."""
    assert query.position is not None
    allowed = np.ones(index.n_ends, bool) if query.group is None else index.groups == query.group
    distances = np.hypot(*(index.places[:, :2] - query.position).T)
    numbers = np.flatnonzero(allowed & (distances <= query.within))
    nearest = numbers[np.lexsort((numbers, distances[numbers]))][: query.count]
    return nearest[np.lexsort((nearest, distances[nearest], index.times[nearest]))].tolist()


def brute_force_as_printed(index: EndIndex, query: Query) -> list[int]:
    """The same in the paper's order: the nearest nodes, then those of them that pass through the group."""
    assert query.position is not None
    tree = index.tree
    distances = np.hypot(*(tree.places[:, :2] - query.position).T)
    near = np.flatnonzero(distances <= query.within)
    near = near[np.lexsort((near, distances[near]))][: query.count]
    found = []
    for node in near:
        own = np.flatnonzero((index.nodes == node) & (index.groups == query.group))
        found += [(int(index.times[end]), float(distances[node]), int(end)) for end in own[:1]]
    return [number for _, _, number in sorted(found)]


def _table(data: Path, name: str) -> list[dict]:
    model = model_of(data, name, "angles")
    entry = root_nearest(model, NODES[name][-1])
    queries, found = random_queries(model, entry), []
    for column, depth in enumerate(DEPTHS):
        tree, index = build(model, entry, depth)
        label = f"trees; {name}, depth {depth}"
        seconds = best_of(lambda depth=depth: build(model, entry, depth))
        milliseconds = usual_milliseconds(index, queries)
        found += [
            figure(f"{label}; nodes", tree.n_nodes, "nodes", "higher", paper=NODES[name][column]),
            figure(f"{label}; construction", seconds, "s", "lower", paper=CONSTRUCTION[name][column]),
            figure(f"{label}; each query", milliseconds, "ms", "lower", paper=QUERY[name][column]),
        ]
    return found


def _answers(model: Model) -> list[dict]:
    """How many of a thousand answers are those of brute force, on the largest tree of boxing."""
    entry = root_nearest(model, NODES["boxing"][-1])
    _, nodes = build(model, entry, DEPTHS[-1])
    index, queries = nodes.ends, random_queries(model, entry)
    same = sum([end.number for end in find_ends(index, query)] == brute_force(index, query) for query in queries)
    printed = sum(
        [end.number for end in find_ends_as_printed(nodes, query)] == brute_force_as_printed(index, query)
        for query in queries
    )
    return [
        figure("trees; answers that are those of brute force, of 1,000", same, "answers", "higher"),
        figure("trees; answers in the paper's order that are those of brute force", printed, "answers", "higher"),
    ]


def _million(model: Model) -> dict:
    entry = root_nearest(model, MILLION)
    seconds = best_of(lambda: build(model, entry, DEPTHS[-1]), 3)
    n_nodes = build(model, entry, DEPTHS[-1])[0].n_nodes
    return figure("trees; tree and index for a million nodes", seconds * MILLION / n_nodes, "s", "lower")
