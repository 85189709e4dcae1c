"""Motion synthesis from annotations: paint labels on a timeline, get the motion."""

from motionloom.methods.timeline.judge import judge
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.perform import perform
from motionloom.methods.timeline.prepare import material_of, prepare
from motionloom.methods.timeline.report.sheet import draw_sheet
from motionloom.methods.timeline.request import ForcedFrames, Paint, Place, Request, Settings
from motionloom.methods.timeline.search import search

WARM_UP = ({"length": "2s"}, {"length": "2s", "places": [{"position": [1.0, 1.0]}]})  # requests that compile all

__all__ = [
    "WARM_UP",
    "ForcedFrames",
    "Model",
    "Paint",
    "Place",
    "Request",
    "Settings",
    "draw_sheet",
    "judge",
    "material_of",
    "perform",
    "prepare",
    "search",
]
