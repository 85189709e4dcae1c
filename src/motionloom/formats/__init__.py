"""File formats: one module per format, and the detection of units, up axis, rest frame and frame rate."""

from motionloom.formats.options import ReadOptions
from motionloom.formats.registry import (
    FOR_BODIES,
    FOR_POINTS,
    READABLE,
    WRITABLE,
    holds_curves,
    looks_readable,
    read,
    read_curves,
    read_skeleton,
    write,
    write_curves,
)
from motionloom.formats.take import Finding, Source, Take

__all__ = [
    "FOR_BODIES",
    "FOR_POINTS",
    "READABLE",
    "WRITABLE",
    "Finding",
    "ReadOptions",
    "Source",
    "Take",
    "holds_curves",
    "looks_readable",
    "read",
    "read_curves",
    "read_skeleton",
    "write",
    "write_curves",
]
