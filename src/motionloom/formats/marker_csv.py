"""Marker CSV: a table with a row for each frame and the columns `name.x`, `name.y` and `name.z` for each point."""

import csv
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import limits, live_link, point_table
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.detection.conversion import FileProperties
from motionloom.formats.detection.point_conversion import convert_points, to_file, turn
from motionloom.formats.options import ReadOptions
from motionloom.formats.shortest_decimals import write_shortest
from motionloom.formats.take import Finding, Source, Take
from motionloom.formats.text import count_lines, iterate_lines, shorten
from motionloom.motion import Motion, PointMotion

ASSUMED_FPS = 60.0  # of a table without times
_COORDINATE = re.compile(r"(.*)[.:_ ]([xyz])", re.IGNORECASE | re.DOTALL)
_FRAME = re.compile(r"frames?( ?number| ?no\.?|#)?|field|index|sample", re.IGNORECASE)
_TIME = re.compile(r"(time|t|seconds|time_?stamp)( ?[(\[_]?(s|sec|seconds|ms)[)\]]?)?", re.IGNORECASE)
_MILLISECONDS = re.compile(r"\bms\b|_ms\b", re.IGNORECASE)
_EXPONENT_DECIMALS = 12  # of times written such as 1e-3
_SHOWN = 3  # names in a message


class Columns(NamedTuple):
    """What the columns of a table are."""

    names: list[str]  # M points
    places: np.ndarray  # (M, 3) columns of their coordinates
    frame: int | None
    time: int | None
    time_shift: int  # decimals: 0 for seconds, 3 for milliseconds
    others: list[str]  # neither
    n_columns: int


def is_header(line: str) -> bool:
    """Whether the first line of a table names the columns of points, or the curves of Live Link Face."""
    cells = _cells(line, _delimiter(line))
    return live_link.is_header(cells) or _has_coordinates(cells)


def read(path: str | Path, content: bytes, table: bytes, options: ReadOptions) -> Take:
    """Read a table of points.

    Args:
        path: of the file.
        content: of the file.
        table: its content as plain text.
        options: how to read.
    """
    lines = iterate_lines(table)
    number, header = next(line for line in lines if line[1].strip())
    delimiter = _delimiter(header)
    point_table.check_width(path, header, delimiter, number)
    columns = _find_columns(path, _cells(header, delimiter), number)
    limits.check_unfolding(path, count_lines(table) + 1 - number, len(columns.names), len(content), "points")
    rows = point_table.parse_rows(path, lines, delimiter, columns.n_columns, len(content))
    fps, frames, found = _find_frames(path, columns, rows, delimiter, options, len(content))
    positions = np.full((int(frames[-1]) + 1, len(columns.names), 3), np.nan)
    positions[frames] = rows.values[:, columns.places]
    if columns.others:
        shown = ", ".join(shorten(name) for name in columns.others[:_SHOWN])
        more = f" and {len(columns.others) - _SHOWN} more" if len(columns.others) > _SHOWN else ""
        found += (Finding("columns", f"columns that are no coordinates are left out: {shown}{more}", True),)
    motion = PointMotion(tuple(columns.names), positions, options.fps or fps)
    file = FileProperties(str(path), "marker_csv", hashlib.sha256(content).hexdigest(), fps)
    return convert_points(motion, options, file, found)


def write(
    path: str | Path, motion: Motion | PointMotion, source: Source | None = None, *, name: str | None = None
) -> None:
    """Write points as a table: the number of the frame, its time and the coordinates; a missing point is empty.

    Every number has the fewest decimals from which reading gives the same value again.

    Args:
        path: of the file; an existing one is replaced.
        motion: of points.
        source: of the motion; its unit and up axis are restored. Metres and y up without it.
        name: not used: the file names its take.
    """
    if not isinstance(motion, PointMotion):
        raise BadInput(f"{path}: a .csv holds points, and this is the motion of a body; use .bvh, .glb or .npz")
    header = ["frame", "time", *(f"{point}.{axis}" for point in motion.names for axis in "xyz")]
    odd = [name for name in motion.names if "\n" in name or "\r" in name]
    if odd:
        raise BadInput(f"{path}: the point '{shorten(odd[0])}' has a line break in its name; please rename it")
    values, step = to_file(motion, source)
    metres = turn(motion.positions, source.up, back=True) if source is not None else motion.positions
    n_values = 3 * len(motion.names)
    cells = write_shortest(values.reshape(-1, n_values), metres.reshape(-1, n_values), step)
    times = [f"{frame / motion.fps:.12f}" for frame in range(motion.n_frames)]
    rows = [",".join(map(_quoted, header))]
    rows += [",".join([str(frame), times[frame], *row]) for frame, row in enumerate(cells)]
    replace_file(path, ("\n".join(rows) + "\n").encode())


