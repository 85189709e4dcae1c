"""Snap-together motion: hub graphs whose clips join by a plain cut."""

from motionloom.methods.snap.author.clip_names import name_graph
from motionloom.methods.snap.author.compared_view import ComparedView, compare_view
from motionloom.methods.snap.author.graph_request import ClipsOfAction, GraphRequest, Hub, TakeFrame
from motionloom.methods.snap.author.hub_resolution import (
    ResolvedHub,
    Suggestion,
    require_hubs,
    resolve_hubs,
    suggest_hubs,
    trade_off,
    why_nothing,
)
from motionloom.methods.snap.author.match_sets import AcceptedSet
from motionloom.methods.snap.build.connectivity import (
    ConnectivityReport,
    Fix,
    inspect_graph,
    propose_fixes,
    remove_loose,
    with_fixes,
)
from motionloom.methods.snap.build.hub_graph_builder import BuildReport, BuildSettings, Built, build
from motionloom.methods.snap.graph.clip_controls import ClipControls, Control, measure_controls
from motionloom.methods.snap.graph.hub_graph import Action, Clip, HubGraph, Node
from motionloom.methods.snap.graph.hubs_file import hubs_bytes, read_hubs, write_hubs
from motionloom.methods.snap.graph.statistics import GraphStatistics, measure_graph
from motionloom.methods.snap.model import GraphReport, Model
from motionloom.methods.snap.play.place_search import PlaceWalk
from motionloom.methods.snap.play.planner import Planner
from motionloom.methods.snap.play.player import Event, Player, Pose, State
from motionloom.methods.snap.prepare import prepare, prepare_compared, view_for
from motionloom.methods.snap.realize import realize
from motionloom.methods.snap.request import Request, Settings, Start, Step, Wish
from motionloom.methods.snap.solve import solve

__all__ = [
    "AcceptedSet",
    "Action",
    "BuildReport",
    "BuildSettings",
    "Built",
    "Clip",
    "ClipControls",
    "ClipsOfAction",
    "ComparedView",
    "ConnectivityReport",
    "Control",
    "Event",
    "Fix",
    "GraphReport",
    "GraphRequest",
    "GraphStatistics",
    "Hub",
    "HubGraph",
    "Model",
    "Node",
    "PlaceWalk",
    "Planner",
    "Player",
    "Pose",
    "Request",
    "ResolvedHub",
    "Settings",
    "Start",
    "State",
    "Step",
    "Suggestion",
    "TakeFrame",
    "Wish",
    "build",
    "compare_view",
    "hubs_bytes",
    "inspect_graph",
    "measure_controls",
    "measure_graph",
    "name_graph",
    "prepare",
    "prepare_compared",
    "propose_fixes",
    "read_hubs",
    "realize",
    "remove_loose",
    "require_hubs",
    "resolve_hubs",
    "solve",
    "suggest_hubs",
    "trade_off",
    "view_for",
    "why_nothing",
    "with_fixes",
    "write_hubs",
]
