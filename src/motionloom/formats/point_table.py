"""Tables of numbers in text, with empty cells: the rows of marker CSV and TRC files, and the frames that they are."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionloom.errors import FormatError
from motionloom.formats import limits
from motionloom.formats.detection import USUAL_RATES
from motionloom.formats.text import shorten

MOST_COLUMNS = 3 * limits.MOST_POINTS + 1_000
_EDGE = 10  # rows
_BLOCK, _BLOCK_ROWS = 1_000_000, 10_000  # characters and rows that are parsed at a time
_MOST_DIGITS = 12  # of a rate that times tell
_FEW_DIGITS = 5  # of a rate that somebody chose
_FINE = 1e-6  # seconds: intervals rounded more coarsely tell nothing
OFF_BEAT = 0.25  # of a frame by which times may be off an even beat


def check_width(path: str | Path, line: str, delimiter: str, number: int) -> None:
    """Raise if a line has more columns than points can have."""
    n_columns = line.count(delimiter) + 1
    if n_columns > MOST_COLUMNS:
        raise FormatError(path, f"{n_columns} columns; at most {MOST_COLUMNS} can be read.", number)


class Rows(NamedTuple):
    """The numbers of a table, and some of its text."""

    values: np.ndarray  # (R, C); NaN where a cell is empty or says so
    edges: list[str]  # the first rows and the last ones


def parse_rows(
    path: str | Path, lines: Iterable[tuple[int, str]], delimiter: str, n_columns: int, n_bytes: int
) -> Rows:
    """Parse the rows of a table, some at a time, so that their text is never there as a whole.

    Args:
        path: for messages.
        lines: with their numbers, from 1; blank ones are passed over.
        delimiter: between cells.
        n_columns: that every row has; one more that is empty is understood.
        n_bytes: of the file.
    """
    values, count = (
        np.empty((n_bytes // n_columns + 1, n_columns)),
        0,
    )  # a cell takes a byte; only what is used is there
    first, last = list[str](), deque[str](maxlen=_EDGE)
    rows = (row for row in lines if row[1].strip())
    while block := _next_block(rows):
        trimmed = [(number, _trim(line, delimiter, n_columns)) for number, line in block]
        parsed = _parse_block(path, trimmed, delimiter, n_columns)
        values[count : count + len(parsed)] = parsed
        count += len(parsed)
        first += [line for _, line in trimmed[: _EDGE - len(first)]]
        last.extend(line for _, line in trimmed[-_EDGE:])
    if not count:
        raise FormatError(path, "no frames below the names of the columns. Is the file cut off?")
    return Rows(values[:count], [*first, *last])


def _next_block(rows: Iterator[tuple[int, str]]) -> list[tuple[int, str]]:
    block, n_characters = list[tuple[int, str]](), 0
    for row in rows:
        block.append(row)
        n_characters += len(row[1])
        if n_characters > _BLOCK or len(block) >= _BLOCK_ROWS:
            break
    return block


def _parse_block(path: str | Path, rows: list[tuple[int, str]], delimiter: str, n_columns: int) -> np.ndarray:
    for number, line in rows:
        if line.count(delimiter) != n_columns - 1:
            reason = f"{line.count(delimiter) + 1} values, expected {n_columns}. Is the file cut off or damaged?"
            raise FormatError(path, reason, number)
    mark = re.escape(delimiter)
    empty = re.compile(rf"(?<={mark}) *(?={mark}|$)|^ *(?={mark})")
    try:
        values = np.loadtxt([empty.sub("nan", line) for _, line in rows], delimiter=delimiter, comments=None, ndmin=2)
    except ValueError:
        raise _find_bad_cell(path, rows, delimiter) from None
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        row, column = infinite[0]
        raise _bad_cell(path, rows[row][1].split(delimiter)[column], rows[row][0])
    return values


def check_order(path: str | Path, numbers: np.ndarray, what: str) -> None:
    """Raise unless the numbers (R,) of rows increase."""
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise FormatError(path, f"row {bad[0] + 1} has no {what}. Please correct it.")
    back = np.flatnonzero(np.diff(numbers) <= 0)
    if len(back):
        reason = f"the {what} of row {back[0] + 2} is not after the one before. Please put the rows in order."
        raise FormatError(path, reason)


def place_rows(path: str | Path, numbers: np.ndarray, n_points: int, n_bytes: int) -> np.ndarray:
    """The frame (R,), from 0, of each row: rows that are missing leave frames empty.

    Args:
        path: for messages.
        numbers: (R,) frame numbers or times in frames, increasing; those of every second or third frame are understood.
        n_points: of the table.
        n_bytes: of the file.
    """
    frames = np.rint(numbers - numbers[0])
    if frames[-1] >= limits.MOST_FRAMES:
        raise FormatError(path, f"frames up to {frames[-1] + 1:.0f}; at most {limits.MOST_FRAMES} can be read.")
    placed = frames.astype(np.int64)
    steps = np.diff(placed)
    if (steps == 0).any():
        raise FormatError(path, f"row {int((steps == 0).argmax()) + 2} is of the same frame as the one before.")
    placed //= int(np.gcd.reduce(steps)) if len(steps) else 1
    limits.check_unfolding(path, int(placed[-1]) + 1, n_points, n_bytes, "points")
    return placed


def rate_of_times(seconds: np.ndarray, decimals: int) -> tuple[float, np.ndarray]:
    """Frames per second of the times (R,) of rows, and the times in frames.

    Args:
        seconds: increasing; some rows may be missing, but not most.
        decimals: to which they are rounded.
    """
    interval = float(np.median(np.diff(seconds)))
    for _ in range(3):  # from the interval between two frames to that over all, which is known far better
        beats = np.rint((seconds - seconds[0]) / interval)
        interval = float((seconds[-1] - seconds[0]) / beats[-1])
    return _rate_of_interval(interval, 10.0**-decimals, beats[-1]), (seconds - seconds[0]) / interval


def _rate_of_interval(interval: float, last_place: float, n_intervals: float) -> float:
    """Frames per second of an interval that is known to the last place of times over so many intervals.

    Times may also be multiples of a rounded interval, which is then known to its own last place.
    """
    known = last_place / n_intervals
    usual = min(USUAL_RATES, key=lambda rate: abs(1.0 / rate - interval))
    off = abs(1.0 / usual - interval)
    if off <= known:
        return usual
    for digits in range(1, _MOST_DIGITS + 1):
        fps = float(f"{1.0 / interval:.{digits}g}")
        if abs(1.0 / fps - interval) <= known:
            break
    return usual if digits > _FEW_DIGITS and off <= min(last_place, _FINE) else fps


def _trim(line: str, delimiter: str, n_columns: int) -> str:
    """The row without the empty cell that many programs put behind the last one."""
    if line.count(delimiter) == n_columns and not line.rpartition(delimiter)[2].strip():
        return line.rpartition(delimiter)[0]
    return line


def _find_bad_cell(path: str | Path, rows: list[tuple[int, str]], delimiter: str) -> FormatError:
    for number, line in rows:
        for cell in line.split(delimiter):
            try:
                float(cell.strip() or "nan")
            except ValueError:
                return _bad_cell(path, cell, number)
            if "_" in cell:
                return _bad_cell(path, cell, number)
    return FormatError(path, "its numbers cannot be read. Is the file damaged?")


def _bad_cell(path: str | Path, cell: str, number: int) -> FormatError:
    reason = f"'{shorten(cell.strip())}' is not a valid number, expected a finite decimal. Is the file damaged here?"
    return FormatError(path, reason, number)
