"""Live Link Face: a table of curves of a face with a timecode for each row, as a phone records them."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from math import isfinite, isnan
from pathlib import Path

import numpy as np

from motionloom.errors import BadInput, FormatError
from motionloom.formats import limits, text
from motionloom.formats.atomic_write import replace_file
from motionloom.motion import Curves
from motionloom.motion.curves import DAY

TIMECODE, COUNT = "timecode", "blendshapecount"
DECIMALS, TIMECODE_DECIMALS = 10, 3  # as the app writes them
USUAL_OF_FACES = 60.0  # rows per second, of a single row
USUAL = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0)  # frames of a second of a timecode
NEAR = 0.5  # frames by which a second of timecode may differ from a usual rate
NEAR_RATE = 0.002  # share by which the rate of rows may differ from a usual one
_BLOCK_ROWS = 5_000  # that are parsed at a time
_BEGINNING = 65_536  # bytes in which a table says what it is
_CODE = re.compile(r"(\d{1,2}):(\d{2}):(\d{2})[:;](\d{1,4}(?:\.\d+)?)")


def is_header(cells: list[str]) -> bool:
    """Whether the cells of a first line are those of such a table."""
    words = {cell.strip().lower() for cell in cells}
    return COUNT in words or {"eyeblinkleft", "jawopen"} <= words


def describe(cells: list[str]) -> str:
    """Why such a table, with these cells in its first line, is not read as a recording."""
    n_curves = len([cell for cell in cells if cell.strip().lower() not in (TIMECODE, COUNT, "")])
    return (
        f"this is a Live Link Face file of {n_curves} curves, which are no points. Import it beside a take, with "
        "--beside TAKE."
    )


def is_file(path: Path) -> bool:
    """Whether a file is such a table, by its first line."""
    if path.suffix.lower() != ".csv":
        return False
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        beginning = beginning[: len(beginning) // 2 * 2].decode("utf-16", "replace").encode()
    lines = text.split_lines(beginning.removeprefix(b"\xef\xbb\xbf"))
    return is_header(next((line for line in lines if line.strip()), "").split(","))


def read(path: str | Path) -> Curves:
    """Read a file of curves."""
    content = text.read_bytes(path)
    lines = (line for line in text.iterate_lines(text.to_text_bytes(path, content)) if line[1].strip())
    names = _read_names(path, *next(lines))
    limits.check_unfolding(path, text.count_lines(content), len(names), len(content), "curves")
    blocks = list(_read_blocks(path, lines, len(names)))
    if not blocks:
        raise FormatError(path, "no rows below the names of the curves. Is the file cut off?")
    codes, values = (np.concatenate(parts) for parts in zip(*blocks))
    if np.isnan(values).all():
        raise FormatError(path, "no row has values. Is it the right file?")
    timecode_fps = _find_timecode_fps(path, codes[:, 0], codes[:, 1])
    try:
        curves = Curves(names, values, codes[:, 0], codes[:, 1], timecode_fps, fps=1.0)
    except BadInput as error:
        raise FormatError(path, f"{error}. Please put the rows in order.") from None
    curves = replace(curves, fps=_find_rate(curves.times))
    excess = limits.find_excess_of_curves(curves)
    if excess is not None:
        raise FormatError(path, f"{excess}. Please correct it.")
    return curves


def write(path: str | Path, curves: Curves) -> None:
    """Write curves as the app does; what the app wrote comes out the same, byte for byte."""
    odd = next((name for name in curves.names if re.search(r'[",\r\n]', name)), None)
    if odd is not None:
        raise BadInput(f"{path}: the curve '{text.shorten(odd)}' has a comma, quote or line break in its name")
    rows = [",".join(["Timecode", "BlendShapeCount", *curves.names])]
    for second, frame, values in zip(curves.seconds.tolist(), curves.frames.tolist(), curves.values.tolist()):
        is_there = not any(map(isnan, values))
        cells = [_decimal(value, DECIMALS) for value in values] if is_there else [""] * len(values)
        rows.append(",".join([write_timecode(second, frame), str(len(values) if is_there else 0), *cells]))
    replace_file(path, ("\n".join(rows) + "\n").encode())


def write_timecode(second: float, frame: float) -> str:
    """16:55:51:38.453"""
    whole = int(second)
    shown = _decimal(frame, TIMECODE_DECIMALS)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}:{'0' * (shown.find('.') < 2)}{shown}"


def _decimal(value: float, decimals: int) -> str:
    """As a decimal with so many places; more where it needs them to be read as the same number again."""
    usual = f"{value:.{decimals}f}"
    return usual if float(usual) == value else np.format_float_positional(value)


def _read_names(path: str | Path, number: int, line: str) -> tuple[str, ...]:
    cells = [cell.strip() for cell in line.split(",")]
    if [cell.lower() for cell in cells[:2]] != [TIMECODE, COUNT]:
        shown = text.shorten(",".join(cells[:2]), 60)
        raise FormatError(
            path, f"'{shown}' where Timecode,BlendShapeCount and the names of curves were expected.", number
        )
    names = cells[2:-1] if len(cells) > 3 and not cells[-1] else cells[2:]
    if not names:
        raise FormatError(path, "no names of curves. Is the file cut off?", number)
    if len(names) > limits.MOST_CURVES:
        raise FormatError(path, f"{len(names)} curves; at most {limits.MOST_CURVES} can be read.", number)
    problem = limits.find_bad_name(names, "curve")
    twice = next((name for name in names if names.count(name) > 1), None)
    if problem is not None or "" in names:
        raise FormatError(path, f"{problem or 'a curve has no name'}. Please correct this line.", number)
    if twice is not None:
        raise FormatError(path, f"the curve '{text.shorten(twice)}' twice. Please rename one of them.", number)
    return tuple(names)


def _read_blocks(
    path: str | Path, lines: Iterator[tuple[int, str]], n_curves: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Timecodes (B, 2) and values (B, C) of some rows at a time, so that their text is never there as a whole."""
    while block := list(itertools.islice(lines, _BLOCK_ROWS)):
        rows = [(number, *line.partition(",")[::2]) for number, line in block]
        codes = [_read_timecode(path, code.strip(), number) for number, code, _ in rows]
        yield np.array(codes), _read_values(path, [(number, rest) for number, _, rest in rows], n_curves)


