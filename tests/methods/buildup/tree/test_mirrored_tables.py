"""Mirrored tables: time runs backwards, and nothing else changes; graphs from which frames are left out."""

import numpy as np
import pytest

from motionloom.methods.buildup.tree.mirrored_tables import leave_out, mirror
from motionloom.motion import compose


@pytest.mark.parametrize("seed", range(3))
def test_mirroring_twice_changes_nothing(tables, seed):
    given = tables.random(seed)
    again = mirror(mirror(given)[0])[0]
    assert np.array_equal(again.facings, given.facings)
    assert np.array_equal(again.groups, given.groups)
    for name in ("starts", "stops", "sources", "targets", "distances", "goes_on", "motion_starts"):
        assert np.array_equal(getattr(again.graph, name), getattr(given.graph, name)), name
    assert np.allclose(again.graph.headings, given.graph.headings)
    assert np.allclose(again.graph.slides, given.graph.slides)


def test_edges_lead_back_with_the_inverse_placement(tables):
    given = tables.random(1)
    mirrored, edges = mirror(given)
    n_nodes, n_frames = given.graph.n_nodes, len(given.facings)
    for number, edge in enumerate(edges):
        assert mirrored.graph.sources[number] == n_nodes - 1 - given.graph.targets[edge]
        assert mirrored.graph.targets[number] == n_nodes - 1 - given.graph.sources[edge]
        there_and_back = compose(given.graph.placement(int(edge)), mirrored.graph.placement(number))
        assert there_and_back.heading == pytest.approx(0.0, abs=1e-12)
        assert there_and_back.slide == pytest.approx(0.0, abs=1e-9)
    for node in range(n_nodes):
        mirror_node = mirrored.graph.starts[n_nodes - 1 - node], mirrored.graph.stops[n_nodes - 1 - node]
        assert mirror_node == (n_frames - given.graph.stops[node], n_frames - given.graph.starts[node])


def test_what_is_left_out_is_not_played_and_all_else_is(tables):
    given = tables.random(2)
    is_left_out = np.zeros(len(given.facings), bool)
    is_left_out[70:74] = True
    fewer = leave_out(given, is_left_out).graph
    graph = given.graph
    plays = np.array([is_left_out[start:stop].any() for start, stop in zip(graph.starts, graph.stops)])
    kept = [tuple(edge) for edge in graph.edges if not plays[edge].any()]
    assert [tuple(edge) for edge in fewer.edges] == kept
    assert 0 < fewer.n_edges < graph.n_edges
