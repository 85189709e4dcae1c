"""TRC: the text format of marker trajectories of Motion Analysis, which OpenSim uses too."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import point_table
from motionloom.formats.detection.conversion import FileProperties
from motionloom.formats.detection.point_conversion import convert_points
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Take
from motionloom.formats.text import parse_number, shorten
from motionloom.motion import PointMotion

_UNITS = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "meters": 1.0, "in": 0.0254, "inches": 0.0254, "ft": 0.3048}
_LEADING = 2  # columns before those of markers: frame and time


def is_trc(line: str) -> bool:
    """Whether a text begins as TRC files do."""
    return line.lstrip().lower().startswith("pathfiletype")


def read(path: str | Path, content: bytes, lines: list[str], options: ReadOptions) -> Take:
    """Read a TRC file.

    Args:
        path: of the file.
        content: of the file.
        lines: its text.
        options: how to read.
    """
    at = next(number for number, line in enumerate(lines) if line.strip())
    stated = _read_header(path, lines, at)
    names = _read_names(path, lines, at + 3)
    fps = parse_number(path, stated.get("datarate", ""), at + 3, "a DataRate")
    if fps <= 0:
        raise FormatError(path, f"'DataRate {fps:g}', expected frames per second above 0.", at + 3)
    n_columns = _LEADING + 3 * len(names)
    rows = [(number, line) for number, line in enumerate(lines[at + 4 :], start=at + 5) if line.strip()]
    if rows and re.search(r"\bX1\b", rows[0][1], re.IGNORECASE):
        rows = rows[1:]
    values = point_table.parse_rows(path, [(number, line.rstrip("\r\n")) for number, line in rows], "\t", n_columns)
    _check_count(path, stated.get("numframes", ""), len(values), at + 3)
    point_table.check_order(path, values[:, 0], "frame number")
    frames = point_table.place_rows(path, values[:, 0], len(names), len(content))
    points, found = _drop_zeros(values[:, _LEADING:].reshape(len(values), len(names), 3))
    positions = np.full((int(frames[-1]) + 1, len(names), 3), np.nan)
    positions[frames] = points
    unit = _UNITS.get(stated.get("units", "").strip().lower())
    file = FileProperties(str(path), "trc", hashlib.sha256(content).hexdigest(), fps, metres_per_unit=unit)
    return convert_points(PointMotion(names, positions, options.fps or fps), options, file, found)


def _read_header(path: str | Path, lines: list[str], at: int) -> dict[str, str]:
    """The values of the second and third line, by their names in lower case."""
    if len(lines) < at + 5:
        raise FormatError(path, "the file ends in its header. Is it cut off?")
    keys = [key.strip().lower() for key in lines[at + 1].split("\t")]
    if "datarate" not in keys:
        raise FormatError(path, "no DataRate where the names of the header were expected. Is this a TRC file?", at + 2)
    return dict(zip(keys, (value.strip() for value in lines[at + 2].split("\t"))))


def _read_names(path: str | Path, lines: list[str], at: int) -> tuple[str, ...]:
    """Names of the markers, each of which stands above the first of its three columns."""
    cells = lines[at].rstrip("\r\n\t ").split("\t")
    if not cells[0].strip().lower().startswith("frame") or len(cells) <= _LEADING:
        shown = shorten(lines[at].strip(), 40)
        raise FormatError(path, f"'{shown}' where Frame#, Time and the names of markers were expected.", at + 1)
    names = [cell.strip() for cell in cells[_LEADING:] if cell.strip()]
    if len(set(names)) < len(names):
        double = max(names, key=Counter(names).__getitem__)
        raise FormatError(path, f"the marker '{shorten(double)}' twice. Please rename one of them.", at + 1)
    return tuple(names)


def _check_count(path: str | Path, stated: str, found: int, line: int) -> None:
    if stated.isdecimal() and len(stated) < 10 and found < int(stated):
        raise FormatError(
            path, f"{found} frames of numbers, but NumFrames states {int(stated)}. Is the file cut off?", line
        )


def _drop_zeros(points: np.ndarray) -> tuple[np.ndarray, tuple[Finding, ...]]:
    """The points (R, M, 3) without those at 0 0 0, which is how some programs write that one is missing."""
    zero = (points == 0).all(axis=2)
    if not zero.any():
        return points, ()
    message = f"{int(zero.sum())} samples are exactly at 0 0 0, which is taken for missing"
    return np.where(zero[..., None], np.nan, points), (Finding("gaps", message, True),)
