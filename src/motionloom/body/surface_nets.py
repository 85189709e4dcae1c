"""Surface nets: a closed mesh from shapes, on a grid that is finer at hands, feet and head."""

from dataclasses import dataclass

import numpy as np

from motionloom.body.shapes import Shapes, measure, slopes

BLOCK = 2  # the grid is first evaluated in blocks of 2 BLOCK + 1 cells
REFINEMENTS = 2  # passes of edge splitting at high curvature
STRONG_BEND = np.cos(0.75)  # between the normals at the ends of an edge
MAX_NODES = 1_500_000  # of the grid: limits memory for very large or thin skeletons


@dataclass(frozen=True, eq=False)
class Lens:
    """A sphere in which the grid is finer or coarser."""

    centre: np.ndarray  # (3,) metres
    radius: float  # metres
    cell_ratio: float  # size of a cell at the centre, relative to one outside; below 1.5, or space would fold


def extract_surface(shapes: Shapes, cell: float, lenses: list[Lens]) -> tuple[np.ndarray, np.ndarray]:
    """Extract a closed mesh around shapes.

    Args:
        shapes: what to wrap.
        cell: metres between grid lines outside the lenses.
        lenses: where the grid is finer or coarser.

    Returns:
        (V, 3) metres and (T, 3) int, counter-clockwise seen from outside.
    """
    axes = _grid_axes(shapes, cell, lenses)
    distances = _measure_near_surface(shapes, axes, lenses)  # (X, Y, Z)
    vertices, quads = _surface_nets(_without_checkerboards(distances))
    origin, step = np.array([axis[0] for axis in axes]), axes[0][1] - axes[0][0]
    vertices = _through_lenses(origin + vertices * step, lenses)
    triangles = _split_quads(vertices, quads)
    vertices = _settle(shapes, vertices, triangles)
    for _ in range(REFINEMENTS):
        vertices, triangles = _refine(shapes, vertices, triangles, shortest=0.3 * step)
        vertices = _settle(shapes, vertices, triangles)
    return vertices, triangles


def _grid_axes(shapes: Shapes, cell: float, lenses: list[Lens]) -> list[np.ndarray]:
    """Grid lines around all shapes, in grid space, before the lenses deform it."""
    directions = np.concatenate([np.eye(3), -np.eye(3)])[:, None]
    ends = [
        shapes.starts + directions * shapes.start_radii[:, None],
        shapes.stops + directions * shapes.stop_radii[:, None],
    ]
    outermost = _before_lenses(np.concatenate(ends).reshape(-1, 3), lenses)
    reach = 2 * cell + 2 * shapes.blend
    low, high = outermost.min(axis=0) - reach, outermost.max(axis=0) + reach
    cell = max(cell, float(np.prod(high - low) / MAX_NODES) ** (1 / 3))
    counts = np.ceil((high - low) / cell).astype(int) + 1
    centre = (low + high) / 2
    return [centre[c] + (np.arange(counts[c]) - (counts[c] - 1) / 2) * cell for c in range(3)]


def _measure_near_surface(shapes: Shapes, axes: list[np.ndarray], lenses: list[Lens]) -> np.ndarray:
    """Distances (X, Y, Z) at the grid nodes, exact near the surface; elsewhere only the sign is correct."""
    middles = [axis[BLOCK :: 2 * BLOCK + 1] if len(axis) > BLOCK else axis[-1:] for axis in axes]
    counts = [len(middle) for middle in middles]
    coarse = measure(shapes, _through_lenses(_grid_points(middles), lenses))[0].reshape(counts)
    for c in range(3):
        coarse = np.repeat(coarse, 2 * BLOCK + 1, axis=c)
        missing = len(axes[c]) - coarse.shape[c]
        if missing > 0:
            coarse = np.concatenate([coarse, np.repeat(np.take(coarse, [-1], axis=c), missing, axis=c)], axis=c)
        coarse = np.take(coarse, np.arange(len(axes[c])), axis=c)
    # a block's corner is sqrt(3) BLOCK cells from its middle, the last one's up to twice that; lenses stretch by 1.5
    near = np.flatnonzero(np.abs(coarse) < 5.2 * (BLOCK + 1) * (axes[0][1] - axes[0][0]))
    distances = coarse.reshape(-1)
    distances[near] = measure(shapes, _through_lenses(_grid_points(axes)[near], lenses))[0]
    return distances.reshape(coarse.shape)


