"""Palette sheets: poses side by side, each with a line or two about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionloom.body import NeutralPose
from motionloom.errors import BadInput
from motionloom.motion import Motion
from motionloom.render.drawing import FAINT_INK, INK, new_page, save_page, write_text
from motionloom.render.scene.camera import look_from
from motionloom.render.scene.figures import make_figures
from motionloom.render.scene.frame import Look, render_frame

COLUMNS, CELL, WORDS, MARGIN, HEADER = 8, (180, 210), 40, 24, 56  # poses in a row; pixels
PAPER = (246, 247, 249)
LENS = 0.12  # radians of field of view
BODIES_HIGH = 2.3  # legs that a picture is high


@dataclass(frozen=True, eq=False)
class ShownPose:
    """A pose and what is written below it."""

    pose: Motion  # one frame, at the origin, facing +z
    title: str
    fact: str = ""
    neutral: NeutralPose = field(default_factory=NeutralPose)


def write_palette_sheet(path: str | Path, poses: Sequence[ShownPose], title: str = "") -> None:
    """Draw poses side by side and write them as a PNG."""
    save_page(path, draw_palette_sheet(poses, title))


def draw_palette_sheet(poses: Sequence[ShownPose], title: str = "") -> np.ndarray:
    """Draw poses in rows, in their order: (H, W, 3) uint8."""
    from PIL import Image

    if not poses:
        raise BadInput("no poses to draw; give at least one")
    rows = -(-len(poses) // COLUMNS)
    size = (2 * MARGIN + COLUMNS * CELL[0], HEADER + rows * (CELL[1] + WORDS) + MARGIN)
    page, pen = new_page(*size, PAPER)
    write_text(pen, (MARGIN, 18), title, 20, INK)
    for number, shown in enumerate(poses):
        left, top = MARGIN + number % COLUMNS * CELL[0], HEADER + number // COLUMNS * (CELL[1] + WORDS)
        page.paste(Image.fromarray(draw_pose(shown.pose, CELL, shown.neutral)), (left, top))
        write_text(pen, (left + CELL[0] / 2, top + CELL[1] + 2), shown.title, 13, INK, "ma")
        write_text(pen, (left + CELL[0] / 2, top + CELL[1] + 20), shown.fact, 12, FAINT_INK, "ma")
    return np.asarray(page)


def draw_pose(pose: Motion, size: tuple[int, int], neutral: NeutralPose | None = None) -> np.ndarray:
    """One pose seen from half left in front: (H, W, 3) uint8."""
    high = BODIES_HIGH * pose.skeleton.leg_length
    middle = np.array([0.0, 0.45 * high, 0.0])
    camera = look_from(middle, np.pi / 5, 0.5 * high / np.tan(LENS / 2), elevation=0.16, field_of_view=LENS)
    figures = make_figures(pose, [0], neutral=neutral or NeutralPose())
    return render_frame(figures, camera, size, floor=0.0, look=Look(grid=0.0, fade=60.0))
