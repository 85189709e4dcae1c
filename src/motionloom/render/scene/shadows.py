"""Soft shadows on the ground: sharp near contacts, blurred for parts far above."""

from collections.abc import Sequence

import numpy as np

from motionloom.render.scene.figure import Figure

LAYERS = (
    (0.10, 0.010, 0.55),
    (0.40, 0.03, 0.42),
    (0.9, 0.06, 0.34),
    (np.inf, 0.10, 0.28),
)  # height up to metres, blur in metres, darkness
MAX_CELLS = 700  # of the shadow map, per side


def cast_shadows(figures: Sequence[Figure], light: np.ndarray, floor: float) -> tuple[np.ndarray, np.ndarray, float]:
    """The shadow map of figures on the ground.

    Args:
        figures: that cast shadows.
        light: (3,) unit, direction to the light.
        floor: metres, the height of the ground.

    Returns:
        (R, C) darkness 0 to 1, the ground position (x, z) of its first cell, and metres per cell.
    """
    from motionloom.render.scene._kernels import stamp_triangles

    figures = [figure for figure in figures if figure.casts_shadow]
    meshes = [(figure.vertices, figure.triangles) for figure in figures] + [_ball_mesh(figure) for figure in figures]
    meshes = [(np.asarray(vertices, float), triangles) for vertices, triangles in meshes if len(triangles)]
    if not meshes:
        return np.zeros((2, 2)), np.zeros(2), 1.0
    falls = [vertices[:, [0, 2]] - light[[0, 2]] * ((vertices[:, 1:2] - floor) / light[1]) for vertices, _ in meshes]
    low, high = np.min([f.min(0) for f in falls], axis=0) - 0.4, np.max([f.max(0) for f in falls], axis=0) + 0.4
    cell = max(0.012, float((high - low).max()) / MAX_CELLS)
    n_columns, n_rows = np.ceil((high - low) / cell).astype(int) + 1
    layers = np.zeros((len(LAYERS), n_rows, n_columns), np.float32)
    limits = np.array([limit for limit, _, _ in LAYERS])
    for (vertices, triangles), fall in zip(meshes, falls):
        stamp_triangles((fall - low) / cell, vertices[:, 1] - floor, triangles, limits, layers)
    bright = np.ones((n_rows, n_columns), np.float32)
    for layer, (_, blur, darkness) in zip(layers, LAYERS):
        bright *= 1 - darkness * _blur(layer, max(1, round(blur / cell)))
    return 1 - bright, low, cell


def _blur(values: np.ndarray, radius: int) -> np.ndarray:
    """Two box blurs along both axes, an approximation of a Gaussian."""
    from motionloom.render.scene._kernels import blur_rows

    for _ in range(2):
        turned = np.empty(values.shape[::-1], np.float32)
        blur_rows(values, radius, turned)
        values = np.empty_like(values)
        blur_rows(turned, radius, values)
    return values


def _ball_mesh(figure: Figure) -> tuple[np.ndarray, np.ndarray]:
    """Flat squares in place of spheres: sufficient for a soft shadow."""
    n = len(figure.balls)
    corners = np.array([[1, 0, 0], [0, 0, 1], [-1, 0, 0], [0, 0, -1]], float)
    vertices = (figure.balls[:, None] + corners * figure.ball_radii[:, None, None]).reshape(-1, 3)
    first = 4 * np.arange(n)[:, None]
    return vertices, np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])]).astype(np.int32)
