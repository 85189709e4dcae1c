"""What files do not say: units, the up axis, a T-pose that is not motion, and the true frame rate."""

from motionloom.formats.recognise.interval import rate_from_interval
from motionloom.formats.recognise.settle import Origin, settle

__all__ = ["Origin", "rate_from_interval", "settle"]
