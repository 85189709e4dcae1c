"""What files do not say: units, the up axis, a T-pose that is not motion, and the true frame rate."""

from motionloom.formats.recognise.interval import rate_from_interval
from motionloom.formats.recognise.settle import Origin, scale, settle
from motionloom.formats.recognise.up_axis import turn_to_y

__all__ = ["Origin", "rate_from_interval", "scale", "settle", "turn_to_y"]
