"""How good a motion is: feet that skate or sink, joins that jolt, poses that nobody takes."""

from motionloom.quality.foot_skate import FarthestStep, Skate, measure_skate

__all__ = ["FarthestStep", "Skate", "measure_skate"]
