"""The turn chart: paths of the clips of a hub, and the turns that one and two clips allow."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import BadInput
from motionloom.render.charts.sheet_charts import ACCENT, Box
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, draw_polygon, new_page, save_page, write_text

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, MARGIN, HEADER, ROW, PLAN = 1600, 28, 64, 380, 460  # pixels
PAPER = (255, 255, 255)
GAP = (255, 232, 214)
PALE = (150, 182, 222)
WAY = (196, 204, 214)


@dataclass(frozen=True, eq=False)
class TurnFan:
    """The clips that leave a hub: angles in degrees, positive to the left."""

    title: str
    ways: Sequence[np.ndarray]  # of each clip (F, 2) metres along x and z, from the hub facing +z
    turns: Sequence[float]  # of each clip: heading at its end
    one_clip: np.ndarray  # (N,) from -180 to 180
    two_clips: np.ndarray  # (M,) from -180 to 180


def write_turn_chart(path: str | Path, fans: Sequence[TurnFan], title: str = "") -> None:
    """Draw a turn chart and write it as a PNG."""
    save_page(path, draw_turn_chart(fans, title))


def draw_turn_chart(fans: Sequence[TurnFan], title: str = "") -> np.ndarray:
    """Draw a row for each hub, (H, W, 3) uint8: paths from above, then every turn as a line with the widest gap."""
    if not fans:
        raise BadInput("no hubs to draw; give at least one")
    page, pen = new_page(WIDTH, HEADER + len(fans) * ROW, PAPER)
    write_text(pen, (MARGIN, 20), title, 22, INK)
    legend = "arrows: where clips lead and how one stands there   shaded: the widest gap"
    write_text(pen, (WIDTH - MARGIN, 28), legend, 14, FAINT_INK, "ra")
    for number, fan in enumerate(fans):
        top = HEADER + number * ROW
        write_text(pen, (MARGIN, top), fan.title, 17, INK)
        _draw_ways(page, pen, fan, (MARGIN, top + 30, PLAN, ROW - 50))
        left = MARGIN + PLAN + 130
        for row, (angles, what) in enumerate(((fan.one_clip, "one clip"), (fan.two_clips, "two clips"))):
            _draw_turns(pen, angles, what, (left, top + 60 + row * 130, WIDTH - MARGIN - left, 84))
    return np.asarray(page)


def _draw_ways(page: "Image.Image", pen: "ImageDraw.ImageDraw", fan: TurnFan, box: Box) -> None:
    """Paths from above: the hub faces up the page, left is left."""
    left, top, width, height = box
    pen.rectangle((left, top, left + width, top + height), outline=RULE)
    seen = np.concatenate([np.zeros((1, 2)), *fan.ways])
    centre = (seen.min(axis=0) + seen.max(axis=0)) / 2
    scale = float(min(np.array([width, height]) / (np.ptp(seen, axis=0) + 0.8)))
    middle = np.array([left + width / 2, top + height / 2])

    def to_page(xz: np.ndarray) -> np.ndarray:
        return middle - (xz - centre) * scale

    for way in fan.ways:
        draw_path(page, to_page(way), WAY, 1.4)
    for way, turn in zip(fan.ways, fan.turns):
        _draw_arrow(page, to_page(way[-1]), np.radians(turn), ACCENT)
    _draw_arrow(page, to_page(np.zeros(2)), 0.0, INK)
    pen.line((left + 12, top + height - 12, left + 12 + scale, top + height - 12), fill=INK, width=2)
    write_text(pen, (left + 12 + scale / 2, top + height - 16), "1 m", 12, FAINT_INK, "ms")


def _draw_arrow(page: "Image.Image", at: np.ndarray, heading: float, colour: tuple[int, int, int]) -> None:
    forward = -np.array([np.sin(heading), np.cos(heading)])
    aside = np.array([forward[1], -forward[0]])
    corners = [9 * forward, -5 * forward + 5 * aside, -2 * forward, -5 * forward - 5 * aside]
    draw_polygon(page, at + np.array(corners), colour)


def _draw_turns(pen: "ImageDraw.ImageDraw", angles: np.ndarray, what: str, box: Box) -> None:
    """Every turn as a line from 180 to the left (at the left) to 180 to the right; the widest gap is shaded."""
    left, top, width, height = box

    def across(angle: float) -> float:
        return left + (180 - angle) / 360 * width

    write_text(pen, (left - 12, top + height / 2 - 9), what, 14, INK, "rm")
    write_text(pen, (left - 12, top + height / 2 + 9), f"{len(angles)} turns", 12, FAINT_INK, "rm")
    gap, start, stop = _widest_gap(angles)
    for low, high in ((start, stop), (start - 360, stop - 360)):
        if high > -180 and low < 180:
            pen.rectangle((across(min(high, 180)), top, across(max(low, -180)), top + height), fill=GAP)
    pen.rectangle((left, top, left + width, top + height), outline=RULE)
    for angle in angles:
        pen.line((across(angle), top + 6, across(angle), top + height - 6), fill=ACCENT if len(angles) < 400 else PALE)
    for angle in range(-180, 181, 45):
        side = "" if angle in (0, 180, -180) else " left" if angle > 0 else " right"
        pen.line((across(angle), top + height, across(angle), top + height + 5), fill=INK)
        write_text(pen, (across(angle), top + height + 8), f"{abs(angle)}{side}", 12, INK, "ma")
    write_text(pen, (left + width, top - 6), f"widest gap {gap:.0f} degrees", 13, FAINT_INK, "rs")


def _widest_gap(angles: np.ndarray) -> tuple[float, float, float]:
    """The width of the widest gap around the circle, its start and its end; degrees."""
    if len(angles) < 2:
        return 360.0, -180.0, 180.0
    order = np.sort(angles)
    gaps = np.diff(np.append(order, order[0] + 360))
    widest = int(gaps.argmax())
    return float(gaps[widest]), float(order[widest]), float(order[widest] + gaps[widest])
