"""Transition graphs: what may be played after what, before and after pruning and merging."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs import TransitionGraph, connect, find_components, merge_chains, prune
from motionloom.motion import Placement, compose

LENGTHS = (20, 15, 10)
some_pairs = st.lists(st.tuples(st.integers(0, 44), st.integers(0, 44)), max_size=12)


def plain_steps(pairs) -> set[tuple[int, int]]:
    """Which frame may follow which, as the definition says it: recordings go on, and a match (i, j) leads to j + 1."""
    starts = np.concatenate([[0], np.cumsum(LENGTHS)])
    ends = set((starts[1:] - 1).tolist())
    steps = {(f, f + 1) for f in range(45) if f not in ends}
    for i, j in [*pairs, *((j, i) for i, j in pairs)]:
        if j not in ends and i != j:
            steps.add((i, j + 1))
    return steps


def plain_component(steps) -> set[int]:
    """The largest set of frames that reach each other, one frame at a time; of equals the one that begins first."""
    can = np.zeros((45, 45), bool)
    for a, b in steps:
        can[a, b] = True
    for middle in range(45):
        can |= can[:, [middle]] & can[[middle], :]
    mutual = can & can.T
    return max((set(np.flatnonzero(mutual[f]).tolist()) for f in range(45)), key=len)


def frame_ranges(graph) -> list[tuple[int, int]]:
    return list(zip(graph.starts.tolist(), graph.stops.tolist()))


@given(some_pairs)
@settings(max_examples=100, deadline=None)
def test_matches_lead_from_each_frame_to_what_follows_the_other(graphs, pairs):
    assert graphs.steps(graphs.of_pairs(pairs, LENGTHS)) == plain_steps(pairs)


@given(some_pairs)
@settings(max_examples=100, deadline=None)
def test_merging_keeps_what_may_be_played_and_leaves_no_two_nodes_without_a_choice(graphs, pairs):
    graph = graphs.of_pairs(pairs, LENGTHS)
    merged = merge_chains(graph)
    assert graphs.steps(merged) == graphs.steps(graph)
    out_degree = np.bincount(merged.sources, minlength=merged.n_nodes)
    in_degree = np.bincount(merged.targets, minlength=merged.n_nodes)
    assert not (merged.goes_on & (out_degree[merged.sources] == 1) & (in_degree[merged.targets] == 1)).any()


@given(some_pairs)
@settings(max_examples=100, deadline=None)
def test_pruning_keeps_the_largest_set_of_frames_that_reach_each_other(graphs, pairs):
    steps = plain_steps(pairs)
    expected = plain_component(steps)
    graph = graphs.of_pairs(pairs, LENGTHS)
    if not expected:
        with pytest.raises(Unsatisfiable, match="has no cycle"):
            prune(graph)
        return
    pruned = prune(graph)
    kept = {f for a, b in zip(pruned.graph.starts, pruned.graph.stops) for f in range(a, b)}
    assert len(kept) == len(expected)
    assert plain_component(graphs.steps(pruned.graph)) == kept  # every frame reaches every other
    assert graphs.steps(pruned.graph) == {(a, b) for a, b in steps if a in kept and b in kept}


@given(some_pairs)
@settings(max_examples=60, deadline=None)
def test_what_was_kept_and_what_was_left_out_make_up_all_recordings(graphs, pairs):
    graph = graphs.of_pairs(pairs, LENGTHS)
    try:
        pruned = prune(graph)
    except Unsatisfiable:
        return
    starts = dict(zip("abc", (0, 20, 35)))
    seen = np.zeros(45, int)
    for start, stop in zip(pruned.graph.starts, pruned.graph.stops):
        seen[start:stop] += 1
    for part in pruned.report.left_out:
        seen[starts[part.name] + part.start : starts[part.name] + part.stop] += 1
    assert (seen == 1).all()
    left_out = sum(part.seconds for part in pruned.report.left_out)
    assert pruned.report.kept_seconds + left_out == pytest.approx(pruned.report.seconds) == pytest.approx(4.5)
    kept = {graph.clip_of(a, b)[0] for a, b in frame_ranges(pruned.graph)}
    assert set(pruned.report.lost) == set("abc") - kept


def test_several_components_may_be_kept_each_for_itself(graphs):
    graph = graphs.of_pairs([(2, 12), (22, 32), (14, 22)], LENGTHS)  # a loop in a, one in b, and a way from a to b
    assert frame_ranges(prune(graph).graph) == [(3, 13)]
    both = prune(graph, min_seconds=0.5)
    assert frame_ranges(both.graph) == [(3, 13), (23, 33)]
    assert both.graph.edges.tolist() == [[0, 0], [1, 1]]
    assert both.report.n_components == 2
    assert [part.why for part in both.report.left_out if part.name == "a"] == ["unreachable", "between", "dead end"]
    with pytest.raises(Unsatisfiable, match=r"component is 9 s long; the largest has 1\.0 s"):
        prune(graph, min_seconds=9.0)


def test_no_transition_leads_from_one_kept_component_to_another(graphs):
    graph = graphs.of_pairs([(2, 12), (22, 32), (8, 22)], LENGTHS)  # out of the loop in a, right into the one in b
    kept = prune(graph, min_seconds=0.5).graph
    components = find_components(kept.n_nodes, kept.edges).numbers
    assert set(components) == {0, 1} and (components[kept.sources] == components[kept.targets]).all()


def test_a_report_says_what_goes_and_why(graphs):
    text = prune(graphs.of_pairs([(2, 12)], LENGTHS)).report.describe()
    assert text.startswith("kept 1.0 of 4.5 s (22%) and 1 of 2 transitions")
    assert "nothing is left of b, c" in text
    assert "0.3 s cannot be reached from the rest: a [0, 3)" in text
    assert "0.7 s leads to an end, with no way back: a [13, 20)" in text
    assert "2.5 s has no way to the rest or from it: b [0, 15), c [0, 10)" in text
    many = prune(graphs.of_pairs([(2, 12)], (20, 5, 5, 5, 5, 5))).report.describe()
    assert "b [0, 5), c [0, 5), d [0, 5) and 2 shorter parts" in many


def test_the_way_back_takes_the_placement_back(graphs):
    graph = graphs.of_pairs([(3, 30)], LENGTHS)
    there, back = np.flatnonzero(~graph.goes_on)
    both = compose(graph.placement(int(there)), graph.placement(int(back)))
    np.testing.assert_allclose([both.heading, *both.slide], 0.0, atol=1e-12)
    assert graph.distances[there] == graph.distances[back] > 0


def test_where_the_recording_goes_on_nothing_moves(graphs):
    graph = graphs.random(3)
    for edge in np.flatnonzero(graph.goes_on):
        assert graph.distances[edge] == 0.0
        np.testing.assert_array_equal(graph.placement(int(edge)).slide, Placement.none().slide)


@pytest.mark.parametrize("pairs", [[], [(2, 12), (5, 40)]])
def test_a_graph_comes_back_from_its_arrays(graphs, pairs):
    graph = graphs.of_pairs(pairs, LENGTHS)
    arrays = {name: array for name, array in graph.to_arrays().items() if array.size}  # as a corpus keeps them
    again = TransitionGraph.from_arrays(arrays)
    assert (again.names, again.fps, again.unit, again.threshold) == (graph.names, 10.0, "m", 1.0)
    for name, array in graph.to_arrays().items():
        np.testing.assert_array_equal(again.to_arrays()[name], array)


def test_matches_in_any_order_give_the_same_graph(graphs):
    matches = graphs.matches([(2, 12), (5, 40), (30, 7)])
    order = [2, 0, 1]
    mixed = type(matches)(*(getattr(matches, name)[order] for name in matches.__dataclass_fields__))
    one, other = (connect(m, [0, 20, 35, 45], ("a", "b", "c"), 10.0, "m", 1.0).to_arrays() for m in (matches, mixed))
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


def test_frames_are_found_in_their_nodes_and_clips(graphs):
    graph = prune(graphs.of_pairs([(2, 12), (22, 12)], LENGTHS)).graph
    for frame in range(45):
        inside = [n for n in range(graph.n_nodes) if graph.starts[n] <= frame < graph.stops[n]]
        assert len(inside) <= 1
    assert graph.clip_of(22, 25) == ("b", 2, 5)


def test_graphs_that_make_no_sense_are_refused(graphs):
    graph = graphs.of_pairs([(2, 12)], LENGTHS)
    arrays = graph.to_arrays()
    for name, wrong, message in (
        ("stops", graph.stops[:-1], r"stops \(\d+,\), expected"),
        ("stops", graph.starts, "without overlap"),
        ("starts", np.zeros(0), "stops"),
        ("targets", graph.targets + 99, "must connect its"),
        ("distances", graph.distances * np.nan, "finite"),
        ("motion_starts", graph.motion_starts[:-1], "3 names for 2 motions"),
    ):
        with pytest.raises(BadInput, match=message):
            TransitionGraph.from_arrays({**arrays, name: wrong})
    with pytest.raises(BadInput, match="has no nodes"):
        TransitionGraph.from_arrays({name: arrays[name] for name in ("about", "motion_starts")})
    for pair in ((3, 45), (-4, 3)):
        with pytest.raises(BadInput, match="there are 45 frames"):
            graphs.of_pairs([pair], LENGTHS)


def test_a_frame_that_may_follow_itself_is_a_loop(graphs):
    graph = merge_chains(prune(graphs.of_pairs([(3, 2)], (9,))).graph)  # up to 3, then what follows 2
    assert frame_ranges(graph) == [(3, 4)] and graph.edges.tolist() == [[0, 0]] and not graph.goes_on.any()


def test_of_two_components_as_long_the_first_stays(graphs):
    graph = graphs.of_pairs([(2, 7), (22, 27)], (20, 20))
    assert frame_ranges(prune(graph).graph) == [(3, 8)]
    assert prune(graph, min_seconds=0.5).report.n_components == 2


def test_recordings_of_one_frame_and_no_matches_are_graphs_too(graphs):
    graph = graphs.of_pairs([(0, 1)], (1, 1, 1))
    assert frame_ranges(merge_chains(graph)) == [(0, 1), (1, 2), (2, 3)] and graph.n_edges == 0
    with pytest.raises(Unsatisfiable, match="has no cycle"):
        prune(graph)
