"""Constraints on a motion and their solvers: inverse kinematics, footplants, path editing."""

from motionloom.constraints.footplant_demands import Footplant
from motionloom.constraints.footplants import FootplantSettings, Planted, PlantReport, plant_feet
from motionloom.constraints.ik import IkSettings, Solved, solve_ik
from motionloom.constraints.ik_targets import OrientationTarget, PositionTarget
from motionloom.constraints.path_editing import BentMotion, GroundTarget, PathSettings, bend_path

__all__ = [
    "BentMotion",
    "Footplant",
    "FootplantSettings",
    "GroundTarget",
    "IkSettings",
    "OrientationTarget",
    "PathSettings",
    "PlantReport",
    "Planted",
    "PositionTarget",
    "Solved",
    "bend_path",
    "plant_feet",
    "solve_ik",
]
