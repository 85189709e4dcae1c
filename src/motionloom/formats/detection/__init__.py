"""Detection of what files do not state: units, up axis, a rest pose in the first frame, and the true frame rate."""

from motionloom.formats.detection.conversion import FileProperties, convert
from motionloom.formats.detection.frame_time import USUAL_RATES, rate_from_interval
from motionloom.formats.detection.units import scale
from motionloom.formats.detection.up_axis import turn_to_y

__all__ = ["USUAL_RATES", "FileProperties", "convert", "rate_from_interval", "scale", "turn_to_y"]
