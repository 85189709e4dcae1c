"""Motion synthesis from annotations: paint labels on a timeline, get the motion."""

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.answer import Answer, labels_of, make_plan
from motionloom.methods.timeline.objective.costs import Costs, cost_of
from motionloom.methods.timeline.objective.problem import Problem, pose_problem
from motionloom.methods.timeline.passes.forward_backward import Recall, Stopped, Tables, make_tables, update_tables
from motionloom.methods.timeline.prepare import material_of, prepare, prepare_for, prepare_view
from motionloom.methods.timeline.realize import Performed, glance, judge, perform, realize, sketch
from motionloom.methods.timeline.report.coverage import Coverage, LabelCoverage, count_labels, find_coverage
from motionloom.methods.timeline.report.reasons import Reason, explain
from motionloom.methods.timeline.report.sheet import draw_sheet
from motionloom.methods.timeline.request import ForcedFrames, Paint, Place, Request, Settings, schema
from motionloom.methods.timeline.solve import search, solve
from motionloom.methods.timeline.solvers.global_search import search_others, search_tables

__all__ = [
    "Answer",
    "Costs",
    "Coverage",
    "ForcedFrames",
    "LabelCoverage",
    "Model",
    "Paint",
    "Performed",
    "Place",
    "Problem",
    "Reason",
    "Recall",
    "Request",
    "Settings",
    "Stopped",
    "Tables",
    "cost_of",
    "count_labels",
    "draw_sheet",
    "explain",
    "find_coverage",
    "glance",
    "judge",
    "labels_of",
    "make_plan",
    "make_tables",
    "material_of",
    "perform",
    "pose_problem",
    "prepare",
    "prepare_for",
    "prepare_view",
    "realize",
    "schema",
    "search",
    "search_others",
    "search_tables",
    "sketch",
    "solve",
    "update_tables",
]
