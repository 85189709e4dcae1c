"""Search trees: the paper's beside powers of the adjacency matrix, the grown one beside a plain version."""

import math
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.graphs import Matches, connect, walk_along
from motionloom.graphs.graph_walk import clips_along
from motionloom.methods.buildup.tree import _kernels
from motionloom.methods.buildup.tree.graph_tables import GraphTables
from motionloom.methods.buildup.tree.search_tree import (
    ARRAYS,
    Entry,
    GrowthSettings,
    grow_onward,
    grow_tree,
    lives_on,
    subtree,
    unroll_to_depth,
)
from motionloom.motion import Placement, compose
from motionloom.motion.placement import turn_ground

GROWTH = GrowthSettings(seconds=6.0, nodes=3000, apart=0.5, stretch=0.4, metres=0.2, degrees=30.0)
SEEDS = range(6)


def equal_trees(one, other, names=ARRAYS):
    for name in names:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-9, err_msg=name)


def plain_child(tables, parent, edge):
    """A node as a dictionary, from its parent: all that a tree says about it."""
    graph = tables.graph
    node = int(graph.targets[edge])
    length = int(graph.stops[parent["node"]]) - parent["begin"]
    return {
        "node": node,
        "edge": int(edge),
        "begin": int(graph.starts[node]),
        "arrival": parent["arrival"] + length,
        "since": parent["since"] + length if graph.goes_on[edge] else 0,
        "placement": compose(parent["placement"], graph.placement(int(edge))),
    }


def plain_roots(entries):
    return [
        {
            "node": entry.node,
            "edge": -1,
            "parent": -1,
            "begin": entry.begin,
            "arrival": entry.lead,
            "since": entry.since,
            "placement": entry.placement,
            "paid": 0.0,
        }
        for entry in entries
    ]


