"""Minima of all slices: for every frame the local minima along time of its distances to every motion."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split
from motionloom.tasks import Progress


@dataclass(frozen=True, eq=False)
class SliceMinima:
    """The minima of `slice_through` for every frame, nearest first, of equal ones the first."""

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
    measure: Measure, threshold: float, *, tiles: TileSettings | None = None, progress: Progress | None = None
) -> SliceMinima:
    """Find the minima of the slices through all frames, exactly.

    A minimum is lower than the adjacent frames of its motion, of equal ones the first; the frame itself is one. A
    frame that is not comparable has none.

    Args:
        measure: F frames.
        threshold: in the unit of the measure.
        tiles: sizes of the blocks; the result does not depend on them.
        progress: called as progress(rows_of_tiles_done, rows_of_tiles_total).
    """
    if not 0 <= threshold < np.inf:
        raise BadInput(f"threshold must be finite and not negative, got {threshold}; give it in the measure's unit")
    tiles = tiles or TileSettings()
    parts = split(0, measure.n_frames, tiles.rows)
    work = partial(_find, measure, threshold, tiles.columns, measure.ranges)
    found = run_tiles(work, parts, threads=tiles.threads, progress=progress)
    counts, frames, distances = (np.concatenate(values) for values in zip(*found))
    return SliceMinima(threshold, np.concatenate([[0], np.cumsum(counts)]), frames, distances)


def _find(
    measure: Measure, threshold: float, tile_columns: int, ranges: np.ndarray, part: slice, scratch: Scratch
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The minima of some slices: (R,) counts, their frames and distances."""
    from motionloom.similarity._kernels import mark_slice_minima

    candidates = []
    limit = float(np.float32(threshold) ** 2)
    for columns in split(0, measure.n_frames, tile_columns):
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
    rows, frames, exact = rows[keep], frames[keep], exact[keep]
    order = np.lexsort((frames, exact, rows))
    counts = np.bincount(rows - part.start, minlength=part.stop - part.start)
    return counts, frames[order].astype(np.int32), exact[order].astype(np.float32)
