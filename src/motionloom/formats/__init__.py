"""File formats: one module per format, and the detection of units, up axis, rest frame and frame rate."""

from motionloom.formats.options import ReadOptions
from motionloom.formats.registry import READABLE, WRITABLE, read, read_skeleton, write
from motionloom.formats.take import Finding, Source, Take

__all__ = ["READABLE", "WRITABLE", "Finding", "ReadOptions", "Source", "Take", "read", "read_skeleton", "write"]
