"""Sheets of common poses: the overlaid match frames of each hub, and its common pose."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.body import NeutralPose
from motionloom.errors import BadInput
from motionloom.motion import Box, Motion
from motionloom.render.drawing import FAINT_INK, INK, new_page, save_page, write_text
from motionloom.render.scene.camera import look_from
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import make_figures
from motionloom.render.scene.frame import Look, render_frame
from motionloom.render.scene.supports import make_boxes

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH, MARGIN, HEADER, ROW, WORDS = 1600, 28, 64, 400, 46  # pixels
PAPER = (246, 247, 249)
LENS = 0.12  # radians of field of view
METRES_HIGH = 1.95
MOST_EXPOSED = 16  # maximum number of overlaid match frames; of more, a sample
VIEWS = (("quarter", np.pi / 5), ("side", np.pi / 2))  # heading of the camera relative to the pose


@dataclass(frozen=True, eq=False)
class HubPoses:
    """A hub to be drawn: all poses at the origin, facing +z."""

    title: str
    match_frames: Motion  # N frames, one for each match frame, aligned
    common_pose: Motion  # one frame
    facts: str = ""  # a line below the title
    boxes: tuple[Box, ...] = ()  # that the common pose stands on
    neutral: NeutralPose = field(default_factory=NeutralPose)  # of the body


def write_pose_sheet(path: str | Path, hubs: Sequence[HubPoses], title: str = "") -> None:
    """Draw a sheet of common poses and write it as a PNG."""
    save_page(path, draw_pose_sheet(hubs, title))


def draw_pose_sheet(hubs: Sequence[HubPoses], title: str = "") -> np.ndarray:
    """Draw a row for each hub, (H, W, 3) uint8: its match frames and its common pose, from two sides."""
    if not hubs:
        raise BadInput("no hubs to draw; give at least one")
    page, pen = new_page(WIDTH, HEADER + len(hubs) * (ROW + WORDS) + MARGIN, PAPER)
    write_text(pen, (MARGIN, 20), title, 22, INK)
    write_text(pen, (WIDTH - MARGIN, 28), "match frames over each other, and their common pose", 14, FAINT_INK, "ra")
    for number, hub in enumerate(hubs):
        _draw_hub(page, pen, hub, HEADER + number * (ROW + WORDS))
    return np.asarray(page)


def _draw_hub(page: "Image.Image", pen: "ImageDraw.ImageDraw", hub: HubPoses, top: int) -> None:
    from PIL import Image

    write_text(pen, (MARGIN, top), hub.title, 17, INK)
    write_text(pen, (MARGIN, top + 23), hub.facts, 14, FAINT_INK)
    matched, common = _exposed(hub.match_frames, hub.neutral), make_figures(hub.common_pose, [0], neutral=hub.neutral)
    level = max((box.top for box in hub.boxes), default=0.0)
    if hub.boxes:
        matched, common = ([figure.joined(make_boxes(hub.boxes)) for figure in some] for some in (matched, common))
    width = (WIDTH - 2 * MARGIN) // (2 * len(VIEWS))
    for number, (name, heading) in enumerate(VIEWS):
        for column, (figures, what) in enumerate(((matched, "match frames"), (common, "common pose"))):
            left = MARGIN + (2 * number + column) * width
            picture = _expose(figures, heading, (width - 6, ROW), level)
            page.paste(Image.fromarray(picture), (left, top + WORDS))
            write_text(pen, (left + 10, top + WORDS + 8), f"{what}, {name}", 13, FAINT_INK)


def _exposed(motion: Motion, neutral: NeutralPose) -> list[Figure]:
    count = min(motion.n_frames, MOST_EXPOSED)
    frames = np.unique(np.linspace(0, motion.n_frames - 1, count).round().astype(int))
    return make_figures(motion, frames, neutral=neutral)


def _expose(figures: list[Figure], heading: float, size: tuple[int, int], level: float) -> np.ndarray:
    """Overlaid poses on a level in metres, as a multiple exposure: common parts are dark, differences faint."""
    distance = 0.5 * (METRES_HIGH + level) / np.tan(LENS / 2)
    camera = look_from(np.array([0.0, 0.86 + level / 2, 0.0]), heading, distance, elevation=0.16, field_of_view=LENS)
    look = Look(grid=0.0, fade=60.0)
    pictures = [render_frame([figure], camera, size, floor=0.0, look=look) for figure in figures]
    return np.mean(pictures, axis=0).round().astype(np.uint8)
