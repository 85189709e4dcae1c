"""Strongly connected components of a directed graph, and the reachability of the other nodes.

All functions take a list of edges, so that they work for any kind of graph.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput

INSIDE = "inside"
DEAD_END = "dead end"
UNREACHABLE = "unreachable"
BETWEEN = "between"
APART = "apart"

WHY = {
    INSIDE: "is in a cycle",
    DEAD_END: "leads to an end, with no way back",
    UNREACHABLE: "cannot be reached from the rest",
    BETWEEN: "lies between two kept parts, with no way back to the first",
    APART: "has no way to the rest or from it",
}
_LISTED = 5  # names in a message before "and N more"


@dataclass(frozen=True, eq=False)
class Components:
    """The strongly connected components of a graph of N nodes: each node of one can reach each other.

    They are sorted: those with a cycle first, then by weight, then by their lowest node.
    """

    numbers: np.ndarray  # (N,) int: the component of each node; 0 is the one to keep
    sizes: np.ndarray  # (C,) int: nodes of each component
    weights: np.ndarray  # (C,) float: total weight of its nodes
    is_cyclic: np.ndarray  # (C,) bool: it has a cycle; a single node without a loop has none
    reachability: tuple[str, ...]  # (N,) of each node from and to component 0: INSIDE, DEAD_END, UNREACHABLE or APART

    @property
    def n_components(self) -> int:
        return len(self.sizes)

    def describe(self, names: Sequence[str], unit: str = "nodes") -> str:
        """A few lines for users: the components, and the nodes that are outside the first.

        Args:
            names: (N,) of the nodes.
            unit: of the weights.
        """
        share = self.weights[0] / max(self.weights.sum(), 1e-300)
        lines = [
            f"{self.n_components} strongly connected components; the largest has {self.sizes[0]} of "
            f"{len(self.numbers)} nodes, {share:.0%} of {self.weights.sum():g} {unit}"
            + ("" if self.is_cyclic[0] else ", and even it has no cycle")
        ]
        for kind in (DEAD_END, UNREACHABLE, APART):
            nodes = [name for name, own in zip(names, self.reachability) if own == kind]
            if nodes:
                more = f" and {len(nodes) - _LISTED} more" if len(nodes) > _LISTED else ""
                lines.append(f"{kind}, {WHY[kind]}: {', '.join(nodes[:_LISTED])}{more}")
        return "\n".join(lines)


def find_components(n_nodes: int, edges: np.ndarray, weights: np.ndarray | None = None) -> Components:
    """Find the strongly connected components of a directed graph.

    Args:
        n_nodes: nodes are 0 ... n_nodes - 1.
        edges: (E, 2) int: from, to.
        weights: (N,) of the nodes, by which components are sorted, such as seconds; None for 1 each.
    """
    from scipy.sparse.csgraph import connected_components

    edges = check_edges(n_nodes, edges)
    weights = np.ones(n_nodes) if weights is None else np.asarray(weights, float)
    if weights.shape != (n_nodes,) or not np.isfinite(weights).all():
        raise BadInput(f"weights have shape {weights.shape}, expected ({n_nodes},) finite numbers, one per node")
    n_found, found = connected_components(_matrix(n_nodes, edges), directed=True, connection="strong")
    sizes = np.bincount(found, minlength=n_found)
    total = np.bincount(found, weights=weights, minlength=n_found)
    is_cyclic = sizes > 1
    is_cyclic[found[edges[edges[:, 0] == edges[:, 1], 0]]] = True
    first = np.full(n_found, n_nodes)
    np.minimum.at(first, found, np.arange(n_nodes))
    order = np.lexsort((first, -total, ~is_cyclic))
    rank = np.empty(n_found, int)
    rank[order] = np.arange(n_found)
    numbers = rank[found]
    reachability = find_reachability(n_nodes, edges, numbers == 0)
    return Components(numbers, sizes[order], total[order], is_cyclic[order], reachability)


def find_reachability(n_nodes: int, edges: np.ndarray, kept: np.ndarray) -> tuple[str, ...]:
    """The reachability of each node from and to the kept nodes: INSIDE, DEAD_END, UNREACHABLE, BETWEEN or APART.

    Args:
        n_nodes: nodes are 0 ... n_nodes - 1.
        edges: (E, 2) int: from, to.
        kept: (N,) bool.
    """
    edges = check_edges(n_nodes, edges)
    comes_from = _reached(n_nodes, edges, kept)
    leads_to = _reached(n_nodes, edges[:, ::-1], kept)
    names = np.array([APART, UNREACHABLE, DEAD_END, BETWEEN])[2 * comes_from + leads_to]
    return tuple(np.where(kept, INSIDE, names).tolist())


def check_edges(n_nodes: int, edges: np.ndarray) -> np.ndarray:
    """The edges as (E, 2) int; raises if they are invalid."""
    edges = np.asarray(edges) if np.size(edges) else np.zeros((0, 2), int)
    if n_nodes < 1:
        raise BadInput("the graph has no nodes; give at least one")
    if edges.ndim != 2 or edges.shape[1] != 2 or not np.issubdtype(edges.dtype, np.integer):
        raise BadInput(f"edges have shape {edges.shape} and type {edges.dtype}, expected (E, 2) integers: from, to")
    if len(edges) and not 0 <= edges.min() <= edges.max() < n_nodes:
        bad = edges[((edges < 0) | (edges >= n_nodes)).any(axis=1)][0]
        raise BadInput(f"edge from {bad[0]} to {bad[1]} is out of range: the nodes are 0 to {n_nodes - 1}")
    return edges


def _reached(n_nodes: int, edges: np.ndarray, begin: np.ndarray) -> np.ndarray:
    """(N,) int, 1 for nodes that can be reached from any of the nodes (N,) bool `begin`."""
    from scipy.sparse.csgraph import breadth_first_order

    gate = np.stack([np.full(int(begin.sum()), n_nodes), np.flatnonzero(begin)], axis=1)  # a virtual source node
    order = breadth_first_order(_matrix(n_nodes + 1, np.concatenate([edges, gate])), n_nodes, return_predecessors=False)
    reached = np.zeros(n_nodes + 1, int)
    reached[order] = 1
    return reached[:n_nodes]


def _matrix(n_nodes: int, edges: np.ndarray):  # type: ignore[no-untyped-def]  # a scipy matrix; scipy is loaded late
    from scipy.sparse import csr_array

    ones = np.ones(len(edges), np.int8)
    matrix = csr_array((ones, (edges[:, 0], edges[:, 1])), shape=(n_nodes, n_nodes))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
