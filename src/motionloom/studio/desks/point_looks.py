"""How a set of markers is drawn: its light mesh, the outlines of a face, and from where it is seen from the front."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from motionloom.motion.point_front import find_front
from motionloom.motion.point_mesh import light_mesh

SAMPLED = 64  # frames that tell how markers move


def describe_looks(names: Sequence[str], frames: np.ndarray) -> dict[str, Any]:
    """Links, triangles, outlines and the front, as plain values; see `messages.motions.PointLooks`.

    Args:
        names: M markers.
        frames: (F, M, 3) metres, y up: some frames of them; NaN where one was not seen.
    """
    rest = mean_points(frames)
    mesh = light_mesh(rest, names, frames)
    outlined = {pair for outline in mesh.outlines for pair in map(tuple, outline.edges.tolist())}
    return {
        "front": find_front(rest),
        "links": [pair for pair in map(tuple, mesh.edges.tolist()) if pair not in outlined],
        "triangles": [tuple(corners) for corners in mesh.triangles.tolist()],
        "outlines": [_line(outline.points.tolist(), outline.is_closed) for outline in mesh.outlines],
    }


def mean_points(frames: np.ndarray) -> np.ndarray:
    """(M, 3) metres: where points (F, M, 3) are on average; NaN where one was never seen."""
    seen = np.isfinite(frames)
    counts = seen.sum(axis=0)
    return np.where(counts > 0, np.where(seen, frames, 0).sum(axis=0) / np.maximum(counts, 1), np.nan)


def sampled_frames(n_frames: int, count: int = SAMPLED) -> np.ndarray:
    """Frames all over a motion, at most so many."""
    return np.unique(np.linspace(0, max(n_frames - 1, 0), min(count, n_frames)).round().astype(int))


def _line(points: list[int], is_closed: bool) -> list[int]:
    """The points of an outline one after another; a closed one ends where it begins."""
    return [*points, points[0]] if is_closed else points
