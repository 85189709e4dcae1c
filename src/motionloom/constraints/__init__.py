"""Demands on a motion, and how to meet them."""

from motionloom.constraints.footplants import FootplantSettings, Planted, PlantReport, plant_feet
from motionloom.constraints.plants import Footplant

__all__ = ["Footplant", "FootplantSettings", "PlantReport", "Planted", "plant_feet"]
