"""Minima of all slices: for every frame the local minima along time of its distances to every motion."""

import itertools
from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.runs import find_runs
from motionloom.similarity.measure import Measure
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split
from motionloom.tasks import Progress


@dataclass(frozen=True, eq=False)
class SliceMinima:
    """The minima of `slice_through` for every frame, nearest first, of equal ones (as rounded) the first."""

    threshold: float  # in the unit of the measure; minima are at most this
    starts: np.ndarray  # (F + 1,) int: frame f has the minima [starts[f], starts[f + 1])
    frames: np.ndarray  # (N,) int32
    distances: np.ndarray  # (N,) float32, rounded from exact ones

    @property
    def n_frames(self) -> int:
        return len(self.starts) - 1

    def of(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """The minima of one frame and their distances, nearest first."""
        part = slice(self.starts[frame], self.starts[frame + 1])
        return self.frames[part], self.distances[part]


def find_slice_minima(
    measure: Measure,
    threshold: float,
    *,
    cells: np.ndarray | None = None,
    tiles: TileSettings | None = None,
    progress: Progress | None = None,
) -> SliceMinima:
    """Find the minima of the slices through all frames, exactly.

    A minimum is lower than the adjacent frames of its motion, of equal ones the first; the frame itself is one. A
    frame that is not comparable has none.

    Args:
        measure: F frames of M motions.
        threshold: in the unit of the measure.
        cells: (M, M) bool: which motions are compared, the frames of the first with those of the second; None for all.
        tiles: sizes of the blocks; the result does not depend on them.
        progress: called as progress(rows_of_tiles_done, rows_of_tiles_total).
    """
    if not 0 <= threshold < np.inf:
        raise BadInput(f"threshold must be finite and not negative, got {threshold}; give it in the measure's unit")
    tiles = tiles or TileSettings()
    n_motions = len(measure.starts) - 1
    jobs = _lay_out(measure.starts, np.ones((n_motions, n_motions), bool) if cells is None else cells, tiles)
    work = partial(_find, measure, threshold, measure.ranges)
    found = run_tiles(work, jobs, threads=tiles.threads, progress=progress)
    counts = np.zeros(measure.n_frames, np.int64)
    for (rows, _), (own, _, _) in zip(jobs, found):
        counts[rows] = own
    frames = np.concatenate([np.zeros(0, np.int32), *(frames for _, frames, _ in found)])
    distances = np.concatenate([np.zeros(0, np.float32), *(distances for *_, distances in found)])
    return SliceMinima(threshold, np.concatenate([[0], np.cumsum(counts)]), frames, distances)


_Job = tuple[slice, list[slice]]  # rows, and the columns that they are compared with, in tiles


def _lay_out(starts: np.ndarray, cells: np.ndarray, tiles: TileSettings) -> list[_Job]:
    """Tiles that cover cells, by rows; motions that are compared with the same ones share them."""
    jobs: list[_Job] = []
    for first, last in _equal_rows(cells):
        runs = find_runs(cells[first])
        columns = [tile for a, b in runs for tile in split(int(starts[a]), int(starts[b]), tiles.columns)]
        rows = split(int(starts[first]), int(starts[last]), tiles.rows) if columns else []
        jobs += [(part, columns) for part in rows]
    return jobs


def _equal_rows(cells: np.ndarray) -> list[tuple[int, int]]:
    """Runs [first, last) of motions that are compared with the same ones."""
    borders = np.flatnonzero((cells[1:] != cells[:-1]).any(axis=1)) + 1
    return list(itertools.pairwise([0, *borders.tolist(), len(cells)]))


def _find(
    measure: Measure, threshold: float, ranges: np.ndarray, job: _Job, scratch: Scratch
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The minima of some slices: (R,) counts, their frames and distances."""
    from motionloom.similarity._kernels import mark_slice_minima

    part, tiles = job
    candidates = []
    limit = float(np.float32(threshold) ** 2)
    for columns in tiles:
        wide = slice(max(columns.start - 1, 0), min(columns.stop + 1, measure.n_frames))
        block = measure.squared_block(part, wide, scratch)
        core = (part.start, part.stop, columns.start, columns.stop)
        candidates.append(mark_slice_minima(block, wide.start, core, limit, measure.slack, measure.repeats, ranges))
    rows, frames, sure = (np.concatenate(values) for values in zip(*candidates))
    exact = measure.pairs(rows, frames, threads=1)
    doubtful = np.flatnonzero(~sure)
    wins = np.ones(len(doubtful), bool)
    for shift in (-1, 1):
        rival = frames[doubtful] + shift
        inside = (rival >= ranges[frames[doubtful], 0]) & (rival < ranges[frames[doubtful], 1])
        other = measure.pairs(rows[doubtful[inside]], rival[inside], threads=1)
        own = exact[doubtful[inside]]
        wins[inside] &= other >= own if shift > 0 else other > own
    keep = exact <= threshold
    keep[doubtful] &= wins
    rows, frames, rounded = rows[keep], frames[keep].astype(np.int32), exact[keep].astype(np.float32)
    order = np.lexsort((frames, rounded, rows))
    counts = np.bincount(rows - part.start, minlength=part.stop - part.start)
    return counts, frames[order], rounded[order]
