"""TRC: the text format of marker trajectories of Motion Analysis, which OpenSim uses too."""

import hashlib
import itertools
import re
from collections import Counter
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import limits, point_table
from motionloom.formats.detection.conversion import FileProperties
from motionloom.formats.detection.point_conversion import convert_points
from motionloom.formats.options import ReadOptions
from motionloom.formats.take import Finding, Take
from motionloom.formats.text import count_lines, iterate_lines, parse_number, shorten
from motionloom.motion import PointMotion

_UNITS = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "meters": 1.0, "in": 0.0254, "inches": 0.0254, "ft": 0.3048}
_HEAD = 5  # lines before the frames; the last of them may be lacking
_AXES = re.compile(r"\bX1\b", re.IGNORECASE)
_LEADING = 2  # columns before those of markers: frame and time


def is_trc(line: str) -> bool:
    """Whether a text begins as TRC files do."""
    return line.lstrip().lower().startswith("pathfiletype")


def read(path: str | Path, content: bytes, table: bytes, options: ReadOptions) -> Take:
    """Read a TRC file.

    Args:
        path: of the file.
        content: of the file.
        table: its content as plain text.
        options: how to read.
    """
    lines = itertools.dropwhile(lambda line: not line[1].strip(), iterate_lines(table))
    first = list(itertools.islice(lines, _HEAD))
    stated = _read_header(path, first)
    names = _read_names(path, *first[3])
    fps = parse_number(path, stated.get("datarate", ""), first[2][0], "a DataRate")
    if fps <= 0:
        raise FormatError(path, f"'DataRate {fps:g}', expected frames per second above 0.", first[2][0])
    limits.check_unfolding(path, count_lines(table) + 1 - first[3][0], len(names), len(content), "points")
    rows = lines if _AXES.search(first[4][1]) else itertools.chain(first[4:], lines)
    values = point_table.parse_rows(path, rows, "\t", _LEADING + 3 * len(names), len(content)).values
    _check_count(path, stated.get("numframes", ""), len(values), first[2][0])
    positions, found = _place(path, values, len(names), len(content))
    unit = _UNITS.get(stated.get("units", "").strip().lower())
    file = FileProperties(str(path), "trc", hashlib.sha256(content).hexdigest(), fps, metres_per_unit=unit)
    return convert_points(PointMotion(names, positions, options.fps or fps), options, file, found)


def _read_header(path: str | Path, first: list[tuple[int, str]]) -> dict[str, str]:
    """The values of the third line, by their names in the second, in lower case."""
    if len(first) < _HEAD:
        raise FormatError(path, "the file ends in its header. Is it cut off?")
    (number, keys), (_, values) = first[1:3]
    names = [key.strip().lower() for key in keys.split("\t")]
    if "datarate" not in names:
        raise FormatError(path, "no DataRate where the names of the header were expected. Is this a TRC file?", number)
    return dict(zip(names, (value.strip() for value in values.split("\t"))))


def _read_names(path: str | Path, number: int, line: str) -> tuple[str, ...]:
    """Names of the markers, each of which stands above the first of its three columns."""
    point_table.check_width(path, line.rstrip(), "\t", number)
    cells = line.rstrip().split("\t")
    if not cells[0].strip().lower().startswith("frame") or len(cells) <= _LEADING:
        shown = shorten(line.strip(), 40)
        raise FormatError(path, f"'{shown}' where Frame#, Time and the names of markers were expected.", number)
    names = [cell.strip() for cell in cells[_LEADING:] if cell.strip()]
    if len(set(names)) < len(names):
        double = max(names, key=Counter(names).__getitem__)
        raise FormatError(path, f"the marker '{shorten(double)}' twice. Please rename one of them.", number)
    return tuple(names)


def _place(path: str | Path, values: np.ndarray, n_points: int, n_bytes: int) -> tuple[np.ndarray, tuple[Finding, ...]]:
    """Positions (F, M, 3) of the rows of a table, and findings."""
    point_table.check_order(path, values[:, 0], "frame number")
    frames = point_table.place_rows(path, values[:, 0], n_points, n_bytes)
    points, found = _drop_zeros(values[:, _LEADING:].reshape(len(values), n_points, 3))
    positions = np.full((int(frames[-1]) + 1, n_points, 3), np.nan)
    positions[frames] = points
    return positions, found


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
