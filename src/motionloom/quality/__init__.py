"""Quality of a motion: foot skate, ground penetration, bodies in the air, discontinuities at joins, odd poses."""

from motionloom.quality.acceleration_bars import BarSettings, MotionBars, learn_bars
from motionloom.quality.air import Hover, InTheAir, measure_air
from motionloom.quality.foot_skate import FarthestStep, Skate, measure_skate
from motionloom.quality.hinge_range import HingeRange, measure_hinges
from motionloom.quality.joins import JoinComparison, JoinPeak, PeakSummary, compare_joins, compare_within, measure_joins
from motionloom.quality.nearest_real import NearestReal, RealFrames, find_nearest
from motionloom.quality.penetration import Penetration, measure_penetration
from motionloom.quality.pose_limits import BeyondLimits, measure_limits
from motionloom.quality.quality import Quality, compare_text, measure_quality

__all__ = [
    "BarSettings",
    "BeyondLimits",
    "FarthestStep",
    "HingeRange",
    "Hover",
    "InTheAir",
    "JoinComparison",
    "JoinPeak",
    "MotionBars",
    "NearestReal",
    "PeakSummary",
    "Penetration",
    "Quality",
    "RealFrames",
    "Skate",
    "compare_joins",
    "compare_text",
    "compare_within",
    "find_nearest",
    "learn_bars",
    "measure_air",
    "measure_hinges",
    "measure_joins",
    "measure_limits",
    "measure_penetration",
    "measure_quality",
    "measure_skate",
]