def _read_timecode(path: str | Path, cell: str, number: int) -> tuple[float, float]:
    """Whole seconds since midnight, and frames since."""
    found = _CODE.fullmatch(cell)
    hours, minutes, seconds = (int(part) for part in found.groups()[:3]) if found else (0, 60, 0)
    if found is None or hours > 23 or minutes > 59 or seconds > 59:
        reason = f"'{text.shorten(cell)}' is not a timecode such as 16:55:51:38.453. Is the file damaged here?"
        raise FormatError(path, reason, number)
    return 3600.0 * hours + 60.0 * minutes + seconds, float(found[4])


def _read_values(path: str | Path, rows: list[tuple[int, str]], n_curves: int) -> np.ndarray:
    """(F, C): rows that state 0 values have none."""
    values = np.full((len(rows), n_curves), np.nan)
    kept = []
    for place, (number, rest) in enumerate(rows):
        count, _, cells = rest.partition(",")
        cells = cells.removesuffix(",") if cells.count(",") == n_curves else cells
        if count.strip() == "0" and not cells.strip(", "):
            continue
        if cells.count(",") != n_curves - 1:
            reason = (
                f"{cells.count(',') + 1 if cells else 0} values, expected {n_curves}. Is the file cut off or damaged?"
            )
            raise FormatError(path, reason, number)
        if count.strip() != str(n_curves):
            raise FormatError(path, f"'{text.shorten(count)}' values are stated for {n_curves} curves.", number)
        kept.append((place, number, cells))
    if not kept:
        return values
    try:
        found = np.loadtxt([cells for _, _, cells in kept], delimiter=",", comments=None, ndmin=2)
    except ValueError:
        found = np.full((len(kept), n_curves), np.inf)
    if not np.isfinite(found).all():
        raise _find_bad_cell(path, [(number, cells) for _, number, cells in kept])
    values[[place for place, _, _ in kept]] = found
    return values


def _find_bad_cell(path: str | Path, rows: list[tuple[int, str]]) -> FormatError:
    for number, cells in rows:
        for cell in cells.split(","):
            try:
                is_number = isfinite(float(cell)) and "_" not in cell
            except ValueError:
                is_number = False
            if not is_number:
                reason = f"'{text.shorten(cell.strip())}' is not a valid number, expected a finite decimal. Is the file"
                return FormatError(path, f"{reason} damaged here?", number)
    return FormatError(path, "its numbers cannot be read. Is the file damaged?")


def _find_timecode_fps(path: str | Path, seconds: np.ndarray, frames: np.ndarray) -> float:
    """Frames of a second of the timecode: how far they count until the next second begins."""
    same = np.diff(seconds) == 0
    steps = np.diff(frames)
    next_second = np.isin(np.diff(seconds), (1.0, 1.0 - DAY))
    if same.any() and next_second.any():
        step = float(np.median(steps[same]))
        counted = float(np.median(step - steps[next_second]))
        usual = min(USUAL, key=lambda fps: abs(fps - counted))
        found = usual if abs(usual - counted) <= NEAR else float(round(counted))
    else:  # less than a second
        found = next((fps for fps in (30.0, 60.0, 120.0) if frames.max() < fps), 0.0)
    if not frames.max() < found + 1:
        shown = write_timecode(seconds[frames.argmax()], frames.max())
        raise FormatError(path, f"the timecode {shown} has more frames than its second, {found:g}. Is it damaged?")
    return found


def _find_rate(times: np.ndarray) -> float:
    """Rows per second, of most intervals; a usual rate if it is near one."""
    steps = np.diff(times)
    if not (steps > 0).any():
        return USUAL_OF_FACES
    rate = 1.0 / float(np.median(steps[steps > 0]))
    usual = min(USUAL, key=lambda fps: abs(fps - rate))
    return usual if abs(usual - rate) <= NEAR_RATE * usual else rate
