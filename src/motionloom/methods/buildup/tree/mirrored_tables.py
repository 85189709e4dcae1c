"""Mirrored tables: a graph whose time runs backwards, so that trees can be grown towards a pose; and graphs with less.

Frame f of N becomes N - 1 - f and node n of K becomes K - 1 - n. What follows in the one comes before in the other, so
a tree that is grown over mirrored tables unrolls what can lead to a pose.
"""

from dataclasses import replace

import numpy as np

from motionloom.methods.buildup.tree.graph_tables import GraphTables
from motionloom.motion.placement import turn_ground


def mirror(tables: GraphTables) -> tuple[GraphTables, np.ndarray]:
    """Tables with time turned round, and (E,) int: for each of their edges the edge that it was."""
    graph, n_frames = tables.graph, len(tables.facings)
    sources, targets = graph.n_nodes - 1 - graph.targets, graph.n_nodes - 1 - graph.sources
    order = np.lexsort((targets, sources))
    turned = replace(
        graph,
        starts=n_frames - graph.stops[::-1],
        stops=n_frames - graph.starts[::-1],
        sources=sources[order],
        targets=targets[order],
        distances=graph.distances[order],
        headings=-graph.headings[order],
        slides=turn_ground(-graph.slides, -graph.headings)[order],
        motion_starts=n_frames - graph.motion_starts[::-1],
        names=graph.names[::-1],
    )
    facings, groups = np.ascontiguousarray(tables.facings[::-1]), np.ascontiguousarray(tables.groups[::-1])
    return GraphTables(turned, facings, groups, tables.n_groups), order


def leave_out(tables: GraphTables, is_left_out: np.ndarray) -> GraphTables:
    """Tables without the edges that lead to nodes, or from nodes, that play any frame left out.

    Args:
        tables: of N frames.
        is_left_out: (N,) bool.
    """
    graph = tables.graph
    counts = np.concatenate([[0], np.cumsum(is_left_out)])
    is_free = counts[graph.stops] == counts[graph.starts]
    kept = is_free[graph.sources] & is_free[graph.targets]
    arrays = {name: getattr(graph, name)[kept] for name in ("sources", "targets", "distances", "headings", "slides")}
    return GraphTables(replace(graph, **arrays), tables.facings, tables.groups, tables.n_groups)
