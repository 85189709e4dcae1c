"""How good a motion is: feet that skate or sink, joins that jolt, poses that nobody takes."""

from motionloom.quality.foot_skate import FarthestStep, Skate, measure_skate
from motionloom.quality.penetration import Penetration, measure_penetration

__all__ = ["FarthestStep", "Penetration", "Skate", "measure_penetration", "measure_skate"]
