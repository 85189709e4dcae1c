"""Searches, against trying everything."""

import itertools

import numpy as np
import pytest

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs import cheapest_chain, costs_to, shortest_walk


def cost_of(chain, slot_costs, step_costs) -> float:
    steps = np.broadcast_to(step_costs, (len(slot_costs) - 1, *step_costs.shape[-2:]))
    pairs = zip(chain[:-1], chain[1:])
    return sum(slot_costs[s, c] for s, c in enumerate(chain)) + sum(steps[s, a, b] for s, (a, b) in enumerate(pairs))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("varying", [False, True])
def test_a_chain_is_as_cheap_as_the_cheapest_of_all(seed, varying):
    rng = np.random.default_rng(seed)
    slot_costs = np.where(rng.random((5, 4)) < 0.2, np.inf, rng.random((5, 4)))
    step_costs = rng.random((4, 4, 4) if varying else (4, 4))
    step_costs[..., 2, 1] = np.inf
    every = [cost_of(chain, slot_costs, step_costs) for chain in itertools.product(range(4), repeat=5)]
    found = cheapest_chain(slot_costs, step_costs)
    assert cost_of(found, slot_costs, step_costs) == pytest.approx(min(every))


def test_of_equal_chains_the_one_with_the_lowest_numbers_is_chosen():
    assert cheapest_chain(np.zeros((3, 4)), np.zeros((4, 4))).tolist() == [0, 0, 0]


def test_a_chain_of_one_slot_takes_the_cheapest_candidate():
    assert cheapest_chain(np.array([[3.0, 1.0, 2.0]]), np.zeros((3, 3))).tolist() == [1]


def test_chains_that_cannot_be_are_refused():
    with pytest.raises(Unsatisfiable, match="fills all 2 slots"):
        cheapest_chain(np.zeros((2, 2)), np.full((2, 2), np.inf))
    with pytest.raises(BadInput, match=r"step costs have shape \(3, 3\), expected \(2, 2\)"):
        cheapest_chain(np.zeros((2, 2)), np.zeros((3, 3)))
    with pytest.raises(BadInput, match="a cost is nan"):
        cheapest_chain(np.array([[np.nan]]), np.zeros((1, 1)))
    with pytest.raises(BadInput, match="at least one slot"):
        cheapest_chain(np.zeros((0, 2)), np.zeros((2, 2)))


@pytest.mark.parametrize("seed", range(8))
def test_a_walk_is_as_cheap_as_bellman_and_ford_say(seed):
    rng = np.random.default_rng(seed)
    edges, costs = (
        rng.integers(0, 12, (40, 2)),
        np.where(rng.random(40) < 0.3, 0.0, rng.random(40)),
    )  # parallel ones too
    spent = np.full(12, np.inf)
    spent[0] = 0.0
    for _ in range(12):
        for (a, b), cost in zip(edges, costs):
            spent[b] = min(spent[b], spent[a] + cost)
    goals = [7, 9, 11]
    taken = shortest_walk(12, edges, costs, 0, goals)
    at = 0
    for edge in taken:
        assert edges[edge, 0] == at
        at = edges[edge, 1]
    assert at in goals
    assert costs[taken].sum() == pytest.approx(min(spent[goal] for goal in goals))


def test_a_walk_to_where_one_is_takes_no_edge():
    assert len(shortest_walk(3, np.array([(0, 1)]), np.ones(1), 2, [2])) == 0


def test_walks_that_cannot_be_are_refused():
    edges = np.array([(0, 1)])
    with pytest.raises(Unsatisfiable, match="no path from node 1 to any of the 1 goals"):
        shortest_walk(2, edges, np.ones(1), 1, [0])
    with pytest.raises(BadInput, match="0 or more"):
        shortest_walk(2, edges, -np.ones(1), 0, [1])
    with pytest.raises(BadInput, match="node 5 is out of range"):
        shortest_walk(2, edges, np.ones(1), 0, [5])
    with pytest.raises(BadInput, match="no goal given"):
        shortest_walk(2, edges, np.ones(1), 0, [])


@pytest.mark.parametrize("seed", range(5))
def test_costs_to_goals_are_those_of_the_cheapest_walks(seed):
    rng = np.random.default_rng(seed)
    edges, costs, goals = rng.integers(9, size=(20, 2)), rng.random(20), [3, 0]
    found = costs_to(9, edges, costs, goals)
    assert found.shape == (9, 2)
    for start, (column, goal) in itertools.product(range(9), enumerate(goals)):
        if np.isfinite(found[start, column]):
            walk = shortest_walk(9, edges, costs, start, [goal])
            assert costs[walk].sum() == pytest.approx(found[start, column])
        else:
            with pytest.raises(Unsatisfiable):
                shortest_walk(9, edges, costs, start, [goal])
    assert costs_to(9, edges, costs, []).shape == (9, 0)
