"""Words, bars and lines on pictures."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

INK = (52, 58, 68)
FAINT_INK = (128, 136, 148)
RULE = (214, 218, 224)


def new_page(width: int, height: int, colour: tuple[int, int, int]) -> "tuple[Image.Image, ImageDraw.ImageDraw]":
    """An empty page and the pen that draws on it."""
    from PIL import Image, ImageDraw

    page = Image.new("RGB", (width, height), colour)
    return page, ImageDraw.Draw(page)


def write_text(
    pen: "ImageDraw.ImageDraw",
    at: tuple[float, float],
    text: str,
    size: int,
    colour: tuple[int, int, int] = INK,
    anchor: str = "la",
) -> None:
    """Write a line; anchor as in Pillow: l, m, r and a, m, s."""
    from PIL import ImageFont

    pen.text(at, text, fill=colour, font=ImageFont.load_default(size), anchor=anchor)


def text_width(pen: "ImageDraw.ImageDraw", text: str, size: int) -> float:
    """Pixels that a line needs."""
    from PIL import ImageFont

    return float(pen.textlength(text, font=ImageFont.load_default(size)))


def draw_path(page: "Image.Image", points: np.ndarray, colour: tuple[int, int, int], width: float) -> None:
    """Draw (N, 2) pixels as a smooth-edged line, by drawing it four times as large and shrinking it."""
    from PIL import Image, ImageDraw

    if len(points) < 2:
        return
    low = np.floor(points.min(axis=0)).astype(int) - 4
    high = np.ceil(points.max(axis=0)).astype(int) + 4
    mask = Image.new("L", tuple(int(v) for v in (high - low) * 4), 0)
    corners = [tuple(p) for p in ((points - low) * 4).tolist()]
    ImageDraw.Draw(mask).line(corners, fill=255, width=max(1, round(width * 4)), joint="curve")
    page.paste(colour, tuple(int(v) for v in low), mask.resize(tuple(int(v) for v in high - low), Image.Resampling.BOX))


def draw_polygon(page: "Image.Image", points: np.ndarray, colour: tuple[int, int, int]) -> None:
    """Fill (N, 2) pixels with smooth edges."""
    from PIL import Image, ImageDraw

    low = np.floor(points.min(axis=0)).astype(int) - 1
    high = np.ceil(points.max(axis=0)).astype(int) + 2
    mask = Image.new("L", tuple(int(v) for v in (high - low) * 4), 0)
    ImageDraw.Draw(mask).polygon([tuple(p) for p in ((points - low) * 4).tolist()], fill=255)
    page.paste(colour, tuple(int(v) for v in low), mask.resize(tuple(int(v) for v in high - low), Image.Resampling.BOX))
