"""The light mesh of points: which of them are joined by lines and triangles, so that a face reads as one.

Markers of a face are joined over the skin: their neighbours on it, unrolled as from a cylinder (Delaunay). Brows, eyes
and mouths have outlines where names tell their markers, and nothing is joined across eyes and mouths. Other points,
such as markers of a whole body, are joined by lines to those beside which nothing stays nearer to both (the relative
neighbourhood graph). What is far apart, like ears, is not joined.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.motion.face_outlines import Outline, find_outlines
from motionloom.motion.point_front import find_front

MOST = 400  # points that are no face and joined: time grows with their cube
LONGEST = 2.2  # times the usual line: longer ones join nothing of one piece
STRETCHED = 1.5  # times the shortest that a line between other points is: those that get longer are not joined
SAMPLE = 100  # frames, at most, in which is looked how far points get apart


@dataclass(frozen=True, eq=False)
class LightMesh:
    """Lines and triangles between M points."""

    edges: np.ndarray  # (E, 2) int, each once, the smaller index first
    triangles: np.ndarray  # (T, 3) int, anticlockwise seen from outside; none where points are of no face
    outlines: tuple[Outline, ...] = ()  # of brows, eyes and mouth; their lines are among the edges


def light_mesh(rest: np.ndarray, names: Sequence[str] = (), frames: np.ndarray | None = None) -> LightMesh:
    """Which points are joined.

    Args:
        rest: (M, 3) metres, y up; NaN for points that are never seen, which are not joined.
        names: of the points, M; without them nothing is known of brows, eyes and mouth.
        frames: (F, M, 3) metres: how the points move, NaN where one is missing. Points of no face are joined if they
            stay near: a knee is no neighbour of the other that it passes. None to look at rest alone.
    """
    known = np.flatnonzero(np.isfinite(rest).all(axis=1))
    heading = find_front(rest)
    if heading is None:
        return LightMesh(_join_neighbours(rest, frames), np.zeros((0, 3), int))
    outlines = find_outlines(names, rest, heading) if len(names) else ()
    triangles = known[_triangulate(rest[known], heading)]
    for outline in outlines:
        within = np.isin(triangles, outline.points).all(axis=1)
        triangles = triangles[~within] if outline.is_closed else triangles
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]]
    is_short = _are_short(np.linalg.norm(rest[sides[..., 0]] - rest[sides[..., 1]], axis=-1))
    triangles = triangles[is_short.all(axis=1)]
    lines = [sides[is_short], *(outline.edges for outline in outlines)]
    return LightMesh(np.unique(np.sort(np.concatenate(lines), axis=1), axis=0), triangles, outlines)


def _triangulate(points: np.ndarray, heading: float) -> np.ndarray:
    """(T, 3) triangles over the skin of a face that looks in a direction."""
    from scipy.spatial import Delaunay

    middle = points.mean(axis=0)
    across = (points - middle) @ np.array([np.cos(heading), 0.0, -np.sin(heading)])
    ahead = (points - middle) @ np.array([np.sin(heading), 0.0, np.cos(heading)])
    radius = max(float(np.ptp(across)) / 2, 1e-6)
    behind = ahead - ahead.max() + radius  # from an axis as far behind the nose as the face is wide to each side
    skin = np.column_stack([radius * np.arctan2(across, behind), points[:, 1]])
    triangles = Delaunay(skin, qhull_options="QJ").simplices
    turns = _cross(skin[triangles[:, 1]] - skin[triangles[:, 0]], skin[triangles[:, 2]] - skin[triangles[:, 0]])
    return np.where((turns < 0)[:, None], triangles[:, ::-1], triangles)


def _join_neighbours(rest: np.ndarray, frames: np.ndarray | None) -> np.ndarray:
    """(E, 2) pairs of points beside which no other stays nearer to both."""
    if len(rest) > MOST:
        return np.zeros((0, 2), int)
    nearest = farthest = _distances(rest)
    for positions in () if frames is None else frames[:: max(1, -(-len(frames) // SAMPLE))]:
        distances = _distances(positions)
        nearest, farthest = np.fmin(nearest, distances), np.fmax(farthest, distances)
    apart = np.where(np.isnan(farthest), np.inf, 2 * farthest - nearest)  # what changes more is less of a neighbour
    worst = np.maximum(apart[:, None, :], apart[None, :, :])  # (M, M, M): of i and j to k
    same = np.arange(len(rest))
    worst[same, :, same] = worst[:, same, same] = np.inf
    stays = farthest <= STRETCHED * nearest
    is_joined = np.triu(np.isfinite(apart) & stays & (apart <= worst.min(axis=2, initial=np.inf)), 1)
    edges = np.column_stack(np.nonzero(is_joined))
    return edges[_are_short(apart[edges[:, 0], edges[:, 1]])]


def _distances(positions: np.ndarray) -> np.ndarray:
    """(M, M) metres between points (M, 3)."""
    return np.linalg.norm(positions[:, None] - positions, axis=-1)


def _are_short(lengths: np.ndarray) -> np.ndarray:
    """Whether lines of these lengths join what is as near as neighbours usually are."""
    return lengths <= LONGEST * (np.median(lengths) if lengths.size else 0.0)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