def _grid_points(axes: list[np.ndarray]) -> np.ndarray:
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def _through_lenses(points: np.ndarray, lenses: list[Lens]) -> np.ndarray:
    """Map (M, 3) grid points towards the lens centres: smooth and bijective, the identity outside."""
    moved = points.copy()
    for lens in lenses:
        away = points - lens.centre
        t = np.linalg.norm(away, axis=-1, keepdims=True) / lens.radius
        moved += away * (_shrink(lens, t) - 1.0)
    return moved


def _before_lenses(points: np.ndarray, lenses: list[Lens]) -> np.ndarray:
    """(M, 3) grid points that the lenses map to these points: the inverse of `_through_lenses`, lens by lens."""
    result = points.copy()
    for lens in lenses:
        away = points - lens.centre
        distance = np.linalg.norm(away, axis=-1, keepdims=True) / lens.radius
        low, high = np.zeros_like(distance), np.ones_like(distance)
        for _ in range(30):  # bisection
            t = (low + high) / 2
            nearer = t * _shrink(lens, t) < distance
            low, high = np.where(nearer, t, low), np.where(nearer, high, t)
        inside = (distance > 1e-9) & (distance < 1.0)
        result += np.where(inside, away * (high / np.where(inside, distance, 1.0) - 1.0), 0.0)
    return result


def _shrink(lens: Lens, t: np.ndarray) -> np.ndarray:
    """Factor by which a grid point at the fraction t of the radius moves towards the centre."""
    return np.where(t < 1.0, lens.cell_ratio + (1 - lens.cell_ratio) * t**2, 1.0)


def _without_checkerboards(distances: np.ndarray, rounds: int = 10) -> np.ndarray:
    """Flip the sign of nodes near the surface where four signs alternate around a face of a cell.

    There two sheets would meet in one vertex. The mesh is pulled onto the true surface later, so nothing is lost.
    """
    distances = distances.copy()
    for _ in range(rounds):
        clean = True
        for axis in range(3):
            face = np.moveaxis(distances, axis, 0)
            corners = np.stack([face[:, :-1, :-1], face[:, 1:, :-1], face[:, 1:, 1:], face[:, :-1, 1:]])
            inside = corners < 0
            mixed = (inside[0] == inside[2]) & (inside[1] == inside[3]) & (inside[0] != inside[1])
            if mixed.any():
                clean = False
                where = np.argwhere(mixed)
                nearest = np.abs(corners[:, mixed]).argmin(axis=0)
                where[:, 1] += np.array([0, 1, 1, 0])[nearest]
                where[:, 2] += np.array([0, 0, 1, 1])[nearest]
                where = np.unique(where, axis=0)
                face[tuple(where.T)] *= -1e-3
        if clean:
            break
    return distances


