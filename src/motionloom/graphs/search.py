"""Searches that are independent of motion: dynamic programming over slots, shortest paths in a graph."""

from collections.abc import Iterable, Sequence

import numpy as np

from motionloom.errors import BadInput, Unsatisfiable
from motionloom.graphs.components import check_edges


def cheapest_chain(slot_costs: np.ndarray, step_costs: np.ndarray) -> np.ndarray:
    """Choose one candidate per slot so that the chain has the least total cost (Viterbi); ties go to lower numbers.

    Dynamic programming from the last slot backwards: the cost to go of every candidate is known before one is chosen.

    Args:
        slot_costs: (S, C) cost of candidate c in slot s; infinite if it is not allowed.
        step_costs: (C, C) cost of candidate b following candidate a, or (S - 1, C, C) if it depends on the slot;
            infinite if it is not allowed.

    Returns:
        (S,) int, the chosen candidates.
    """
    slot_costs, step_costs = np.asarray(slot_costs, float), np.asarray(step_costs, float)
    _check_costs(slot_costs, step_costs)
    n_slots, n_candidates = slot_costs.shape
    steps = np.broadcast_to(step_costs, (n_slots - 1, n_candidates, n_candidates))
    cost_to_go = slot_costs.copy()  # (S, C) from each candidate in each slot to the end
    for slot in range(n_slots - 2, -1, -1):
        cost_to_go[slot] += (steps[slot] + cost_to_go[slot + 1]).min(axis=1)
    if not np.isfinite(cost_to_go[0].min()):
        raise Unsatisfiable(f"no chain of candidates fills all {n_slots} slots at a finite cost; allow more candidates")
    chain = [int(cost_to_go[0].argmin())]
    for slot in range(n_slots - 1):
        chain.append(int((steps[slot, chain[-1]] + cost_to_go[slot + 1]).argmin()))
    return np.array(chain)


def shortest_walk(n_nodes: int, edges: np.ndarray, costs: np.ndarray, start: int, goals: Iterable[int]) -> np.ndarray:
    """Find the cheapest graph walk from a node to any of several (Dijkstra).

    Args:
        n_nodes: nodes are 0 ... n_nodes - 1.
        edges: (E, 2) int: from, to.
        costs: (E,) of the edges, 0 or more.
        start: first node; a start that is a goal takes no edge.
        goals: nodes where it may end.

    Returns:
        (K,) int: the edges taken, in order.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    edges, costs, ends = check_edges(n_nodes, edges), np.asarray(costs, float), sorted(set(goals))
    _check_walk(n_nodes, edges, costs, start, ends)
    best = _cheapest_parallel(edges, costs)
    matrix = csr_array((costs[best], (edges[best, 0], edges[best, 1])), shape=(n_nodes, n_nodes))
    cost_so_far, before = dijkstra(matrix, indices=start, return_predecessors=True)
    goal = min(ends, key=lambda node: (cost_so_far[node], node))
    if not np.isfinite(cost_so_far[goal]):
        raise Unsatisfiable(f"no path from node {start} to any of the {len(ends)} goals; is the graph pruned?")
    number = {(int(a), int(b)): int(edge) for edge, (a, b) in zip(best, edges[best])}
    taken = []
    while goal != start:
        taken.append(number[int(before[goal]), goal])
        goal = int(before[goal])
    return np.array(taken[::-1], int)


def costs_to(n_nodes: int, edges: np.ndarray, costs: np.ndarray, goals: Sequence[int]) -> np.ndarray:
    """Costs of the cheapest graph walks from every node to each of several (Dijkstra); infinite if there is none.

    Args:
        n_nodes: nodes are 0 ... n_nodes - 1.
        edges: (E, 2) int: from, to.
        costs: (E,) of the edges, 0 or more.
        goals: G nodes.

    Returns:
        (n_nodes, G); 0 from a goal to itself.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    edges, costs = check_edges(n_nodes, edges), np.asarray(costs, float)
    if not len(goals):
        return np.zeros((n_nodes, 0))
    _check_walk(n_nodes, edges, costs, goals[0], list(goals))
    best = _cheapest_parallel(edges, costs)
    backwards = csr_array((costs[best], (edges[best, 1], edges[best, 0])), shape=(n_nodes, n_nodes))
    return np.asarray(dijkstra(backwards, indices=list(goals))).T


def _check_costs(slot_costs: np.ndarray, step_costs: np.ndarray) -> None:
    if slot_costs.ndim != 2 or not slot_costs.size:
        raise BadInput(
            f"slot costs have shape {slot_costs.shape}, expected (S, C) with at least one slot and one candidate"
        )
    n_slots, n_candidates = slot_costs.shape
    pairs = (n_candidates, n_candidates)
    if step_costs.shape not in (pairs, (n_slots - 1, *pairs)):
        raise BadInput(f"step costs have shape {step_costs.shape}, expected {pairs} or {(n_slots - 1, *pairs)}")
    if np.isnan(slot_costs).any() or np.isnan(step_costs).any():
        raise BadInput("a cost is nan; the cost of what is not allowed must be infinite")


def _check_walk(n_nodes: int, edges: np.ndarray, costs: np.ndarray, start: int, goals: list[int]) -> None:
    if costs.shape != (len(edges),) or not (costs >= 0).all():
        raise BadInput(f"costs have shape {costs.shape}, expected ({len(edges)},): one per edge, 0 or more")
    strangers = [node for node in (start, *goals) if not 0 <= node < n_nodes]
    if strangers or not goals:
        raise BadInput(
            f"node {strangers[0]} is out of range: the nodes are 0 to {n_nodes - 1}"
            if strangers
            else "no goal given; give at least one"
        )


def _cheapest_parallel(edges: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """One edge per pair of nodes: the cheapest, ties go to the first."""
    order = np.lexsort((np.arange(len(edges)), costs, edges[:, 1], edges[:, 0]))
    pairs = edges[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    return order[is_first]
