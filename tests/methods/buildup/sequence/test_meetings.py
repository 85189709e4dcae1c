"""Meetings: the best pairs of nodes of two trees that play the same graph node, beside a plain double loop."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.buildup.sequence.meetings import MeetingRules, find_meetings
from motionloom.methods.buildup.sequence.sequence import where_is
from motionloom.methods.buildup.tree.mirrored_tables import mirror
from motionloom.methods.buildup.tree.search_tree import GrowthSettings, grow_tree
from motionloom.motion.angles import wrap_angle

GROWTH = GrowthSettings(seconds=6.0, nodes=400, apart=0.3)
RULES = MeetingRules(gap=3, shortest=4, longest=80, farthest=5.0)


class Facings:
    """As much of a model as places need."""

    def __init__(self, facings):
        self.facings = facings


def plain_costs(forward, backward, rules):
    """(T,) the least cost of each forward node, and its partner."""
    model, n_graph, n_frames = (
        Facings(forward.tables.facings),
        forward.tables.graph.n_nodes,
        len(forward.tables.facings),
    )
    partners, costs = np.full(forward.n_nodes, -1), np.full(forward.n_nodes, np.inf)
    for ahead in range(forward.n_nodes):
        for other in range(backward.n_nodes):
            if forward.nodes[ahead] != n_graph - 1 - backward.nodes[other]:
                continue
            begin, end = int(forward.begins[ahead]), n_frames - int(backward.begins[other])
            frames = forward.arrivals[ahead] + end - begin + backward.arrivals[other]
            since = int(forward.since[ahead]) + end - begin + int(backward.since[other])
            if end <= begin or not rules.shortest <= frames <= rules.longest or since < rules.gap:
                continue
            middle = begin + (end - begin) // 2
            mine, theirs = (
                where_is(model, middle, tree.placement(n)) for tree, n in ((forward, ahead), (backward, other))
            )
            miss = np.hypot(mine[0] - theirs[0], mine[1] - theirs[1])
            miss += rules.lever * abs(wrap_angle(mine[2] - theirs[2]))
            cost = frames + rules.frames_per_metre * miss
            if miss <= rules.farthest and cost < costs[ahead]:
                partners[ahead], costs[ahead] = other, cost
    return partners, costs


@pytest.mark.parametrize("seed", range(4))
def test_as_the_plain_twin_finds_them(tables, seed):
    given = tables.random(seed)
    mirrored = mirror(given)[0]
    forward = grow_tree(given, tables.entries(given, seed), GROWTH)
    backward = grow_tree(mirrored, tables.entries(mirrored, seed + 50), GROWTH)
    partners, costs = plain_costs(forward, backward, RULES)
    found = find_meetings(forward, backward, RULES, 10_000)
    assert len(found.forward) == np.isfinite(costs).sum() > 10
    assert np.allclose(found.costs, np.sort(costs[np.isfinite(costs)]))
    assert np.allclose(found.costs, costs[found.forward])
    same = partners[found.forward] == found.backward
    assert same.mean() > 0.95  # equal ones may be told apart by rounding


def test_fewer_are_the_best_of_all(tables):
    given = tables.random(1)
    mirrored = mirror(given)[0]
    forward = grow_tree(given, tables.entries(given, 1), GROWTH)
    backward = grow_tree(mirrored, tables.entries(mirrored, 51), GROWTH)
    every, few = (find_meetings(forward, backward, RULES, count) for count in (10_000, 5))
    assert np.array_equal(few.costs, every.costs[:5])
    none = find_meetings(forward, backward, replace(RULES, farthest=0.0), 5)
    assert len(none.forward) == 0


def test_nodes_that_have_a_price_come_later_with_the_same_partners(tables):
    given = tables.random(1)
    mirrored = mirror(given)[0]
    forward = grow_tree(given, tables.entries(given, 1), GROWTH)
    backward = grow_tree(mirrored, tables.entries(mirrored, 51), GROWTH)
    every = find_meetings(forward, backward, RULES, 10_000)
    prices = np.zeros(forward.n_nodes)
    prices[every.forward[:3]] = 1000.0
    dear = find_meetings(forward, backward, RULES, 10_000, prices)
    assert np.array_equal(dear.forward, np.roll(every.forward, -3))
    assert dict(zip(dear.forward, dear.backward)) == dict(zip(every.forward, every.backward))


def test_every_node_knows_the_root_that_it_is_reached_from(tables):
    given = tables.random(2)
    tree = grow_tree(given, tables.entries(given, 2), GROWTH)
    assert [tree.path_to(number)[0] for number in range(tree.n_nodes)] == tree.roots.tolist()
