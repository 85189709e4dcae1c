"""Searching cells: the nearest frames of some frames, or of any points, nearly all of them, in linear time."""

from dataclasses import dataclass

import numpy as np

from motionloom.similarity.index.cells import Cells, CellSettings, find_shortlists, nearest_cell
from motionloom.similarity.neighbours import NeighbourSettings
from motionloom.tasks import Progress, Stop, check_stop, run_threads


@dataclass(frozen=True, eq=False)
class Asked:
    """Points whose nearest frames are wanted, in groups of those that are near each other."""

    points: np.ndarray  # (Q, P)
    groups: np.ndarray  # (G + 1,) int: group g has the points [groups[g], groups[g + 1])
    cell_of: np.ndarray  # (G,) int: the cell around which each group is looked for
    excluded: np.ndarray  # (Q, 2) int: the half-open range of frames that are no answer


def ask_frames(cells: Cells, rows: np.ndarray, own_frames: int) -> Asked:
    """Ask for the nearest frames of frames: those of a segment together, without their own motion close by.

    Args:
        cells: of F frames.
        rows: (R,) int, ascending.
        own_frames: frames of the same motion before and after that are excluded.
    """
    segment = cells.segment_of[rows]
    groups = np.concatenate([[0], 1 + np.flatnonzero(np.diff(segment)), [len(rows)]])
    first, stop = cells.ranges[rows].T
    excluded = np.stack([np.maximum(first, rows - own_frames), np.minimum(stop, rows + own_frames + 1)], axis=1)
    return Asked(cells.coordinates[rows], groups, cells.cell_of[segment[groups[:-1]]], excluded)


def ask_points(cells: Cells, points: np.ndarray, excluded: np.ndarray) -> Asked:
    """Ask for the nearest frames of points (Q, P), each by itself, except those in ranges (Q, 2)."""
    return Asked(points, np.arange(len(points) + 1), nearest_cell(cells, points), excluded)


def search_lists(
    cells: Cells,
    asked: Asked,
    settings: NeighbourSettings,
    how: CellSettings,
    *,
    given: np.ndarray | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest frames of points, with suppression in time, nearest first: nearly all that are.

    Args:
        cells: of the frames to search.
        asked: Q points.
        settings: number of neighbours k, and suppression.
        how: how much is looked at.
        given: (Q, k) int: neighbours that are known, -1 where there are none; they stay unless there are nearer ones.
        progress: called as progress(done, total).
        stop: asked often; `Stopped` is raised as soon as it answers True.

    Returns:
        (Q, k) int32 frames, -1 where there are no more, and (Q, k) float32 distances, infinite there.
    """
    from motionloom.similarity.index._kernels import search_cells

    frames = np.full((len(asked.points), settings.count), -1, np.int32)
    distances = np.full(frames.shape, np.inf, np.float32)
    shortlists = find_shortlists(cells, how.shortlist)
    limits = (settings.apart, how.probes, how.compared, how.share)

    def search(groups: np.ndarray) -> None:
        check_stop(stop)
        rows, borders = _rows_of(asked.groups, groups)
        listed = np.full((len(rows), settings.count), -1) if given is None else given[rows].astype(np.int64)
        values, around = np.empty(listed.shape), shortlists[asked.cell_of[groups[0]]]
        search_cells(asked.points[rows], borders, asked.excluded[rows], cells, around, limits, values, listed)
        frames[rows], distances[rows] = listed, np.sqrt(values)

    order = np.argsort(asked.cell_of, kind="stable")
    jobs = np.split(order, 1 + np.flatnonzero(np.diff(asked.cell_of[order]))) if len(order) else []
    run_threads(search, jobs, progress=progress)
    return frames, distances


def _rows_of(groups: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The points of chosen groups, one group after another, and where each begins."""
    lengths = groups[chosen + 1] - groups[chosen]
    borders = np.concatenate([[0], np.cumsum(lengths)])
    return np.repeat(groups[chosen] - borders[:-1], lengths) + np.arange(borders[-1]), borders
