"""Graph tables: what trees read of a graph, frame by frame, also where parts of recordings are not in it."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.graphs.transition_graph import choose_nodes
from motionloom.methods.buildup.tree.end_index import index_ends
from motionloom.methods.buildup.tree.search_tree import unroll_to_depth
from motionloom.motion.placement import turn_ground

SEEDS = range(5)


@pytest.fixture(params=SEEDS)
def pruned(request, tables):
    """Tables of a graph that has lost some of its nodes, the first and the last among them."""
    made = tables.random(request.param)
    keep = np.random.default_rng(request.param).random(made.graph.n_nodes) < 0.8
    keep[[0, -1]] = False
    return replace(made, graph=choose_nodes(made.graph, keep, np.ones(made.graph.n_edges, bool)))


def test_the_node_of_a_frame_is_the_one_that_plays_it(pruned):
    for frame in range(len(pruned.groups)):
        playing = [n for n, (a, b) in enumerate(zip(pruned.graph.starts, pruned.graph.stops)) if a <= frame < b]
        assert pruned.node_at(frame) == (playing[0] if playing else -1)
    inside = [frame for frame in range(len(pruned.groups)) if pruned.node_at(frame) >= 0]
    np.testing.assert_array_equal(pruned.played_frames, inside)


def test_runs_of_a_node_are_its_frames_group_by_group(pruned):
    firsts, groups, starts, stops = pruned.runs
    for node, (start, stop) in enumerate(zip(pruned.graph.starts, pruned.graph.stops)):
        own = slice(firsts[node], firsts[node + 1])
        frames = np.concatenate([np.arange(a, b) for a, b in zip(starts[own], stops[own])])
        np.testing.assert_array_equal(frames, np.arange(start, stop))
        np.testing.assert_array_equal(np.repeat(groups[own], stops[own] - starts[own]), pruned.groups[start:stop])
        assert (np.diff(groups[own]) != 0).all()
        np.testing.assert_array_equal(pruned.groups_of(node), sorted(set(pruned.groups[start:stop].tolist())))


def test_edges_say_where_the_next_node_begins_as_seen_from_this_one(pruned):
    places, headings = pruned.arrivals
    for edge in range(pruned.graph.n_edges):
        x, z, heading = pruned.facings[pruned.graph.starts[pruned.graph.targets[edge]]]
        placement = pruned.graph.placement(edge)
        place = turn_ground(np.array([x, z]), placement.heading) + placement.slide
        np.testing.assert_allclose(places[edge], place, atol=1e-12)
        np.testing.assert_allclose(headings[edge], heading + placement.heading, atol=1e-12)


def test_going_on_is_free_and_harder_transitions_cost_more(pruned):
    prices, graph = pruned.prices, pruned.graph
    assert (prices[graph.goes_on] == 0).all()
    cuts = np.flatnonzero(~graph.goes_on)
    cuts = cuts[np.argsort(graph.distances[cuts])]
    assert (np.diff(prices[cuts]) >= 0).all()
    assert (prices[cuts] >= 1).all() and (prices[cuts] <= 2).all()


def test_ends_lie_in_the_groups_that_nodes_pass_through(pruned, tables):
    tree = unroll_to_depth(pruned, tables.entries(pruned, 1), 4)
    index = index_ends(tree, None, 0.0)
    for number in range(min(tree.n_nodes, 200)):
        frames = np.arange(tree.begins[number], pruned.graph.stops[tree.nodes[number]])
        expected = {int(pruned.groups[frame]): int(frame) for frame in frames[::-1]}
        own = np.flatnonzero(index.nodes == number)
        assert dict(zip(index.groups[own].tolist(), index.frames[own].tolist())) == expected
