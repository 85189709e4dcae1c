"""Graphs of what may follow what: transition graphs, graph walks through them, searches."""

from motionloom.graphs.components import Components, find_components, roles_towards
from motionloom.graphs.graph_walk import GraphWalk, PlacedClip, clips_along, random_walk, walk_along
from motionloom.graphs.pruning import LeftOut, Pruned, PruneReport, prune
from motionloom.graphs.search import cheapest_chain, shortest_walk
from motionloom.graphs.transition_graph import Matches, TransitionGraph, connect, merge_chains

__all__ = [
    "Components",
    "GraphWalk",
    "LeftOut",
    "Matches",
    "PlacedClip",
    "PruneReport",
    "Pruned",
    "TransitionGraph",
    "cheapest_chain",
    "clips_along",
    "connect",
    "find_components",
    "merge_chains",
    "prune",
    "random_walk",
    "roles_towards",
    "shortest_walk",
    "walk_along",
]
