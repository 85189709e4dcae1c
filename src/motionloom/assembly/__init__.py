"""From a request to frames: the protocol of methods, running them, plans, joins, and results with their reports."""

from motionloom.assembly.assemble import assemble, check_plan, measure_played, play
from motionloom.assembly.cleaning import clean_feet
from motionloom.assembly.clips import plan_clips
from motionloom.assembly.join import KINDS, Join
from motionloom.assembly.join_choice import ChosenJoins, choose_joins, usual_joins
from motionloom.assembly.keeping import (
    Kept,
    check_new_take,
    is_composed,
    keep_characters,
    keep_result,
    load_result,
    read_result,
    take_names,
    write_result,
)
from motionloom.assembly.material import choose_material
from motionloom.assembly.method import BEST, OTHER, Answer, Material, Method, Performed
from motionloom.assembly.plan import Bent, Generated, Piece, Plan, Recorded, fit_joins
from motionloom.assembly.plan_files import read_plan, write_plan
from motionloom.assembly.played import Played
from motionloom.assembly.result import Character, HeldLabel, Measured, Part, Report, Result, Timing
from motionloom.assembly.run import measure_performed, prepare_for, realize, solve
from motionloom.assembly.yardsticks import Yardsticks, learn_yardsticks

__all__ = [
    "BEST",
    "KINDS",
    "OTHER",
    "Answer",
    "Bent",
    "Character",
    "ChosenJoins",
    "Generated",
    "HeldLabel",
    "Join",
    "Kept",
    "Material",
    "Measured",
    "Method",
    "Part",
    "Performed",
    "Piece",
    "Plan",
    "Played",
    "Recorded",
    "Report",
    "Result",
    "Timing",
    "Yardsticks",
    "assemble",
    "check_new_take",
    "check_plan",
    "choose_joins",
    "choose_material",
    "clean_feet",
    "fit_joins",
    "is_composed",
    "keep_characters",
    "keep_result",
    "learn_yardsticks",
    "load_result",
    "measure_performed",
    "measure_played",
    "plan_clips",
    "play",
    "prepare_for",
    "read_plan",
    "read_result",
    "realize",
    "solve",
    "take_names",
    "usual_joins",
    "write_plan",
    "write_result",
]