def _quoted(cell: str) -> str:
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if re.search(r'[",;\t]|^\s', cell) else cell


def _delimiter(header: str) -> str:
    """The character between cells: that of comma, semicolon and tab which is there most often."""
    return max(",;\t", key=header.count)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return line.split(delimiter)


def _has_coordinates(cells: list[str]) -> bool:
    found = [_COORDINATE.fullmatch(cell.rstrip()) for cell in cells]
    by_name: dict[str, set[str]] = {}
    for match in found:
        if match:
            by_name.setdefault(match[1], set()).add(match[2].lower())
    return any(axes == set("xyz") for axes in by_name.values())


def _find_columns(path: str | Path, cells: list[str], number: int) -> Columns:
    if live_link.is_header(cells):
        raise FormatError(path, live_link.describe(cells))
    if not _has_coordinates(cells):
        shown = shorten(",".join(cells), 60)
        raise FormatError(path, f"'{shown}' where columns such as LFHD.x,LFHD.y,LFHD.z were expected.", number)
    places: dict[str, dict[str, int]] = {}
    frame = time = None
    others = []
    for column, cell in enumerate(cells):
        cell = cell.rstrip()
        match = _COORDINATE.fullmatch(cell)
        if match:
            axes = places.setdefault(match[1], {})
            if match[2].lower() in axes:
                raise FormatError(path, f"the column '{shorten(cell)}' twice. Please rename one of them.", number)
            axes[match[2].lower()] = column
        elif frame is None and _FRAME.fullmatch(cell.strip()):
            frame = column
        elif time is None and _TIME.fullmatch(cell.strip()):
            time = column
        elif cell.strip() or column < len(cells) - 1:
            others.append(cell.strip())
    for name, axes in places.items():
        if len(axes) < 3:
            lacking = next(axis for axis in "xyz" if axis not in axes)
            raise FormatError(path, f"no column '{shorten(name)}.{lacking}' beside the others of that point.", number)
    count = len(cells) - (len(cells) > 1 and not cells[-1].strip())
    columns = np.array([[axes[axis] for axis in "xyz"] for axes in places.values()])
    shift = 3 if time is not None and _MILLISECONDS.search(cells[time]) else 0
    return Columns(list(places), columns, frame, time, shift, others, count)


def _find_frames(
    path: str | Path, columns: Columns, rows: point_table.Rows, delimiter: str, options: ReadOptions, n_bytes: int
) -> tuple[float, np.ndarray, tuple[Finding, ...]]:
    """Frames per second, the frame (R,) of each row, and findings."""
    fps, found, size = ASSUMED_FPS, tuple[Finding, ...](), (len(columns.names), n_bytes)
    values = rows.values
    frames = np.arange(len(values))
    if columns.frame is not None:
        point_table.check_order(path, values[:, columns.frame], "frame number")
        frames = point_table.place_rows(path, values[:, columns.frame], *size)
    if columns.time is not None and len(values) > 1:
        point_table.check_order(path, values[:, columns.time], "time")
        decimals = _count_decimals([line.split(delimiter)[columns.time] for line in rows.edges]) + columns.time_shift
        fps, beats = point_table.rate_of_times(values[:, columns.time] * 10.0**-columns.time_shift, decimals)
        off = float(np.abs(beats - np.rint(beats)).max())
        if columns.frame is None and off <= point_table.OFF_BEAT:
            frames = point_table.place_rows(path, beats, *size)
        elif off > point_table.OFF_BEAT:
            message = f"times are off an even beat by up to {off:.1f} frames; rows are taken as evenly spaced"
            found = (Finding("rate", message, True),)
    elif options.fps is None:
        message = f"the file states no frame rate; {fps:g} frames per second assumed, give --fps if that is wrong"
        found = (Finding("rate", message, True),)
    return fps, frames, found


def _count_decimals(cells: list[str]) -> int:
    """The most decimals of any of the numbers."""
    cells = [cell.strip().lower() for cell in cells]
    return max(_EXPONENT_DECIMALS if "e" in cell else len(cell.partition(".")[2]) for cell in cells)
