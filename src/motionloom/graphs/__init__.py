"""Transition graphs (motion graphs), graph walks, components, pruning and shortest-path searches."""

from motionloom.graphs.components import Components, find_components, find_reachability
from motionloom.graphs.graph_walk import GraphWalk, PlacedClip, clips_along, random_walk, walk_along
from motionloom.graphs.pruning import LeftOut, Pruned, PruneReport, prune
from motionloom.graphs.search import cheapest_chain, costs_to, shortest_walk
from motionloom.graphs.transition_graph import Matches, TransitionGraph, connect, merge_chains
from motionloom.graphs.transition_graph_builder import GraphSettings, find_matches, transition_graph_of
from motionloom.graphs.view_measures import AngleSettings, MeasureSettings, measure_view

__all__ = [
    "AngleSettings",
    "Components",
    "GraphSettings",
    "GraphWalk",
    "LeftOut",
    "Matches",
    "MeasureSettings",
    "PlacedClip",
    "PruneReport",
    "Pruned",
    "TransitionGraph",
    "cheapest_chain",
    "clips_along",
    "connect",
    "costs_to",
    "find_components",
    "find_matches",
    "find_reachability",
    "measure_view",
    "merge_chains",
    "prune",
    "random_walk",
    "shortest_walk",
    "transition_graph_of",
    "walk_along",
]
