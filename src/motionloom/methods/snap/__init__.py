"""Snap-together motion: hub graphs whose clips join by a plain cut (Gleicher et al. 2003).

`author` holds the request of a graph and the match sets of its hubs, `builder` bends takes until they pass through
common poses, `graph` is the graph that comes of it, `play` plays it and searches for graph walks.
"""

from motionloom.methods.snap.author.compared_view import compare_view
from motionloom.methods.snap.author.graph_request import ClipsOfAction, GraphRequest, Hub, TakeFrame
from motionloom.methods.snap.author.hub_resolution import resolve_hubs, suggest_hubs
from motionloom.methods.snap.graph.clip_controls import Control
from motionloom.methods.snap.graph.hub_graph import HubGraph
from motionloom.methods.snap.graph.hubs_file import read_hubs, write_hubs
from motionloom.methods.snap.judge import judge
from motionloom.methods.snap.model import Model
from motionloom.methods.snap.perform import perform
from motionloom.methods.snap.play.player import Player
from motionloom.methods.snap.prepare import material_of, prepare
from motionloom.methods.snap.request import Request, Settings, Start, Step, Wish
from motionloom.methods.snap.search import search

__all__ = [
    "ClipsOfAction",
    "Control",
    "GraphRequest",
    "Hub",
    "HubGraph",
    "Model",
    "Player",
    "Request",
    "Settings",
    "Start",
    "Step",
    "TakeFrame",
    "Wish",
    "compare_view",
    "judge",
    "material_of",
    "perform",
    "prepare",
    "read_hubs",
    "resolve_hubs",
    "search",
    "suggest_hubs",
    "write_hubs",
]
