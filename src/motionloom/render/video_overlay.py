"""The overlay of a video: time, title and foot contacts."""

from typing import TYPE_CHECKING

import numpy as np

from motionloom.render.drawing import FAINT_INK, INK, RULE, write_text
from motionloom.render.scene.figures import LEFT_COLOUR, RIGHT_COLOUR

if TYPE_CHECKING:
    from PIL import ImageDraw


def draw_overlay(
    picture: np.ndarray, seconds: float, frame: int, title: str | None, resting: np.ndarray | None
) -> np.ndarray:
    """Draw time, title and indicators of foot contacts over a picture.

    Args:
        picture: (H, W, 3) uint8.
        seconds: since the start.
        frame: of the motion.
        title: or None.
        resting: (4,) bool: left heel, left ball, right heel, right ball; or None.

    Returns:
        (H, W, 3) uint8.
    """
    from PIL import Image, ImageDraw

    page = Image.fromarray(picture)
    pen = ImageDraw.Draw(page)
    height, width = picture.shape[:2]
    unit = max(height / 540, 0.5)
    size, edge = round(18 * unit), round(16 * unit)
    if title:
        write_text(pen, (edge, edge), title, size, INK)
    write_text(pen, (width - edge, edge), f"{seconds:6.2f} s   {frame}", size, FAINT_INK, "ra")
    if resting is not None:
        _draw_lamps(pen, np.asarray(resting, bool), width / 2, height - 2.6 * edge, 9 * unit)
    return np.asarray(page)


def _draw_lamps(pen: "ImageDraw.ImageDraw", resting: np.ndarray, x: float, y: float, unit: float) -> None:
    """Two soles seen from above, toes up: the left foot on the left, as seen from behind."""
    for column, colour in ((0, LEFT_COLOUR), (1, RIGHT_COLOUR)):
        ink = tuple(round(255 * v) for v in colour)
        centre = x + (2 * column - 1) * 1.6 * unit
        for row, half in ((1, 1.15), (0, 0.85)):  # ball above heel
            top = y + (1 - row) * 2.1 * unit - row * 0.6 * unit
            box = (centre - half * unit, top, centre + half * unit, top + (1.9 + 0.6 * row) * unit)
            lit = bool(resting[2 * column + row])
            pen.ellipse(box, fill=ink if lit else None, outline=ink if lit else RULE)
