"""Comparison sheets: the same frames of several bodies above each other, from one camera and in one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion import Footing, Motion
from motionloom.render.drawing import FAINT_INK, INK, new_page, save_page, write_text
from motionloom.render.scene.camera import look_from
from motionloom.render.scene.figures import make_figures
from motionloom.render.scene.frame import Look, render_frame
from motionloom.render.scene.supports import make_footing
from motionloom.render.scene.trajectory import find_centres, find_headings

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, MARGIN, HEADER, CAPTION = 1600, 28, 64, 26  # pixels
PAPER = (246, 247, 249)
LENS = 0.12  # radians of field of view
QUARTER = np.pi / 5  # radians of the camera beside the heading of the first body
ROOM = 1.12  # height of a cell relative to that of the tallest body in it
NARROW = 0.72  # width of a cell relative to its height
SUPPORT_SHOWN = 0.6  # metres around a pose


@dataclass(frozen=True, eq=False)
class ComparedBody:
    """A body to be drawn beside others of as many frames."""

    title: str
    motion: Motion
    floor: float = 0.0  # metres: height of the ground
    footing: Footing | None = None  # what it stands on besides


def write_comparison_sheet(
    path: str | Path, bodies: Sequence[ComparedBody], title: str = "", frames: Sequence[int] | None = None
) -> None:
    """Draw a comparison sheet and write it as a PNG."""
    save_page(path, draw_comparison_sheet(bodies, title, frames))


def draw_comparison_sheet(
    bodies: Sequence[ComparedBody], title: str = "", frames: Sequence[int] | None = None
) -> np.ndarray:
    """Draw a row for each body, (H, W, 3) uint8: its poses in the same frames.

    Args:
        bodies: at least one, all of as many frames.
        title: of the sheet.
        frames: to draw; None for eight, evenly spaced.
    """
    if not bodies or len({body.motion.n_frames for body in bodies}) > 1 or not bodies[0].motion.n_frames:
        raise BadInput("bodies to compare need as many frames each, and at least one")
    n_frames = bodies[0].motion.n_frames
    shown = np.unique(np.linspace(0, n_frames - 1, 8).round().astype(int)) if frames is None else np.array(frames, int)
    cell = (WIDTH - 2 * MARGIN) // len(shown)
    size = (cell - 4, round(cell / NARROW))
    metres = ROOM * max(_height(body, shown) for body in bodies)
    page, pen = new_page(WIDTH, HEADER + len(bodies) * (size[1] + CAPTION) + MARGIN, PAPER)
    write_text(pen, (MARGIN, 20), title, 22, INK)
    headings = find_headings(bodies[0].motion)[shown] + QUARTER
    for number, body in enumerate(bodies):
        top = HEADER + number * (size[1] + CAPTION)
        _draw_body(page, pen, body, shown, headings, top, size, metres)
    return np.asarray(page)


def _height(body: ComparedBody, frames: np.ndarray) -> float:
    return max(float(figure.points[:, 1].max()) - body.floor for figure in make_figures(body.motion, frames))


def _draw_body(
    page: "Image.Image",
    pen: "ImageDraw.ImageDraw",
    body: ComparedBody,
    frames: np.ndarray,
    headings: np.ndarray,
    top: int,
    size: tuple[int, int],
    metres: float,
) -> None:
    from PIL import Image

    centres = find_centres(body.motion)
    for column, (frame, heading, figure) in enumerate(zip(frames, headings, make_figures(body.motion, frames))):
        if body.footing is not None and not body.footing.is_flat:
            around = make_footing(body.footing, int(frame), centres[frame, [0, 2]], radius=SUPPORT_SHOWN)
            figure = figure.joined(around)
        target = np.array([centres[frame, 0], body.floor + 0.44 * metres, centres[frame, 2]])
        distance = 0.5 * metres / np.tan(LENS / 2)
        camera = look_from(target, float(heading), distance, elevation=0.16, field_of_view=LENS)
        picture = render_frame([figure], camera, size, floor=body.floor, look=Look(grid=0.0, fade=60.0))
        left = MARGIN + column * (size[0] + 4)
        page.paste(Image.fromarray(picture), (left, top + CAPTION))
        write_text(pen, (left + 8, top + CAPTION + 6), f"{frame / body.motion.fps:.2f} s", 12, FAINT_INK)
    write_text(pen, (MARGIN, top + 6), body.title, 15, INK)
