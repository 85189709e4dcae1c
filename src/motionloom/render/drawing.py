"""2D drawing: pages, text, smooth lines and polygons (Pillow)."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motionloom.formats.atomic_write import replacing

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

INK = (52, 58, 68)
FAINT_INK = (128, 136, 148)
RULE = (214, 218, 224)


def new_page(width: int, height: int, colour: tuple[int, int, int]) -> "tuple[Image.Image, ImageDraw.ImageDraw]":
    """An empty page and its ImageDraw."""
    from PIL import Image, ImageDraw

    page = Image.new("RGB", (width, height), colour)
    return page, ImageDraw.Draw(page)


def save_page(path: str | Path, page: np.ndarray) -> None:
    """Write an (H, W, 3) uint8 picture as a PNG; raises `BadInput` if the path is not writable."""
    from PIL import Image

    with replacing(path) as temporary:
        Image.fromarray(page).save(temporary, format="PNG", optimize=True)


def write_text(
    pen: "ImageDraw.ImageDraw",
    at: tuple[float, float],
    text: str,
    size: int,
    colour: tuple[int, int, int] = INK,
    anchor: str = "la",
) -> None:
    """Draw a line of text; anchor as in Pillow: l, m, r and a, m, s."""
    pen.text(at, text, fill=colour, font=_load_font(size), anchor=anchor)


@lru_cache(maxsize=16)
def _load_font(size: int) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    from PIL import ImageFont

    return ImageFont.load_default(size)


def draw_path(page: "Image.Image", points: np.ndarray, colour: tuple[int, int, int], width: float) -> None:
    """Draw an anti-aliased polyline through (N, 2) pixels."""
    if len(points) > 1:
        line_width = max(1, round(width * _ENLARGED))
        _paste_smooth(
            page, points, colour, lambda pen, corners: pen.line(corners, fill=255, width=line_width, joint="curve")
        )


def draw_polygon(page: "Image.Image", points: np.ndarray, colour: tuple[int, int, int]) -> None:
    """Fill an anti-aliased polygon of (N, 2) pixels."""
    _paste_smooth(page, points, colour, lambda pen, corners: pen.polygon(corners, fill=255))


_ENLARGED = 4  # supersampling factor of anti-aliasing


def _paste_smooth(
    page: "Image.Image",
    points: np.ndarray,
    colour: tuple[int, int, int],
    draw: "Callable[[ImageDraw.ImageDraw, list], None]",
) -> None:
    from PIL import Image, ImageDraw

    left, top = (int(v) for v in np.floor(points.min(axis=0)) - 4)
    right, bottom = (int(v) for v in np.ceil(points.max(axis=0)) + 4)
    mask = Image.new("L", ((right - left) * _ENLARGED, (bottom - top) * _ENLARGED), 0)
    draw(ImageDraw.Draw(mask), [tuple(p) for p in ((points - (left, top)) * _ENLARGED).tolist()])
    page.paste(colour, (left, top), mask.resize((right - left, bottom - top), Image.Resampling.BOX))
