"""The charts of a contact sheet: the ground plan, and contacts, height and speed over time."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from motionloom.motion import Motion, PointMotion, find_runs
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, draw_polygon, write_text
from motionloom.render.scene.figures import LEFT_COLOUR, RIGHT_COLOUR
from motionloom.render.scene.footprints import find_footprints
from motionloom.render.scene.trajectory import Trajectory

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

Box = tuple[int, int, int, int]  # left, top, width, height in pixels

ACCENT = (52, 110, 190)
LEAST_RANGE = 2.0  # millimetres of a curve of a face: smaller changes are drawn small
LEFT_BYTES = tuple(round(255 * v) for v in LEFT_COLOUR)
RIGHT_BYTES = tuple(round(255 * v) for v in RIGHT_COLOUR)
PALE_LEFT, PALE_RIGHT = (168, 203, 229), (243, 202, 165)
CONTACT_ROWS = (
    ("left heel", LEFT_BYTES),
    ("left ball", LEFT_BYTES),
    ("right heel", RIGHT_BYTES),
    ("right ball", RIGHT_BYTES),
)


def draw_ground_plan(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    motion: Motion | PointMotion,
    trajectory: Trajectory,
    contacts: np.ndarray | None,
    frames: np.ndarray,
    box: Box,
    *,
    also: np.ndarray | None = None,
) -> Callable[[np.ndarray], np.ndarray]:
    """Draw the path from above with arrows for headings: heading 0 points up the page, left is left.

    The plan includes (N, 2) positions `also`, metres along x and z; returns the map from the ground to the page.
    """
    left, top, width, height = box
    write_text(pen, (left, top), "from above", 13, FAINT_INK)
    top, height = top + 22, height - 22
    ground = trajectory.centres[:, [0, 2]]
    seen = ground if also is None or not len(also) else np.concatenate([ground, also])
    centre = (seen.min(axis=0) + seen.max(axis=0)) / 2
    extent = np.maximum(np.ptp(seen, axis=0) + 0.9, 1.5)
    scale = float(min(width / extent[0], height / extent[1]))
    middle = np.array([left + width / 2, top + height / 2])

    def to_page(xz: np.ndarray) -> np.ndarray:
        return middle - (xz - centre) * scale

    _draw_metres(pen, (left, top, width, height), centre, scale, middle)
    if contacts is not None and isinstance(motion, Motion):
        for footprint in find_footprints(motion, contacts):
            draw_polygon(page, to_page(footprint.outline), PALE_LEFT if footprint.side == "left" else PALE_RIGHT)
    draw_path(page, to_page(ground), (96, 104, 118), 1.6)
    _draw_arrows(page, to_page(ground[frames]), trajectory.headings[frames])
    _write_times(pen, motion, frames, to_page(ground[frames]), (left, top, width, height))
    x, y = to_page(ground[0])
    pen.ellipse((x - 5, y - 5, x + 5, y + 5), outline=INK, fill=(255, 255, 255), width=2)
    return to_page


def _draw_arrows(page: "Image.Image", at: np.ndarray, headings: np.ndarray) -> None:
    drawn: list[np.ndarray] = []
    for here, heading in zip(at, headings):
        if any(np.linalg.norm(here - other) < 16 for other in drawn):
            continue  # no overlapping arrows
        drawn.append(here)
        forward = -np.array([np.sin(heading), np.cos(heading)])
        aside = np.array([forward[1], -forward[0]])
        corners = [11 * forward, -6 * forward + 6 * aside, -2.5 * forward, -6 * forward - 6 * aside]
        draw_polygon(page, here + np.array(corners), ACCENT)


def _write_times(
    pen: "ImageDraw.ImageDraw", motion: Motion | PointMotion, frames: np.ndarray, at: np.ndarray, box: Box
) -> None:
    """Seconds beside the path, where there is space."""
    left, top, width, height = box
    written: list[np.ndarray] = []
    for frame, (x, y) in zip(frames, at):
        place = np.array([x + 13.0, y])
        apart = min((float(np.abs((place - other) / (40, 16)).max()) for other in written), default=2.0)
        if apart > 1 and x + 50 < left + width and top + 8 < y < top + height - 8:
            write_text(pen, (place[0], place[1]), f"{frame / motion.fps:.1f} s", 11, FAINT_INK, "lm")
            written.append(place)


def _draw_metres(pen: "ImageDraw.ImageDraw", box: Box, centre: np.ndarray, scale: float, middle: np.ndarray) -> None:
    """A faint grid: every metre, or every 5 or 10 at small scales."""
    left, top, width, height = box
    step = next(s for s in (1.0, 2.0, 5.0, 10.0, 50.0, 1e6) if s * scale > 26)
    pen.rectangle((left, top, left + width, top + height), outline=RULE)
    low, high = centre - np.array([width, height]) / 2 / scale, centre + np.array([width, height]) / 2 / scale
    for value in np.arange(np.ceil(low[0] / step), np.floor(high[0] / step) + 1) * step:
        x = middle[0] - (value - centre[0]) * scale
        pen.line((x, top, x, top + height), fill=RULE if value else FAINT_INK)
    for value in np.arange(np.ceil(low[1] / step), np.floor(high[1] / step) + 1) * step:
        y = middle[1] - (value - centre[1]) * scale
        pen.line((left, y, left + width, y), fill=RULE if value else FAINT_INK)
    write_text(pen, (left + width - 6, top + height - 6), f"{step:g} m squares", 12, FAINT_INK, "rs")


def draw_time_chart(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    motion: Motion | PointMotion,
    trajectory: Trajectory,
    contacts: np.ndarray | None,
    frames: np.ndarray,
    box: Box,
) -> None:
    """Draw foot contacts as bars, then the height and the speed of the figure, over a ruler in seconds and frames."""
    left, top, width, height = box
    label_width = 96
    inner = (left + label_width, top + 22, width - label_width, height - 22 - 34)
    pen.rectangle((inner[0], inner[1], inner[0] + inner[2], inner[1] + inner[3]), outline=RULE)
    _draw_ruler(pen, motion, frames, inner)
    write_text(
        pen,
        (inner[0], top),
        "over time" if contacts is None else "foot contacts, height and speed of the hips",
        13,
        FAINT_INK,
    )
    curves_top = inner[1]
    if contacts is not None:
        for row, (name, colour) in enumerate(CONTACT_ROWS):
            y = inner[1] + 8 + row * 21
            write_text(pen, (inner[0] - 10, y + 7), name, 13, INK, "rm")
            _draw_bars(pen, contacts[:, row], colour, (inner[0], y, inner[2], 14))
        curves_top = inner[1] + 8 + 4 * 21 + 6
    heights, speeds = trajectory.centres[:, 1] - trajectory.floor, np.zeros(motion.n_frames)
    if motion.n_frames > 1:
        speeds = np.linalg.norm(np.gradient(trajectory.centres[:, [0, 2]], 1 / motion.fps, axis=0), axis=-1)
    room = inner[1] + inner[3] - curves_top
    _draw_curve(page, pen, heights, "height", "m", (inner[0], curves_top, inner[2], room // 2))
    _draw_curve(page, pen, speeds, "speed", "m/s", (inner[0], curves_top + room // 2, inner[2], room - room // 2))


def draw_face_chart(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    motion: PointMotion,
    curves: Mapping[str, np.ndarray],
    frames: np.ndarray,
    box: Box,
) -> None:
    """Draw (F,) millimetres by name, each over its own range, over a ruler in seconds and frames."""
    left, top, width, height = box
    label_width = 110
    inner = (left + label_width, top + 22, width - label_width, height - 22 - 34)
    pen.rectangle((inner[0], inner[1], inner[0] + inner[2], inner[1] + inner[3]), outline=RULE)
    _draw_ruler(pen, motion, frames, inner)
    write_text(pen, (inner[0], top), "over time", 13, FAINT_INK)
    each = inner[3] // max(len(curves), 1)
    for number, (name, values) in enumerate(curves.items()):
        _draw_range(page, pen, values, name, (inner[0], inner[1] + number * each, inner[2], each))


def _draw_range(page: "Image.Image", pen: "ImageDraw.ImageDraw", values: np.ndarray, name: str, box: Box) -> None:
    """A curve from its lowest to its highest value, with gaps where there is none."""
    left, top, width, height = box
    seen = np.isfinite(values)
    low, high = (float(values[seen].min()), float(values[seen].max())) if seen.any() else (0.0, 0.0)
    x = left + (np.arange(len(values)) + 0.5) / len(values) * width
    y = top + height - 6 - (values - low) / max(high - low, LEAST_RANGE) * (height - 12)
    shown = " to ".join(f"{round(value, 1) + 0.0:g}" for value in (low, high))
    write_text(pen, (left - 10, top + height / 2 - 7), name, 13, INK, "rm")
    write_text(pen, (left - 10, top + height / 2 + 9), f"{shown} mm", 11, FAINT_INK, "rm")
    pen.line((left, top + height, left + width, top + height), fill=RULE)
    for start, stop in find_runs(seen):
        draw_path(page, np.stack([x, y], axis=-1)[start:stop], (96, 104, 118), 1.6)


def _draw_ruler(pen: "ImageDraw.ImageDraw", motion: Motion | PointMotion, frames: np.ndarray, box: Box) -> None:
    left, top, width, height = box
    step = next(
        s for s in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 1e9) if s * width / max(motion.duration, 1e-9) > 62
    )
    for k in range(int(motion.duration / step + 1e-9) + 1):
        x = left + k * step / motion.duration * width
        pen.line((x, top, x, top + height + 4), fill=RULE)
        if x < left + width - 20:
            write_text(pen, (x, top + height + 7), f"{k * step:g} s", 12, INK, "ma")
            write_text(pen, (x, top + height + 22), f"{round(k * step * motion.fps)}", 11, FAINT_INK, "ma")
    for frame in frames:
        x = left + (frame + 0.5) / motion.n_frames * width
        pen.polygon([(x - 3, top - 5), (x + 3, top - 5), (x, top)], fill=ACCENT)


def _draw_bars(pen: "ImageDraw.ImageDraw", resting: np.ndarray, colour: tuple[int, ...], box: Box) -> None:
    left, top, width, height = box
    pen.line((left, top + height / 2, left + width, top + height / 2), fill=RULE)
    for start, stop in find_runs(resting):
        x0, x1 = left + start / len(resting) * width, left + stop / len(resting) * width
        pen.rounded_rectangle((x0, top, max(x1 - 1, x0 + 1), top + height), radius=min(4, (x1 - x0) / 3), fill=colour)


def _draw_curve(
    page: "Image.Image", pen: "ImageDraw.ImageDraw", values: np.ndarray, name: str, unit: str, box: Box
) -> None:
    left, top, width, height = box
    low, high = min(0.0, float(np.nanmin(values))), max(float(np.nanmax(values)), 1e-3)
    x = left + (np.arange(len(values)) + 0.5) / len(values) * width
    y = top + height - 4 - (values - low) / (high - low) * (height - 10)
    write_text(pen, (left - 10, top + height / 2 - 7), name, 13, INK, "rm")
    write_text(pen, (left - 10, top + height / 2 + 9), f"to {high:.2f} {unit}", 11, FAINT_INK, "rm")
    pen.line((left, top + height, left + width, top + height), fill=RULE)
    draw_path(page, np.stack([x, y], axis=-1), (96, 104, 118), 1.6)


def draw_seconds(pen: "ImageDraw.ImageDraw", seconds: float, box: Box) -> None:
    """A ruler in seconds below a box."""
    left, top, width, height = box
    step = next(s for s in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 1e9) if s * width / seconds > 62)
    for k in range(int(seconds / step + 1e-9) + 1):
        x = left + k * step / seconds * width
        pen.line((x, top + height, x, top + height + 5), fill=INK)
        write_text(pen, (x, top + height + 8), f"{k * step:g} s", 12, INK, "ma")
