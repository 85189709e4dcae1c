"""From a plan to frames: pieces, joins, and the result with its provenance and its report."""

from motionloom.assembly.assemble import assemble, check_plan
from motionloom.assembly.join import KINDS, Join
from motionloom.assembly.plan import Generated, Piece, Plan, Recorded, fit_joins
from motionloom.assembly.result import Part, Quality, Report, Result, Timing

__all__ = [
    "KINDS",
    "Generated",
    "Join",
    "Part",
    "Piece",
    "Plan",
    "Quality",
    "Recorded",
    "Report",
    "Result",
    "Timing",
    "assemble",
    "check_plan",
    "fit_joins",
]