def _surface_nets(distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One vertex for every cell that the surface crosses, and one quad for every edge that it crosses.

    Args:
        distances: (X, Y, Z) at the grid nodes, negative inside; positive on the border of the grid.

    Returns:
        (V, 3) in grid units and (Q, 4) int.
    """
    inside = distances < 0
    shape = np.array(distances.shape) - 1  # cells
    sums, counts = np.zeros((shape.prod(), 3)), np.zeros(shape.prod())
    cell_of_quad = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        lower = np.take(inside, np.arange(shape[axis]), axis=axis)
        upper = np.take(inside, np.arange(1, shape[axis] + 1), axis=axis)
        edges = np.argwhere(lower != upper)  # (E, 3) lower node of each crossed edge
        first = distances[tuple(edges.T)]
        second = distances[tuple((edges + np.eye(3, dtype=int)[axis]).T)]
        crossing = edges + np.eye(3)[axis] * (first / (first - second))[:, None]
        around = []
        for d_one, d_two in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cell = edges.copy()
            cell[:, one] += d_one
            cell[:, two] += d_two
            flat = np.ravel_multi_index(tuple(cell.T), tuple(shape))
            counts += np.bincount(flat, minlength=len(counts))
            for c in range(3):
                sums[:, c] += np.bincount(flat, weights=crossing[:, c], minlength=len(counts))
            around.append(flat)
        quad = np.stack(around, axis=-1)
        leaving = inside[tuple(edges.T)]  # the surface faces along the axis here
        cell_of_quad.append(np.where(leaving[:, None], quad, quad[:, ::-1]))
    used = np.flatnonzero(counts)
    number = np.full(len(counts), -1)
    number[used] = np.arange(len(used))
    return sums[used] / counts[used, None], number[np.concatenate(cell_of_quad)]


def _settle(shapes: Shapes, vertices: np.ndarray, triangles: np.ndarray, rounds: int = 4) -> np.ndarray:
    """Project the mesh onto the surface, and smooth it tangentially."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])  # each edge both ways
    degree = np.bincount(pairs[:, 0], minlength=len(vertices))[:, None]
    for turn in range(rounds):
        height, gradient = slopes(shapes, vertices)
        size2 = np.maximum((gradient**2).sum(-1, keepdims=True), 0.1)
        if 0 < turn < rounds - 1:
            towards = _sum_at(pairs[:, 0], vertices[pairs[:, 1]], len(vertices)) / degree - vertices
            vertices = vertices + 0.5 * (towards - gradient * (towards * gradient).sum(-1, keepdims=True) / size2)
        vertices = vertices - gradient * height[:, None] / size2
    return vertices


def _refine(
    shapes: Shapes, vertices: np.ndarray, triangles: np.ndarray, shortest: float
) -> tuple[np.ndarray, np.ndarray]:
    """Split edges with high curvature between their ends, as at finger tips; short ones stay."""
    normals = slopes(shapes, vertices)[1]
    normals = normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]], axis=-1).reshape(-1, 2)
    edges, edge_of_side = np.unique(sides, axis=0, return_inverse=True)
    long = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=-1) > shortest
    bent = (normals[edges[:, 0]] * normals[edges[:, 1]]).sum(axis=-1) < STRONG_BEND
    cut = long & bent
    middle_of = np.full(len(edges), -1)
    middle_of[cut] = len(vertices) + np.arange(cut.sum())
    vertices = np.concatenate([vertices, vertices[edges[cut]].mean(axis=1)])
    return vertices, _cut_triangles(triangles, middle_of[edge_of_side.reshape(-1, 3)])


def _cut_triangles(triangles: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Split (T, 3) triangles into one to four, given the new vertex (T, 3) on each side, -1 for none."""
    n_cuts = (middles >= 0).sum(axis=1)
    pieces = [triangles[n_cuts == 0]]
    # rotate every triangle so that split sides come first, or the unsplit one last
    for n, first in ((1, (middles >= 0).argmax(axis=1)), (2, (np.argmin(middles >= 0, axis=1) + 1) % 3), (3, None)):
        mine = n_cuts == n
        order = (np.arange(3) + (0 if first is None else first[mine][:, None])) % 3 if n < 3 else np.arange(3)[None]
        order = np.broadcast_to(order, (mine.sum(), 3))
        a, b, c = np.take_along_axis(triangles[mine], order, axis=1).T
        ab, bc, ca = np.take_along_axis(middles[mine], order, axis=1).T
        fans = {
            1: [(a, ab, c), (ab, b, c)],
            2: [(ab, b, bc), (a, ab, bc), (a, bc, c)],
            3: [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)],
        }
        pieces += [np.stack(corners, axis=-1) for corners in fans[n]]
    return np.concatenate(pieces)


def _split_quads(vertices: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """Split each quad along its shorter diagonal: (2 Q, 3)."""
    diagonal_02 = np.linalg.norm(vertices[quads[:, 0]] - vertices[quads[:, 2]], axis=-1)
    diagonal_13 = np.linalg.norm(vertices[quads[:, 1]] - vertices[quads[:, 3]], axis=-1)
    turned = np.where((diagonal_02 <= diagonal_13)[:, None], quads, np.roll(quads, -1, axis=1))
    return np.concatenate([turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]])


def find_normals(vertices: np.ndarray, triangles: np.ndarray, rounds: int = 2) -> np.ndarray:
    """Outward normals (V, 3) of a mesh, smoothed over neighbours so that the capsules do not show as bands."""
    first, second, third = (vertices[triangles[:, c]] for c in range(3))
    of_triangles = np.cross(second - first, third - first)  # weighted by area
    normals = _sum_at(triangles.ravel(), np.repeat(of_triangles, 3, axis=0), len(vertices))
    for _ in range(rounds):
        normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
        shared = normals[triangles].sum(axis=1)
        normals = normals + _sum_at(triangles.ravel(), np.repeat(shared, 3, axis=0), len(vertices)) / 6
    return normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)


def _sum_at(places: np.ndarray, values: np.ndarray, n: int) -> np.ndarray:
    """Sum (M, 3) values with the same index: (n, 3)."""
    return np.stack([np.bincount(places, values[:, c], n) for c in range(3)], axis=-1)
