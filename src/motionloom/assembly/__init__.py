"""From a request to frames: the protocol of methods, running them, plans, joins, and results with their reports."""

from motionloom.assembly.derived.foot_skate_cleanup import clean_feet
from motionloom.assembly.learning import is_learning_due, learn_again
from motionloom.assembly.material import ChosenTakes, choose_material, choose_takes_of_a_kind, means_points
from motionloom.assembly.method import BEST, OTHER, Answer, Material, Method, Performed
from motionloom.assembly.plans.clip_plan import plan_clips
from motionloom.assembly.plans.join import KINDS, Join
from motionloom.assembly.plans.plan import Bent, Generated, Piece, Plan, Recorded, fit_joins
from motionloom.assembly.plans.plan_files import read_plan, write_plan
from motionloom.assembly.playing.assemble import assemble, check_plan, measure_played, play
from motionloom.assembly.playing.join_choice import ChosenJoins, choose_joins, usual_joins
from motionloom.assembly.playing.played import Played
from motionloom.assembly.results.held_labels import held_labels
from motionloom.assembly.results.kept_results import (
    Kept,
    check_new_take,
    check_new_takes,
    keep_characters,
    keep_result,
    load_result,
    read_result,
    take_names,
    write_result,
)
from motionloom.assembly.results.result import Character, HeldLabel, Measured, Part, Report, Result, Timing
from motionloom.assembly.results.yardsticks import Yardsticks, learn_yardsticks
from motionloom.assembly.run import Ranking, follow, measure_performed, prepare_for, realize, solve

__all__ = [
    "BEST",
    "KINDS",
    "OTHER",
    "Answer",
    "Bent",
    "Character",
    "ChosenJoins",
    "ChosenTakes",
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
    "Ranking",
    "Recorded",
    "Report",
    "Result",
    "Timing",
    "Yardsticks",
    "assemble",
    "check_new_take",
    "check_new_takes",
    "check_plan",
    "choose_joins",
    "choose_material",
    "choose_takes_of_a_kind",
    "clean_feet",
    "fit_joins",
    "follow",
    "held_labels",
    "is_learning_due",
    "keep_characters",
    "keep_result",
    "learn_again",
    "learn_yardsticks",
    "load_result",
    "means_points",
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
