"""Snap-together motion: hub graphs whose clips join by a plain cut."""

from motionloom.methods.snap.building import BuildReport, BuildSettings, Built, HubSet, build
from motionloom.methods.snap.comparing import Compared, compare_view
from motionloom.methods.snap.graph_request import ClipsOfAction, GraphRequest, Hub, TakeFrame
from motionloom.methods.snap.hub_graph import Action, Clip, HubGraph, Node
from motionloom.methods.snap.mending import Fix, MendReport, inspect_graph, propose_fixes, remove_loose, with_fixes
from motionloom.methods.snap.model import GraphReport, Model
from motionloom.methods.snap.naming import name_graph
from motionloom.methods.snap.prepare import prepare, prepare_compared, view_for
from motionloom.methods.snap.realize import realize
from motionloom.methods.snap.request import Request, Settings, Start, Step, Wish
from motionloom.methods.snap.sets import ResolvedHub, Suggestion, require_hubs, resolve_hubs, suggest_hubs, trade_off
from motionloom.methods.snap.solve import solve
from motionloom.methods.snap.statistics import GraphStatistics, measure_graph

__all__ = [
    "Action",
    "BuildReport",
    "BuildSettings",
    "Built",
    "Clip",
    "ClipsOfAction",
    "Compared",
    "Fix",
    "GraphReport",
    "GraphRequest",
    "GraphStatistics",
    "Hub",
    "HubGraph",
    "HubSet",
    "MendReport",
    "Model",
    "Node",
    "Request",
    "ResolvedHub",
    "Settings",
    "Start",
    "Step",
    "Suggestion",
    "TakeFrame",
    "Wish",
    "build",
    "compare_view",
    "inspect_graph",
    "measure_graph",
    "name_graph",
    "prepare",
    "prepare_compared",
    "propose_fixes",
    "realize",
    "remove_loose",
    "require_hubs",
    "resolve_hubs",
    "solve",
    "suggest_hubs",
    "trade_off",
    "view_for",
    "with_fixes",
]
