"""Line charts: curves over numbers, in panels side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import BadInput
from motionloom.render.charts.sheet_charts import Box
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, new_page, save_page, write_text

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, HEIGHT, MARGIN, HEADER, FOOTER, LABELS = 400, 280, 28, 92, 62, 56  # pixels
MOST_COLUMNS = 4
PAPER = (255, 255, 255)
COLOURS = (
    (52, 110, 190),
    (214, 110, 40),
    (58, 148, 84),
    (150, 86, 170),
    (190, 60, 80),
    (110, 118, 130),
    (40, 150, 160),
)
STEPS = (1.0, 2.0, 5.0, 10.0)
MOST_MARKS = 6  # lines across a panel


@dataclass(frozen=True, eq=False)
class Curve:
    """Values over numbers."""

    name: str
    x: np.ndarray  # (N,) ascending
    y: np.ndarray  # (N,)


@dataclass(frozen=True, eq=False)
class CurvePanel:
    """Curves that share their axes; a curve has the colour of its place among them."""

    title: str
    curves: Sequence[Curve]


def write_line_chart(
    path: str | Path,
    panels: Sequence[CurvePanel],
    title: str = "",
    *,
    x_label: str = "",
    y_label: str = "",
    log: bool = False,
) -> None:
    """Draw a line chart and write it as a PNG; see `draw_line_chart`."""
    save_page(path, draw_line_chart(panels, title, x_label=x_label, y_label=y_label, log=log))


def draw_line_chart(
    panels: Sequence[CurvePanel], title: str = "", *, x_label: str = "", y_label: str = "", log: bool = False
) -> np.ndarray:
    """Draw panels with one scale of values, (H, W, 3) uint8.

    Args:
        panels: at least one, each with a curve.
        title: above them.
        x_label: of the numbers that the values are over.
        y_label: of the values, with their unit.
        log: powers of ten of the values, which must be above 0.
    """
    values = np.concatenate([curve.y for panel in panels for curve in panel.curves]) if panels else np.zeros(0)
    if not len(values):
        raise BadInput("no curves to draw; give at least one")
    if not np.isfinite(values).all() or (log and (values <= 0).any()):
        raise BadInput(
            "values of a chart must be finite" + (", and above 0 on a scale of powers of ten" if log else "")
        )
    low, high = _range_of(values, log)
    columns = min(len(panels), MOST_COLUMNS)
    rows = -(-len(panels) // columns)
    cell_width, cell_height = LABELS + WIDTH + MARGIN, HEADER - 40 + HEIGHT + FOOTER
    page, pen = new_page(MARGIN + columns * cell_width, 40 + rows * cell_height, PAPER)
    write_text(pen, (MARGIN, 16), title, 20, INK)
    for number, panel in enumerate(panels):
        left = MARGIN + number % columns * cell_width + LABELS
        top = HEADER + number // columns * cell_height
        _draw_panel(page, pen, panel, (left, top, WIDTH, HEIGHT), (low, high), log)
        write_text(pen, (left + WIDTH / 2, top + HEIGHT + 30), x_label, 13, FAINT_INK, "ma")
        write_text(pen, (left - LABELS + 6, top - 26), y_label, 13, FAINT_INK, "ls")
    return np.asarray(page)


def _draw_panel(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    panel: CurvePanel,
    box: Box,
    span: tuple[float, float],
    log: bool,
) -> None:
    left, top, width, height = box
    low, high = span
    first = min(float(curve.x[0]) for curve in panel.curves)
    last = max(float(curve.x[-1]) for curve in panel.curves)

    def across(x: np.ndarray | float) -> np.ndarray | float:
        return left + (x - first) / max(last - first, 1e-9) * width

    def up(y: np.ndarray | float) -> np.ndarray | float:
        return top + height - (np.asarray(np.log10(y) if log else y) - low) / (high - low) * height

    write_text(pen, (left, top - 8), panel.title, 15, INK, "ls")
    for mark in _power_marks(low, high) if log else _marks(low, high):
        y = float(up(mark))
        pen.line((left, y, left + width, y), fill=RULE)
        write_text(pen, (left - 8, y), f"{mark:g}", 12, INK, "rm")
    for mark in _marks(first, last):
        x = float(across(mark))
        pen.line((x, top + height, x, top + height + 5), fill=INK)
        write_text(pen, (x, top + height + 9), f"{mark:g}", 12, INK, "ma")
    pen.rectangle((left, top, left + width, top + height), outline=FAINT_INK)
    for number, curve in enumerate(panel.curves):
        colour = COLOURS[number % len(COLOURS)]
        points = np.stack([across(curve.x), up(curve.y)], axis=-1)  # (N, 2)
        draw_path(page, points, colour, 2.0)
        if len(points) <= 40:
            for x, y in points:
                pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=colour)
    _draw_legend(pen, panel, (left, top, width, height))


def _draw_legend(pen: "ImageDraw.ImageDraw", panel: CurvePanel, box: Box) -> None:
    """Names of the curves, in the corner that curves which fall leave free."""
    left, top, width, _ = box
    for number, curve in enumerate(panel.curves):
        y, colour = top + 16 + 18 * number, COLOURS[number % len(COLOURS)]
        pen.line((left + width - 30, y, left + width - 10, y), fill=colour, width=3)
        write_text(pen, (left + width - 36, y), curve.name, 13, INK, "rm")


def _range_of(values: np.ndarray, log: bool) -> tuple[float, float]:
    """The lowest and the highest value of the scale; their powers of ten if it has those."""
    if not log:
        low, high = min(0.0, float(values.min())), float(values.max())
        return low, high + 0.06 * max(high - low, 1e-9)
    low, high = float(np.log10(values.min())), float(np.log10(values.max()))
    room = 0.06 * max(high - low, 0.1)
    return low - room, high + room


def _marks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`."""
    if high - low < 1e-9:
        return [low]
    power = 10.0 ** np.floor(np.log10((high - low) / MOST_MARKS))
    step = next(factor * power for factor in STEPS if (high - low) / (factor * power) <= MOST_MARKS)
    return [round(n * step, 12) for n in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]


def _power_marks(low: float, high: float) -> list[float]:
    """Round numbers whose powers of ten are from `low` to `high`: powers of ten alone where there are many."""
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    factors = (1.0,) if high - low > 2 else STEPS[:-1]
    marks = [factor * 10.0**power for power in powers for factor in factors]
    inside = [mark for mark in marks if low <= np.log10(mark) <= high]
    return inside[:: max(1, -(-len(inside) // (2 * MOST_MARKS)))] or [10.0**low, 10.0**high]
