"""Terrain as a mesh of triangles, for pictures and files."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion.ground import Terrain
from motionloom.motion.placement import turn_ground

LEVEL = 1e-3  # metres from the floor up to which terrain is the floor


@dataclass(frozen=True, eq=False)
class TerrainMesh:
    """A surface with walls at its border, which go down to the floor."""

    vertices: np.ndarray  # (V, 3) metres, world
    normals: np.ndarray  # (V, 3) unit, outwards
    triangles: np.ndarray  # (T, 3) counter-clockwise seen from outside


def make_mesh(
    terrain: Terrain,
    floor: float,
    *,
    around: np.ndarray | None = None,
    radius: float = np.inf,
    most: int = 256,
    keeps_level: bool = True,
) -> TerrainMesh:
    """The mesh of a terrain, or of what is near a place.

    Args:
        terrain: heights on a grid.
        floor: metres, world: where its walls end.
        around: (2,) metres along x and z; None for all of it.
        radius: metres from there along its own axes.
        most: points along each side; finer grids are thinned out.
        keeps_level: with the cells that are level with the floor, which are drawn anyway where there is a floor.
    """
    i, j = (_chosen(terrain, axis, around, radius, most) for axis in (0, 1))
    if len(i) < 2 or len(j) < 2:
        return TerrainMesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), int))
    heights = terrain.heights[np.ix_(i, j)]
    own = np.stack(np.meshgrid(i, j, indexing="ij"), axis=-1) * terrain.spacing
    places = turn_ground(own, terrain.turn) + np.asarray(terrain.origin)
    points = np.stack([places[..., 0], heights, places[..., 1]], axis=-1)  # (N, M, 3)
    normals = _normals(heights, i * terrain.spacing, j * terrain.spacing, terrain.turn)
    numbers = np.arange(heights.size).reshape(heights.shape)
    a, b, c, d = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
    shown = np.ones(a.shape, bool)
    if not keeps_level:
        off = np.abs(heights - floor) > LEVEL
        shown = off[:-1, :-1] | off[1:, :-1] | off[1:, 1:] | off[:-1, 1:]
    top = np.stack([a[shown], d[shown], b[shown], b[shown], d[shown], c[shown]], axis=-1).reshape(-1, 3)
    walls = _walls(points, floor)
    first = heights.size
    return TerrainMesh(
        np.concatenate([points.reshape(-1, 3), walls.vertices]),
        np.concatenate([normals.reshape(-1, 3), walls.normals]),
        np.concatenate([top, walls.triangles + first]),
    )


def _chosen(terrain: Terrain, axis: int, around: np.ndarray | None, radius: float, most: int) -> np.ndarray:
    """(N,) indices along an axis: the points in range, thinned out; the last one is always there."""
    low, high = 0, terrain.heights.shape[axis] - 1
    if around is not None:
        at = turn_ground(np.asarray(around, float) - terrain.origin, -terrain.turn)[axis]
        low = max(low, int(np.floor((at - radius) / terrain.spacing)))
        high = min(high, int(np.ceil((at + radius) / terrain.spacing)))
    if high <= low:
        return np.zeros(0, int)
    step = -(-(high - low) // max(most - 1, 1))
    return np.unique(np.append(np.arange(low, high, step), high))


def _normals(heights: np.ndarray, x: np.ndarray, z: np.ndarray, turn: float) -> np.ndarray:
    """(N, M, 3) unit normals of the surface over (N,) and (M,) metres along its own axes."""
    along_x, along_z = np.gradient(heights, x, z)
    slopes = turn_ground(np.stack([-along_x, -along_z], axis=-1), turn)
    normals = np.stack([slopes[..., 0], np.ones_like(heights), slopes[..., 1]], axis=-1)
    return np.asarray(normals / np.linalg.norm(normals, axis=-1, keepdims=True))


def _walls(points: np.ndarray, floor: float) -> TerrainMesh:
    """Walls from the border of (N, M, 3) points to the floor, where the border is off it."""
    border = np.concatenate([points[:-1, 0], points[-1, :-1], points[:0:-1, -1], points[0, :0:-1]])  # around it
    following = np.roll(border, -1, axis=0)
    high = np.maximum(np.abs(border[:, 1] - floor), np.abs(following[:, 1] - floor)) > LEVEL
    upper, after = border[high], following[high]
    lower, after_lower = (place * [1, 0, 1] + [0, floor, 0] for place in (upper, after))
    along = after - upper
    out = np.stack([along[:, 2], 0 * along[:, 0], -along[:, 0]], axis=-1)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-12)
    vertices = np.stack([upper, after, after_lower, lower], axis=1).reshape(-1, 3)
    first = 4 * np.arange(len(upper))[:, None]
    triangles = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]])
    return TerrainMesh(vertices, np.repeat(out, 4, axis=0), triangles)
