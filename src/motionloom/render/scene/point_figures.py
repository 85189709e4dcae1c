"""Figures of points: markers as balls, joined by a light mesh; a face has skin, brows, eyes and a mouth."""

from dataclasses import replace

import numpy as np

from motionloom.motion.drawn_points import DrawnPoints
from motionloom.motion.face_outlines import Outline
from motionloom.render.scene.figure import Figure

POINT_COLOUR = (0.20, 0.43, 0.74)  # sRGB, 0 to 1
BALL, FACE_BALL = 0.015, 0.011  # radius of markers / extent of all
LINE, OUTLINE = 0.0028, 0.0075  # radius of lines / extent
SIDES = 6  # of the prism that a line is
LIFT = 0.02  # of the extent: how far outlines are in front of the skin, whose triangles would cut them else
SKIN, LINE_COLOUR = (0.84, 0.85, 0.88), (0.60, 0.65, 0.72)
OUTLINE_COLOURS = {"mouth": (0.62, 0.20, 0.22), "eye": (0.20, 0.22, 0.27), "brow": (0.30, 0.22, 0.17)}
FILLINGS = {"mouth": (0.80, 0.47, 0.46), "eye": (0.99, 0.99, 0.99)}
FAINT = 0.55  # of the colour of markers that nothing is joined to, such as those of ears; the rest is white


def make_point_figure(
    positions: np.ndarray, drawn: DrawnPoints, colour: tuple[float, float, float] | None = None
) -> Figure:
    """The figure of points in one frame.

    Args:
        positions: (M, 3) metres, world; NaN where one is missing: what it would join is not drawn.
        drawn: what joins them.
        colour: of the markers, sRGB, 0 to 1; None for blue.
    """
    seen = np.isfinite(positions).all(axis=-1)
    size = max(drawn.extent, 1e-3)
    parts = [_surface(positions, _seen_rows(drawn.mesh.triangles, seen), SKIN)] if drawn.is_face else []
    front = parts[0].normals.mean(axis=0) if parts and len(parts[0].normals) else np.array([0.0, 0.0, 1.0])
    edges = _seen_rows(drawn.mesh.edges, seen)
    parts.append(_tubes(positions[edges], LINE * size, LINE_COLOUR))
    for outline in drawn.mesh.outlines:
        parts += _draw_outline(outline, positions, seen, OUTLINE * size, front)
    return _with_balls(_join(parts), positions, seen, drawn, np.array(colour or POINT_COLOUR))


def _with_balls(
    figure: Figure, positions: np.ndarray, seen: np.ndarray, drawn: DrawnPoints, colour: np.ndarray
) -> Figure:
    radius = (FACE_BALL if drawn.is_face else BALL) * max(drawn.extent, 1e-3)
    is_joined = np.isin(np.arange(len(positions)), drawn.mesh.edges) | (not drawn.is_face)
    strength = np.where(is_joined, 1.0, FAINT)[seen, None]
    colours = strength * colour + (1 - strength)
    return replace(figure, balls=positions[seen], ball_radii=np.full(int(seen.sum()), radius), ball_colours=colours)


def _draw_outline(
    outline: Outline, positions: np.ndarray, seen: np.ndarray, radius: float, front: np.ndarray
) -> list[Figure]:
    """The line of a brow, an eye or a mouth, and what is inside of it, as bright as the front of the face."""
    parts = []
    positions = positions + LIFT / OUTLINE * radius / max(float(np.linalg.norm(front)), 1e-9) * front
    if outline.is_closed and seen[outline.points].all():
        ring = positions[outline.points]
        corners = np.concatenate([ring, ring.mean(axis=0, keepdims=True)])
        around = np.arange(len(ring))
        fan = np.column_stack([around, np.roll(around, -1), np.full(len(ring), len(ring))])
        parts.append(_figure(corners, fan, np.tile(front, (len(corners), 1)), FILLINGS[outline.kind]))
    edges = _seen_rows(outline.edges, seen)
    parts.append(_tubes(positions[edges], radius, OUTLINE_COLOURS[outline.kind]))
    return parts


def _seen_rows(indices: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Edges or triangles of which all points are seen."""
    return indices[seen[indices].all(axis=1)]


def _surface(vertices: np.ndarray, triangles: np.ndarray, colour: tuple[float, float, float]) -> Figure:
    """Triangles between points, smoothly shaded; points without a triangle are left out."""
    used, numbers = np.unique(triangles, return_inverse=True)
    triangles, vertices = numbers.reshape(-1, 3), vertices[used]
    corners = vertices[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], across)
    return _figure(vertices, triangles, normals, colour)


def _tubes(ends: np.ndarray, radius: float, colour: tuple[float, float, float]) -> Figure:
    """Lines between ends (E, 2, 3) as prisms."""
    along = ends[:, 1] - ends[:, 0]
    long = np.linalg.norm(along, axis=1) > 1e-9
    ends, along = ends[long], along[long] / np.linalg.norm(along[long], axis=1, keepdims=True)
    least = np.eye(3)[np.abs(along).argmin(axis=1)]
    first = np.cross(along, least)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(along, first)
    angles = 2 * np.pi * np.arange(SIDES) / SIDES
    out = np.cos(angles)[:, None] * first[:, None] + np.sin(angles)[:, None] * second[:, None]  # (E, SIDES, 3)
    vertices = ends[:, :, None] + radius * out[:, None]  # (E, 2, SIDES, 3)
    side, after = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
    prism = np.concatenate(
        [np.column_stack([side, after, SIDES + side]), np.column_stack([after, SIDES + after, SIDES + side])]
    )
    triangles = (prism + 2 * SIDES * np.arange(len(ends))[:, None, None]).reshape(-1, 3)
    normals = np.broadcast_to(out[:, None], vertices.shape)
    return _figure(vertices.reshape(-1, 3), triangles, normals.reshape(-1, 3), colour)


def _figure(
    vertices: np.ndarray, triangles: np.ndarray, normals: np.ndarray, colour: tuple[float, float, float]
) -> Figure:
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    unit = np.where(length > 0, normals / np.where(length > 0, length, 1.0), [0.0, 0.0, 1.0])
    colours = np.tile(np.array(colour), (len(vertices), 1))
    return Figure(vertices.astype(np.float32), triangles.astype(np.int32), unit.astype(np.float32), colours)


def _join(parts: list[Figure]) -> Figure:
    figure = parts[0]
    for part in parts[1:]:
        figure = figure.joined(part)
    return figure
