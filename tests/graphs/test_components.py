"""Components of any graph: checked against plain reachability."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.graphs import find_components, find_reachability

small_graphs = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=2 * n, unique=False)
    )
)


def ways(n_nodes: int, edges) -> np.ndarray:
    """(N, N) bool: there is a way of one edge or more from a to b; slow and obvious."""
    can = np.zeros((n_nodes, n_nodes), bool)
    for a, b in edges:
        can[a, b] = True
    for middle in range(n_nodes):
        can |= can[:, [middle]] & can[[middle], :]
    return can


@given(small_graphs)
@settings(max_examples=150, deadline=None)
def test_two_nodes_share_a_component_when_each_has_a_way_to_the_other(graph):
    n_nodes, edges = graph
    found = find_components(n_nodes, np.array(edges))
    can = ways(n_nodes, edges) | np.eye(n_nodes, dtype=bool)
    np.testing.assert_array_equal(found.numbers[:, None] == found.numbers[None], can & can.T)


@given(small_graphs)
@settings(max_examples=150, deadline=None)
def test_reachability_says_which_ways_there_are_to_the_largest_component(graph):
    n_nodes, edges = graph
    found = find_components(n_nodes, np.array(edges))
    can, inside = ways(n_nodes, edges), found.numbers == 0
    for node, reachability in enumerate(found.reachability):
        if reachability == "inside":
            assert inside[node]
            continue
        comes, leads = can[inside, node].any(), can[node, inside].any()
        kinds = {(True, False): "dead end", (False, True): "unreachable", (False, False): "apart"}
        assert reachability == kinds[comes, leads]


@given(small_graphs)
@settings(max_examples=100, deadline=None)
def test_components_in_which_one_can_go_round_come_first_and_heavier_ones_before_lighter(graph):
    n_nodes, edges = graph
    weights = np.arange(n_nodes) % 3 + 1.0
    found = find_components(n_nodes, np.array(edges), weights)
    can = ways(n_nodes, edges)
    np.testing.assert_array_equal(found.is_cyclic[found.numbers], np.diag(can))
    np.testing.assert_allclose(found.weights, [weights[found.numbers == c].sum() for c in range(found.n_components)])
    np.testing.assert_array_equal(found.sizes, [(found.numbers == c).sum() for c in range(found.n_components)])
    keys = list(zip(~found.is_cyclic, -found.weights))
    assert keys == sorted(keys)


def test_a_node_between_two_kept_parts_is_distinguished_from_a_dead_end():
    edges = np.array([(0, 0), (0, 1), (1, 2), (2, 2), (2, 3)])
    kept = np.array([True, False, True, False])
    assert find_reachability(4, edges, kept) == ("inside", "between", "inside", "dead end")


def test_a_description_names_the_nodes_that_do_not_belong():
    edges = np.array([(0, 1), (1, 0), (1, 2), (3, 0)])
    text = find_components(5, edges, np.array([2.0, 2.0, 1.0, 1.0, 2.0])).describe(
        ["run", "walk", "fall", "get up", "sit"], "s"
    )
    assert "the largest has 2 of 5 nodes, 50% of 8 s" in text
    assert "dead end, leads to an end, with no way back: fall" in text
    assert "unreachable, cannot be reached from the rest: get up" in text
    assert "apart, has no way to the rest or from it: sit" in text


def test_graphs_without_nodes_and_edges_to_nowhere_are_refused():
    with pytest.raises(BadInput, match="the graph has no nodes"):
        find_components(0, np.zeros((0, 2), int))
    with pytest.raises(BadInput, match="edge from 1 to 3 is out of range: the nodes are 0 to 2"):
        find_components(3, np.array([(0, 1), (1, 3)]))
    for edges in (np.array([0, 1, 2]), np.array([[0.5, 1.0]]), np.zeros((2, 3), int)):
        with pytest.raises(BadInput, match="integers: from, to"):
            find_components(3, edges)
    with pytest.raises(BadInput, match="finite numbers, one per node"):
        find_components(2, np.array([(0, 1)]), np.array([1.0, np.nan]))
