"""What files do not say: units, the up axis, a T-pose that is not motion, and the true frame rate."""

from motionloom.formats.detection.conversion import Origin, scale, settle
from motionloom.formats.detection.frame_time import rate_from_interval
from motionloom.formats.detection.up_axis import turn_to_y

__all__ = ["Origin", "rate_from_interval", "scale", "settle", "turn_to_y"]
