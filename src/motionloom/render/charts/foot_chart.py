"""The foot chart: paths, speeds and heights of heels and balls before and after an edit."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import find_runs
from motionloom.render.charts.sheet_charts import (
    CONTACT_ROWS,
    LEFT_BYTES,
    PALE_LEFT,
    PALE_RIGHT,
    RIGHT_BYTES,
    Box,
    draw_seconds,
)
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, new_page, save_page, write_text

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, MARGIN, HEADER, ROW, LABELS = 1600, 28, 64, 76, 110  # pixels
PLAN_WIDTH = 440
PAPER = (255, 255, 255)
BEFORE = (172, 178, 188)
TOP_SPEED = 0.6  # metres per second at the top of a row; a resting point is slower
LOWEST, HIGHEST = -0.03, 0.15  # metres from the floor: range of the heights
SIDE_ROWS = (("left foot", slice(0, 2), LEFT_BYTES), ("right foot", slice(2, 4), RIGHT_BYTES))


@dataclass(frozen=True, eq=False)
class FootTracks:
    """Heels and balls of a motion before and after an edit."""

    before: np.ndarray  # (F, 4, 3) metres, world: left heel, left ball, right heel, right ball
    after: np.ndarray  # (F, 4, 3)
    contacts: np.ndarray  # (F, 4) bool
    floor: float  # metres
    fps: float

    def __post_init__(self) -> None:
        n_frames = len(self.before)
        if self.before.shape != (n_frames, 4, 3) or self.after.shape != (n_frames, 4, 3) or n_frames == 0:
            raise BadInput(f"points have shapes {self.before.shape} and {self.after.shape}, expected (F, 4, 3)")
        if np.shape(self.contacts) != (n_frames, 4):
            raise BadInput(f"contacts have shape {np.shape(self.contacts)}, expected ({n_frames}, 4)")


def write_foot_chart(path: str | Path, tracks: FootTracks, title: str = "") -> None:
    """Draw a foot chart and write it as a PNG."""
    save_page(path, draw_foot_chart(tracks, title))


def draw_foot_chart(tracks: FootTracks, title: str = "") -> np.ndarray:
    """Draw ground paths, speeds in contact and heights, before in grey and after in colour, (H, W, 3)."""
    height = HEADER + ROW * (len(CONTACT_ROWS) + len(SIDE_ROWS)) + 56
    page, pen = new_page(WIDTH, height, PAPER)
    write_text(pen, (MARGIN, 20), title, 22, INK)
    write_text(pen, (WIDTH - MARGIN, 28), "grey: before   colour: after", 14, FAINT_INK, "ra")
    _draw_plan(page, pen, tracks, (MARGIN, HEADER, PLAN_WIDTH, height - HEADER - 40))
    left = MARGIN + PLAN_WIDTH + LABELS
    inner = (left, HEADER, WIDTH - MARGIN - left, ROW)
    for row in range(len(CONTACT_ROWS)):
        _draw_speeds(page, pen, tracks, row, (inner[0], HEADER + row * ROW, inner[2], ROW - 10))
    for i, side in enumerate(SIDE_ROWS):
        top = HEADER + (len(CONTACT_ROWS) + i) * ROW
        _draw_heights(page, pen, tracks, side, (inner[0], top, inner[2], ROW - 10))
    draw_seconds(pen, len(tracks.before) / tracks.fps, (inner[0], HEADER, inner[2], height - HEADER - 56))
    return np.asarray(page)


def _draw_plan(page: "Image.Image", pen: "ImageDraw.ImageDraw", tracks: FootTracks, box: Box) -> None:
    """The path of each point while in contact, from above; heading 0 points up the page."""
    left, top, width, height = box
    write_text(pen, (left, top), "planted points from above", 13, FAINT_INK)
    top, height = top + 22, height - 22
    pen.rectangle((left, top, left + width, top + height), outline=RULE)
    resting = tracks.before[tracks.contacts][:, [0, 2]]
    if not len(resting):
        write_text(pen, (left + width / 2, top + height / 2), "no foot rests", 13, FAINT_INK, "mm")
        return
    low, high = resting.min(axis=0), resting.max(axis=0)
    scale = float(min(width / (high[0] - low[0] + 0.3), height / (high[1] - low[1] + 0.3)))
    middle = np.array([left + width / 2, top + height / 2])
    for points, is_after in ((tracks.before, False), (tracks.after, True)):
        for k, (_, colour) in enumerate(CONTACT_ROWS):
            for start, stop in find_runs(tracks.contacts[:, k]):
                way = middle - (points[start:stop, k][:, [0, 2]] - (low + high) / 2) * scale
                draw_path(page, way, _rgb(colour) if is_after else BEFORE, 2.0)
                if is_after:
                    x, y = way.mean(axis=0)
                    pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=colour)
    metre = next((step for step in (1.0, 0.5, 0.1) if step * scale < width / 2), 0.1)
    pen.line((left + 12, top + height - 12, left + 12 + metre * scale, top + height - 12), fill=INK, width=2)
    write_text(pen, (left + 12, top + height - 18), f"{metre:g} m", 12, INK, "ls")


def _draw_speeds(page: "Image.Image", pen: "ImageDraw.ImageDraw", tracks: FootTracks, row: int, box: Box) -> None:
    """The ground speed of one point, with bars for contacts."""
    left, top, width, height = box
    name, colour = CONTACT_ROWS[row]
    write_text(pen, (left - 10, top + height / 2 - 8), name, 13, INK, "rm")
    write_text(pen, (left - 10, top + height / 2 + 9), f"to {100 * TOP_SPEED:.0f} cm/s", 11, FAINT_INK, "rm")
    _draw_frame(pen, box)
    for start, stop in find_runs(tracks.contacts[:, row]):
        x0, x1 = (left + i / len(tracks.contacts) * width for i in (start, stop))
        pen.rectangle((x0, top + 1, x1, top + height - 1), fill=PALE_LEFT if row < 2 else PALE_RIGHT)
    for points, ink in ((tracks.before, BEFORE), (tracks.after, colour)):
        speeds = np.zeros(len(points))
        if len(points) > 1:
            speeds = np.linalg.norm(np.gradient(points[:, row][:, [0, 2]], 1 / tracks.fps, axis=0), axis=-1)
        _draw_curve(page, np.clip(speeds / TOP_SPEED, 0, 1), ink, box)


def _draw_heights(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    tracks: FootTracks,
    side: tuple[str, slice, tuple[int, ...]],
    box: Box,
) -> None:
    """The height of the lower point of a foot, with a line for the floor."""
    left, top, width, height = box
    name, columns, colour = side
    write_text(pen, (left - 10, top + height / 2 - 8), name, 13, INK, "rm")
    span = f"{100 * LOWEST:.0f} to {100 * HIGHEST:.0f} cm"
    write_text(pen, (left - 10, top + height / 2 + 9), span, 11, FAINT_INK, "rm")
    _draw_frame(pen, box)
    floor_y = top + height - height * -LOWEST / (HIGHEST - LOWEST)
    pen.line((left, floor_y, left + width, floor_y), fill=FAINT_INK)
    for points, ink in ((tracks.before, BEFORE), (tracks.after, colour)):
        low = points[:, columns, 1].min(axis=1) - tracks.floor
        _draw_curve(page, np.clip((low - LOWEST) / (HIGHEST - LOWEST), 0, 1), ink, box)


def _draw_curve(page: "Image.Image", shares: np.ndarray, colour: tuple[int, ...], box: Box) -> None:
    """(F,) fractions of the box's height, 0 at the bottom; 0 for missing points."""
    left, top, width, height = box
    if not np.isnan(shares).any():
        x = left + (np.arange(len(shares)) + 0.5) / len(shares) * width
        draw_path(page, np.stack([x, top + height - shares * height], axis=-1), _rgb(colour), 1.6)


def _draw_frame(pen: "ImageDraw.ImageDraw", box: Box) -> None:
    left, top, width, height = box
    pen.rectangle((left, top, left + width, top + height), outline=RULE)


def _rgb(colour: tuple[int, ...]) -> tuple[int, int, int]:
    red, green, blue = colour
    return red, green, blue
