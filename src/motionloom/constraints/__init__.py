"""Constraints on a motion and their solvers: inverse kinematics, footplants, path editing."""

from motionloom.constraints.footplant_demands import Footplant
from motionloom.constraints.footplants import FootplantSettings, Planted, PlantReport, plant_feet
from motionloom.constraints.ik import IkSettings, Solved, solve_ik
from motionloom.constraints.ik_targets import OrientationTarget, PositionTarget
from motionloom.constraints.overstretch import Overstretch, Straightened, correct_overstretch
from motionloom.constraints.path_editing import BentMotion, GroundTarget, PathSettings, bend_path

__all__ = [
    "BentMotion",
    "Footplant",
    "FootplantSettings",
    "GroundTarget",
    "IkSettings",
    "OrientationTarget",
    "Overstretch",
    "PathSettings",
    "PlantReport",
    "Planted",
    "PositionTarget",
    "Solved",
    "Straightened",
    "bend_path",
    "correct_overstretch",
    "plant_feet",
    "solve_ik",
]
