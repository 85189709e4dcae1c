"""Reach charts: search trees and the ends of paths on the ground, from above."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.errors import BadInput
from motionloom.render.drawing import FAINT_INK, INK, RULE, draw_path, new_page, save_page, write_text

SIZE, MARGIN, HEADER = 460, 20, 54  # pixels
PAPER, EDGE, NODE, ROOT = (255, 255, 255), (196, 206, 222), (52, 101, 196), (214, 84, 48)
MOST_EDGES, MOST_NODES = 4000, 30_000


@dataclass(frozen=True, eq=False)
class ReachPlan:
    """A tree on the ground."""

    title: str
    fact: str
    nodes: np.ndarray  # (T, 2) metres along x and z
    parents: np.ndarray  # (T,) int; -1 of roots
    reach: float  # metres around the first node that are drawn


def write_reach_chart(path: str | Path, plans: Sequence[ReachPlan]) -> None:
    """Draw trees side by side and write them as a PNG."""
    save_page(path, draw_reach_chart(plans))


def draw_reach_chart(plans: Sequence[ReachPlan]) -> np.ndarray:
    """Draw trees side by side: (H, W, 3) uint8."""
    if not plans:
        raise BadInput("no trees to draw; give at least one")
    page, pen = new_page(MARGIN + len(plans) * (SIZE + MARGIN), HEADER + SIZE + MARGIN, PAPER)
    for number, plan in enumerate(plans):
        left = MARGIN + number * (SIZE + MARGIN)
        write_text(pen, (left, 10), plan.title, 16, INK)
        write_text(pen, (left, 31), plan.fact, 13, FAINT_INK)
        corner = np.array([left, HEADER], float)
        metre = SIZE / (2 * plan.reach)
        pixels = corner + SIZE / 2 + (plan.nodes - plan.nodes[0]) * metre * [-1, -1]  # +x to the left, +z up
        _draw_marks(pen, corner, plan.reach, metre)
        inside = ((pixels >= corner) & (pixels < corner + SIZE)).all(axis=1)
        _draw_edges(page, pixels, plan.parents, inside)
        canvas = np.array(page)
        _draw_nodes(canvas, pixels[inside])
        from PIL import Image

        page.paste(Image.fromarray(canvas))
        x, y = corner + SIZE / 2
        pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=ROOT)
    return np.asarray(page)


def _draw_marks(pen, corner: np.ndarray, reach: float, metre: float) -> None:  # type: ignore[no-untyped-def]
    """Metre lines, and a frame."""
    middle = corner + SIZE / 2
    for metres in np.arange(-np.floor(reach), np.floor(reach) + 1):
        at = metres * metre
        pen.line((middle[0] + at, corner[1], middle[0] + at, corner[1] + SIZE), fill=RULE)
        pen.line((corner[0], middle[1] + at, corner[0] + SIZE, middle[1] + at), fill=RULE)
    pen.rectangle((*corner, *(corner + SIZE)), outline=FAINT_INK)


def _draw_edges(page, pixels: np.ndarray, parents: np.ndarray, inside: np.ndarray) -> None:  # type: ignore[no-untyped-def]
    children = np.flatnonzero((parents >= 0) & inside & inside[np.maximum(parents, 0)])
    for child in children[:: max(len(children) // MOST_EDGES, 1)]:
        draw_path(page, pixels[[parents[child], child]], EDGE, 1.0)


def _draw_nodes(canvas: np.ndarray, pixels: np.ndarray) -> None:
    shown = pixels[:: max(len(pixels) // MOST_NODES, 1)]
    size = 2 if len(shown) < 3000 else 1
    columns, rows = np.round(shown).astype(int).T
    for x in range(size):
        for y in range(size):
            canvas[np.clip(rows + y, 0, canvas.shape[0] - 1), np.clip(columns + x, 0, canvas.shape[1] - 1)] = NODE
