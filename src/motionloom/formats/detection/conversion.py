"""Conversion of a motion in file units and axes to a take in metres with y up, with a finding for what is detected."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from motionloom.errors import FormatError
from motionloom.formats import limits
from motionloom.formats.detection import rate, rest_frame, units, up_axis
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Source, Take
from motionloom.motion import Motion, cut, rest_pose


@dataclass(frozen=True)
class FileProperties:
    """Properties of a file that its reader knows, before detection."""

    path: str
    format: str
    digest: str
    stated_fps: float
    rotation_orders: tuple[str, ...] = ()
    metres_per_unit: float | None = None  # if the file states it
    up: str | None = None  # up axis, if the file states it


def convert(motion: Motion, options: ReadOptions, file: FileProperties, findings: tuple[Finding, ...] = ()) -> Take:
    """Convert a motion to metres and y up, drop a rest frame, check the frame rate, and report what was detected.

    Args:
        motion: in file units and axes, at the frame rate to be used.
        options: of the user; what is "auto" is detected.
        file: properties of the file.
        findings: of the reader.
    """
    find_up = cache(partial(_find_up, motion, options))
    metres_per_unit, found_units = units.find(motion, options, file.metres_per_unit, find_up)
    up, found_up = find_up(metres_per_unit)
    motion = units.scale(motion, metres_per_unit)
    motion = rest_pose.turn_world(motion, up_axis.turn_to_y(up)) if up != "y" else motion
    drop, found_rest = rest_frame.find(motion, options)
    motion = cut(motion, 1, motion.n_frames) if drop else motion
    excess = limits.find_excess(motion)
    if excess is not None:
        raise FormatError(file.path, f"{excess}. Please correct the file, or give its unit or rate.")
    found_rate = rate.check(motion, options, file.stated_fps)
    source = Source(
        path=file.path,
        format=file.format,
        digest=file.digest,
        fps=file.stated_fps,
        metres_per_unit=metres_per_unit,
        up=up,
        rest_frame_dropped=drop,
        rotation_orders=file.rotation_orders,
    )
    return Take(Path(file.path).stem, motion, source, findings + found_up + found_units + found_rest + found_rate)


def _find_up(motion: Motion, options: ReadOptions, metres_per_unit: float) -> tuple[str, tuple[Finding, ...]]:
    """The up axis of a motion in file units, if they have so many metres."""
    return up_axis.find(units.scale(motion, metres_per_unit), options)
