"""Numbers of a graph, against counting and against trying every way."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.snap.graph import statistics
from motionloom.methods.snap.graph.hub_graph import Action
from motionloom.methods.snap.graph.statistics import (
    describe_statistics,
    largest_gap,
    measure_graph,
    times_between,
    turn_coverage,
    waiting_times,
)


def slow_times(graph):
    """Floyd and Warshall, written out."""
    n = len(graph.nodes)
    best = np.full((n, n), np.inf)
    np.fill_diagonal(best, 0)
    for clip, seconds in zip(graph.clips, graph.seconds):
        best[clip.source, clip.target] = min(best[clip.source, clip.target], seconds)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                best[i, j] = min(best[i, j], best[i, k] + best[k, j])
    return best


@pytest.mark.parametrize("seed", range(4))
def test_times_between_nodes_are_those_of_the_shortest_way(hub_graphs, seed):
    graph = hub_graphs(seed, hubs=4, clips=9, takes=2)
    np.testing.assert_allclose(times_between(graph), slow_times(graph))


@pytest.mark.parametrize("seed", range(4))
def test_waiting_counts_from_the_end_of_a_clip_to_the_begin_of_another_action(hub_graphs, seed):
    graph = hub_graphs(seed, hubs=3, clips=10)
    between = slow_times(graph)
    means, worst = [], 0.0
    for action in graph.actions:
        for other in graph.actions:
            if action is not other:
                waits = [
                    min(between[graph.clips[a].target, graph.clips[b].source] for b in other.clips)
                    for a in action.clips
                ]
                means.append(np.mean(waits))
                worst = max(worst, *waits)
    found = waiting_times(graph)
    assert found.mean == pytest.approx(np.mean(means))
    assert found.worst == pytest.approx(worst)
    assert (found.pairs, found.without_a_way) == (len(means), 0)


def test_an_action_without_clips_does_not_count(hub_graphs):
    graph = hub_graphs(2, hubs=3, clips=10)
    with_empty = replace(graph, actions=(*graph.actions, Action("nothing", ())))
    assert waiting_times(with_empty) == waiting_times(graph)
    measure_graph(with_empty)


def test_clips_count_as_actions_where_there_are_none(hub_graphs):
    graph = replace(hub_graphs(3, hubs=3, clips=12, takes=1), actions=())
    between = slow_times(graph)
    waits = [between[a.target, b.source] for a in graph.clips for b in graph.clips if a is not b]
    known = [wait for wait in waits if np.isfinite(wait)]
    found = waiting_times(graph)
    assert (found.pairs, found.without_a_way) == (len(waits), len(waits) - len(known))
    assert found.mean == pytest.approx(np.mean(known)) and found.worst == pytest.approx(max(known))


def test_turns_of_very_many_pairs_of_clips_are_rounded_to_a_hundredth_of_a_degree(hub_graphs, monkeypatch):
    graph = hub_graphs(4, hubs=2, clips=40)
    exact = turn_coverage(graph, 0)
    monkeypatch.setattr(statistics, "MOST_PAIRS", 10)
    rounded = turn_coverage(graph, 0)
    assert rounded.one_clip == exact.one_clip
    assert rounded.two_clips == tuple(np.unique(np.round(exact.two_clips, 2)).tolist())
    assert rounded.largest_gap_two == pytest.approx(exact.largest_gap_two, abs=0.02)


def test_pairs_of_actions_without_a_way_are_counted(hub_graphs):
    graph = hub_graphs(1, hubs=2, edges=[(0, 0), (0, 1), (1, 1)])  # no way back from the second hub
    found = waiting_times(graph)
    assert found.without_a_way > 0
    assert "have no graph walk between them" in describe_statistics(measure_graph(graph))


def test_branching_is_counted_at_hubs(hub_graphs):
    graph = hub_graphs(0, hubs=2, edges=[(0, 0), (0, 1), (0, 1), (1, 0)])
    found = measure_graph(graph)
    assert (found.branching.least, found.branching.most, found.branching.mean) == (1, 3, 2.0)
    assert found.seconds == pytest.approx(graph.n_frames / graph.fps)
    assert "2 hubs, 4 clips" in describe_statistics(found)


def test_turns_of_two_clips_are_sums_of_turns_of_one(hub_graphs):
    graph = hub_graphs(3, hubs=1, clips=4)
    found = turn_coverage(graph, 0)
    sums = [(a + b + 180) % 360 - 180 for a in found.one_clip for b in found.one_clip]
    np.testing.assert_allclose(np.sort(np.array(sums)), np.sort(found.two_clips), atol=1e-9)
    assert found.range == (min(found.one_clip), max(found.one_clip))
    assert found.largest_gap_two <= found.largest_gap


def test_clips_that_lead_to_an_end_are_no_turns(hub_graphs):
    graph = hub_graphs(3, hubs=1, clips=3, takes=1)
    assert len(turn_coverage(graph, 0).one_clip) == 3


def test_the_largest_gap_goes_round_the_circle():
    assert largest_gap([0.0, 90.0, 180.0, 270.0]) == pytest.approx(90)
    assert largest_gap([-10.0, 10.0]) == pytest.approx(340)
    assert largest_gap([350.0, 10.0]) == pytest.approx(340)
    assert largest_gap([45.0]) == largest_gap([]) == 360
    rng = np.random.default_rng(0)
    angles = rng.uniform(-700, 700, 30)
    assert largest_gap(angles) == pytest.approx(largest_gap(angles + 123.4))
    assert largest_gap(np.append(angles, 5.0)) <= largest_gap(angles) + 1e-9
