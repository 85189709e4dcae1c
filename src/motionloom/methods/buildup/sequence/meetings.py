"""Meetings: where a tree that goes on from one pose and a tree that leads to another come to the same frames."""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.buildup.tree.search_tree import SearchTree


@dataclass(frozen=True)
class MeetingRules:
    """What two paths must keep to where they meet, and what is preferred."""

    gap: int  # frames between transitions
    shortest: int  # frames that both paths play together
    longest: int
    farthest: float = 0.6  # metres by which they may miss each other at most, with turns
    lever: float = 0.3  # metres that count as much as missing by one radian
    frames_per_metre: float = 120.0  # that a path may be longer to miss by a metre less


@dataclass(frozen=True, eq=False)
class Meetings:
    """M pairs of tree nodes that play the same graph node, the best first."""

    forward: np.ndarray  # (M,) int: of the tree that goes on
    backward: np.ndarray  # (M,) int: of the tree over mirrored tables
    costs: np.ndarray  # (M,) frames, and what missing counts


def find_meetings(
    forward: SearchTree, backward: SearchTree, rules: MeetingRules, count: int, prices: np.ndarray | None = None
) -> Meetings:
    """The best partner of each forward node in a tree that leads to a pose; of all these the best.

    Where both play the same graph node, what they miss each other by is measured in the middle of it, because the
    motion is bent on both sides of it.

    Args:
        forward: over the tables of a graph.
        backward: over its mirrored tables.
        rules: for the pairs.
        count: pairs at most.
        prices: (T,) frames that each forward node counts more; None for none.
    """
    from motionloom.methods.buildup.sequence import _kernels

    tables = forward.tables
    n_graph, n_frames = tables.graph.n_nodes, len(tables.facings)
    nodes = n_graph - 1 - backward.nodes  # as in the graph
    order = np.argsort(nodes, kind="stable")
    firsts = np.searchsorted(nodes[order], np.arange(n_graph + 1))
    partners, costs = np.full(forward.n_nodes, -1), np.full(forward.n_nodes, np.inf)
    _kernels.meet(
        (forward.nodes, forward.begins, forward.arrivals, forward.since, forward.headings, forward.slides),
        (n_frames - backward.begins, backward.arrivals, backward.since, backward.headings, backward.slides),
        (firsts, order),
        tables.facings,
        (rules.gap, rules.shortest, rules.longest),
        (rules.farthest, rules.lever, rules.frames_per_metre),
        partners,
        costs,
    )
    costs = costs if prices is None else costs + prices
    best = np.argsort(costs, kind="stable")[: min(count, int(np.isfinite(costs).sum()))]
    return Meetings(best, partners[best], costs[best])
