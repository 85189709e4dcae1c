"""From a plan to frames: pieces, joins, and the result with its provenance and its report."""

from motionloom.assembly.assemble import Played, assemble, check_plan, measure_played, play
from motionloom.assembly.cleaning import clean_feet
from motionloom.assembly.clips import plan_clips
from motionloom.assembly.join import KINDS, Join
from motionloom.assembly.keeping import is_composed, keep_result, load_result, read_result, write_result
from motionloom.assembly.material import choose_material
from motionloom.assembly.plan import Bent, Generated, Piece, Plan, Recorded, fit_joins
from motionloom.assembly.plan_files import read_plan, write_plan
from motionloom.assembly.result import Measured, Part, Report, Result, Timing
from motionloom.assembly.yardsticks import Yardsticks, learn_yardsticks

__all__ = [
    "KINDS",
    "Bent",
    "Generated",
    "Join",
    "Measured",
    "Part",
    "Piece",
    "Plan",
    "Played",
    "Recorded",
    "Report",
    "Result",
    "Timing",
    "Yardsticks",
    "assemble",
    "check_plan",
    "choose_material",
    "clean_feet",
    "fit_joins",
    "is_composed",
    "keep_result",
    "learn_yardsticks",
    "load_result",
    "measure_played",
    "plan_clips",
    "play",
    "read_plan",
    "read_result",
    "write_plan",
    "write_result",
]