def assert_is(tree, rows):
    """That a tree has some nodes, in their order."""
    assert tree.n_nodes == len(rows)
    for name, key in (("nodes", "node"), ("parents", "parent"), ("edges", "edge"), ("begins", "begin")):
        np.testing.assert_array_equal(getattr(tree, name), [row[key] for row in rows], name)
    np.testing.assert_array_equal(tree.arrivals, [row["arrival"] for row in rows])
    np.testing.assert_array_equal(tree.since, [row["since"] for row in rows])
    np.testing.assert_allclose(tree.headings, [row["placement"].heading for row in rows], atol=1e-9)
    np.testing.assert_allclose(tree.slides, [row["placement"].slide for row in rows], atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_node_counts_are_sums_of_powers_of_the_adjacency_matrix(tables, seed):
    made = tables.random(seed)
    adjacency = np.zeros((made.graph.n_nodes, made.graph.n_nodes), int)
    np.add.at(adjacency, (made.graph.sources, made.graph.targets), 1)
    entries = tables.entries(made, seed)
    for depth in range(7):
        powers = sum(np.linalg.matrix_power(adjacency, power) for power in range(depth + 1))
        expected = sum(powers[entry.node].sum() for entry in entries)
        roots = np.array([entry.node for entry in entries])
        assert _kernels.count_to_depth(made.edges[0], made.edges[1], roots, depth) == expected
        assert unroll_to_depth(made, entries, depth).n_nodes == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_the_papers_tree_is_every_graph_walk_to_a_depth(tables, seed):
    made = tables.random(seed)
    entries = tables.entries(made, seed)
    rows = plain_roots(entries)
    level = list(enumerate(rows))
    for _ in range(5):
        following = []
        for number, row in level:
            for edge in made.graph.leaving(row["node"]):
                rows.append({**plain_child(made, row, edge), "parent": number})
                following.append((len(rows) - 1, rows[-1]))
        level = following
    assert_is(unroll_to_depth(made, entries, 5), rows)


def plain_growth(tables, entries, settings):
    """The grown tree, one waiting list for each frame, in words."""
    graph, fps = tables.graph, tables.graph.fps
    horizon, gap, stretch = (round(each * fps) for each in (settings.seconds, settings.apart, settings.stretch))
    room = max(settings.nodes // (graph.n_nodes * (horizon // stretch + 1)), 1)
    rows, waiting, slots = plain_roots(entries), [[] for _ in range(horizon + 1)], {}
    for root, row in enumerate(rows):
        if row["arrival"] <= horizon:
            waiting[row["arrival"]].append({**row, "number": root})
    for now in range(horizon + 1):
        while waiting[now]:
            row = waiting[now].pop()
            if row["parent"] >= 0:
                if len(rows) == settings.nodes:
                    return rows
                row["number"] = len(rows)
                rows.append(row)
                slots[row["slot"]] = "gone on from"
            for edge in graph.leaving(row["node"]):
                child = plain_child(tables, row, edge)
                length = int(graph.stops[row["node"]]) - row["begin"]
                if child["arrival"] > horizon or not (graph.goes_on[edge] or row["since"] + length >= gap):
                    continue
                child["parent"] = row["number"]
                cut = 0.0 if graph.goes_on[edge] else 1.0 + graph.distances[edge] / graph.threshold
                child["paid"] = row["paid"] + cut
                child["slot"] = slot_of(tables, child, settings, stretch, room)
                holder = slots.get(child["slot"])
                if holder == "gone on from" or (holder is not None and child["paid"] >= holder["paid"]):
                    continue
                queue = waiting[child["arrival"]]
                if holder is None:
                    queue.append(child)
                elif holder["arrival"] == child["arrival"]:
                    queue[next(i for i, other in enumerate(queue) if other is holder)] = child
                else:
                    others = waiting[holder["arrival"]]
                    del others[next(i for i, other in enumerate(others) if other is holder)]
                    queue.append(child)
                slots[child["slot"]] = child
    return rows


def slot_of(tables, row, settings, stretch, room):
    """Stretch of time, graph node, and which of its slots a place and heading are for."""
    x, z, heading = tables.facings[row["begin"]]
    place = turn_ground(np.array([x, z]), row["placement"].heading) + row["placement"].slide
    column, line = (math.floor(value / settings.metres) for value in place)
    turn = math.floor(((heading + row["placement"].heading) % (2 * np.pi)) / np.radians(settings.degrees))
    return row["arrival"] // stretch, row["node"], _kernels._scatter(column, line, turn, room)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("nodes", [60, 700, 20_000])
def test_the_grown_tree_is_that_of_the_plain_version(tables, seed, nodes):
    made = tables.random(seed)
    entries, settings = tables.entries(made, seed), replace(GROWTH, nodes=nodes)
    assert_is(grow_tree(made, entries, settings), plain_growth(made, entries, settings))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_grown_tree_has_all_of_one_time_before_any_of_a_later_one(tables, seed):
    made = tables.random(seed)
    tree = grow_tree(made, tables.entries(made, seed, 1), GROWTH)
    assert (np.diff(tree.arrivals) >= 0).all()
    assert tree.arrivals.max() <= 60
    assert (tree.parents < np.arange(tree.n_nodes)).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_transitions_of_a_grown_tree_lie_apart(tables, seed):
    made = tables.random(seed)
    tree = grow_tree(made, tables.entries(made, seed), GROWTH)
    gap = round(GROWTH.apart * made.graph.fps)
    cuts = np.flatnonzero((tree.parents >= 0) & ~made.graph.goes_on[tree.edges])
    parents = tree.parents[cuts]
    played = made.graph.stops[tree.nodes[parents]] - tree.begins[parents]
    assert len(cuts) > 10
    assert (tree.since[parents] + played >= gap).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_like_nodes_of_a_grown_tree_count_once(tables, seed):
    made = tables.random(seed)
    tree = grow_tree(made, tables.entries(made, seed, 1), GROWTH)
    alike = np.column_stack(
        [
            tree.nodes,
            tree.arrivals // 4,
            np.floor(tree.places[:, :2] / GROWTH.metres),
            np.floor(tree.places[:, 2] % (2 * np.pi) / np.radians(GROWTH.degrees)),
        ]
    )[1:]
    assert len(np.unique(alike, axis=0)) == len(alike)


def n_cuts(tree):
    """(T,) transitions on the path to each node."""
    found = np.zeros(tree.n_nodes, int)
    for number in range(tree.n_nodes):
        parent = tree.parents[number]
        if parent >= 0:
            found[number] = found[parent] + (not tree.tables.graph.goes_on[tree.edges[number]])
    return found


def test_growth_prefers_few_transitions(tables):
    """With no price on transitions whoever comes first has a slot; with one, paths to as many nodes have fewer."""
    priced, free = [], []
    for seed in SEEDS:
        made = tables.random(seed, n_pairs=40)
        entries = tables.entries(made, seed, 1)
        unpriced = replace(made)
        unpriced.__dict__["prices"] = np.zeros(made.graph.n_edges)
        priced.append(n_cuts(grow_tree(made, entries, GROWTH)).mean())
        free.append(n_cuts(grow_tree(unpriced, entries, GROWTH)).mean())
    assert np.mean(priced) < 0.97 * np.mean(free)


@pytest.mark.parametrize("seed", SEEDS)
def test_places_are_those_of_the_graph_walk(tables, seed):
    made = tables.random(seed)
    entry = tables.entries(made, seed, 1)[0]
    for tree in (unroll_to_depth(made, [entry], 6), grow_tree(made, [entry], GROWTH)):
        for number in np.random.default_rng(seed).integers(1, tree.n_nodes, 30):
            path = tree.path_to(int(number))
            walk = walk_along(made.graph, entry.node, tree.edges[path[1:]])
            clip = clips_along(made.graph, walk, placement=entry.placement)[-1]
            x, z, heading = made.facings[tree.begins[number]]
            place = turn_ground(np.array([x, z]), clip.placement.heading) + clip.placement.slide
            np.testing.assert_allclose(tree.places[number, :2], place, atol=1e-9)
            np.testing.assert_allclose(tree.places[number, 2], heading + clip.placement.heading, atol=1e-9)


def test_the_same_request_gives_the_same_bits(tables):
    made = tables.random(3)
    entries = tables.entries(made, 3)
    one, other = (grow_tree(made, entries, GROWTH) for _ in range(2))
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def middle_node(tree, depth, seed):
    """A node so many edges below a root."""
    depths = np.zeros(tree.n_nodes, int)
    for number in range(tree.n_nodes):
        depths[number] = 0 if tree.parents[number] < 0 else depths[tree.parents[number]] + 1
    return int(np.random.default_rng(seed).choice(np.flatnonzero(depths == depth)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [0, 2])
def test_a_subtree_is_what_is_unrolled_from_the_end_of_a_path(tables, seed, depth):
    made = tables.random(seed)
    tree = unroll_to_depth(made, tables.entries(made, seed), 5)
    number = middle_node(tree, depth, seed)
    stop = int(made.graph.stops[tree.nodes[number]])
    for frame in {int(tree.begins[number]), stop - 1}:
        kept = subtree(tree, number, frame)
        assert kept.entries[0].begin == frame + 1
        equal_trees(kept, unroll_to_depth(made, kept.entries, 5 - depth))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_grown_subtree_has_the_paths_that_go_on_from_its_root(tables, seed):
    made = tables.random(seed)
    tree = grow_tree(made, tables.entries(made, seed), GROWTH)
    number = middle_node(tree, 2, seed)
    frame = int(tree.begins[number])
    kept = subtree(tree, number, frame)
    played = int(tree.arrivals[number]) + 1
    below = [other for other in range(tree.n_nodes) if number in tree.path_to(other)]
    assert kept.n_nodes == len(below)
    np.testing.assert_array_equal(kept.nodes, tree.nodes[below])
    np.testing.assert_array_equal(kept.arrivals[1:], tree.arrivals[below[1:]] - played)
    np.testing.assert_array_equal(kept.places[1:], tree.places[below[1:]])
    for child, other in enumerate(below[1:], 1):
        assert [below[step] for step in kept.path_to(child)] == tree.path_to(other)[-len(kept.path_to(child)) :]


def test_a_tree_that_would_be_too_large_is_refused_however_deep(tables):
    made = tables.random(0, n_pairs=60)
    for depth in (30, 200, 10_000):
        with pytest.raises(BadInput, match="choose less depth"):
            unroll_to_depth(made, tables.entries(made), depth)


def test_an_entry_past_the_end_of_its_node_goes_on_at_once(tables):
    made = tables.random(1)
    node = int(np.flatnonzero(np.diff(made.edges[0]) > 1)[0])
    entry = replace(
        tables.entries(made)[0], node=node, begin=int(made.graph.stops[node]), placement=Placement.none(), lead=0
    )
    tree = grow_tree(made, [replace(entry, since=100)], GROWTH)
    children = tree.parents == 0
    assert children.sum() == len(made.graph.leaving(node))
    assert (tree.arrivals[children] == 0).all()


def test_transitions_come_sooner_where_clips_end_before_they_are_due():
    """Two seconds of which a transition leads out after 1.6, and a last pose at 1.0 that was only just come to."""
    match = Matches(np.array([15]), np.array([120]), np.array([0.1]), np.zeros(1), np.zeros((1, 2)))
    graph = connect(match, np.array([0, 20, 220]), ("a", "b"), 10.0, "m", 1.0)
    given = GraphTables(graph, np.zeros((220, 3)), (np.arange(220) // 10).astype(np.int32), 22)
    entries = [Entry(given.node_at(10), 10, Placement.none(), since=0)]
    late = replace(GROWTH, apart=3.0)
    dead, onward = grow_tree(given, entries, late), grow_onward(given, entries, late)
    assert not lives_on(dead, late) and set(given.graph.starts[dead.nodes]) <= {0, 16}
    assert lives_on(onward, late) and (given.graph.starts[onward.nodes] == 121).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_trees_that_live_on_are_grown_as_ever(tables, seed):
    given = tables.random(seed, lengths=(200, 150))
    entries = tables.entries(given, seed)
    tree = grow_tree(given, entries, GROWTH)
    if lives_on(tree, GROWTH):
        equal_trees(grow_onward(given, entries, GROWTH), tree)
    else:
        assert grow_onward(given, entries, GROWTH).gap < tree.gap
