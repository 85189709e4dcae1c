"""Local minima of the distance matrix below a threshold: pairs of frames where a transition is possible."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split
from motionloom.tasks import Progress

AT_A_TIME = 16384  # candidate pairs, and their comparisons in float64, in memory at a time


@dataclass(frozen=True)
class MinimaSettings:
    """The neighbourhood of a local minimum."""

    radius: int = 1  # frames: smaller than every pair within this radius in both motions
    own_frames: int = 20  # frames: pairs of one motion within this distance in time are never minima


@dataclass(frozen=True, eq=False)
class Minima:
    """Pairs of frames, sorted, and their distances."""

    frames: np.ndarray  # (N, 2) int, the first before the second
    distances: np.ndarray  # (N,) float64, exact, in the unit of the measure


def find_minima(
    measure: Measure,
    threshold: float,
    settings: MinimaSettings | None = None,
    *,
    cells: np.ndarray | None = None,
    tiles: TileSettings | None = None,
    progress: Progress | None = None,
) -> Minima:
    """Find the local minima of the distance matrix that are at most the threshold.

    The matrix is symmetric, so each pair is considered once. Neighbours are pairs of the same two motions; of equal
    ones the first in order wins. Tiles are computed in float32; comparisons within rounding error are decided in
    float64, so that the result is exact and does not depend on the tiles. Memory: one tile per thread, widened by the
    radius at its edges, 1 MB for undecided comparisons, and the result.

    Args:
        measure: F frames.
        threshold: in the unit of the measure.
        settings: the neighbourhood, and the exclusion of pairs of one motion that are close in time.
        cells: (M, M) bool: which motions are compared, either way round; None for all.
        tiles: sizes of the blocks.
        progress: called as progress(rows_of_tiles_done, rows_of_tiles_total).
    """
    settings, tiles = settings or MinimaSettings(), tiles or TileSettings()
    _check(threshold, settings)
    ranges = measure.ranges
    reach = settings.radius
    compared = _Compared.of(measure, cells)

    def work(rows: slice, scratch: Scratch) -> Minima:
        found = []
        for columns in split(rows.start, measure.n_frames, tiles.columns):  # the upper triangle
            if not compared.has_any(rows, columns):
                continue
            wide = _widened(rows, reach, measure.n_frames), _widened(columns, reach, measure.n_frames)
            block = measure.squared_block(*wide, scratch)
            for marked, doubts in _mark(measure, block, wide, (rows, columns), float(threshold), settings, ranges):
                found.append(_settle(measure, marked, doubts, float(threshold)))
        return compared.chosen(_joined(found))

    strips = split(0, measure.n_frames, tiles.rows)
    return _joined(run_tiles(work, strips, threads=tiles.threads, progress=progress))


@dataclass(frozen=True, eq=False)
class _Compared:
    """Which motions are compared."""

    motion_of: np.ndarray  # (F,) int
    cells: np.ndarray | None  # (M, M) bool, symmetric; None: all

    @staticmethod
    def of(measure: Measure, cells: np.ndarray | None) -> "_Compared":
        motion_of = np.repeat(np.arange(len(measure.starts) - 1), np.diff(measure.starts))
        return _Compared(motion_of, None if cells is None else cells | cells.T)

    def has_any(self, rows: slice, columns: slice) -> bool:
        """Whether a tile has pairs that are compared."""
        if self.cells is None:
            return True
        first, second = (np.unique(self.motion_of[part]) for part in (rows, columns))
        return bool(self.cells[np.ix_(first, second)].any())

    def chosen(self, found: Minima) -> Minima:
        """The pairs that are compared."""
        if self.cells is None:
            return found
        first, second = self.motion_of[found.frames].T
        kept = self.cells[first, second]
        return Minima(found.frames[kept], found.distances[kept])


def _joined(parts: list[Minima]) -> Minima:
    frames = np.concatenate([np.zeros((0, 2), int), *(part.frames for part in parts)])
    order = np.lexsort((frames[:, 1], frames[:, 0]))
    return Minima(frames[order], np.concatenate([np.zeros(0), *(part.distances for part in parts)])[order])


def _mark(
    measure: Measure,
    block: np.ndarray,
    place: tuple[slice, slice],
    core: tuple[slice, slice],
    threshold: float,
    settings: MinimaSettings,
    ranges: np.ndarray,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Candidate pairs (N, 2), and (D, 3) comparisons that float32 cannot decide, in batches."""
    from motionloom.similarity._kernels import mark_minima

    edges = (core[0].start, core[0].stop, core[1].start, core[1].stop)
    radius = min(settings.radius, measure.n_frames)
    marked = np.empty((AT_A_TIME, 2), np.int64)
    doubts = np.empty((AT_A_TIME + (2 * radius + 1) ** 2, 3), np.int64)
    begin = (core[0].start, core[1].start)
    while begin[0] < core[0].stop:
        n_marked, n_doubts, *following = mark_minima(
            block,
            place[0].start,
            place[1].start,
            edges,
            begin,
            threshold * threshold,
            radius,
            settings.own_frames,
            measure.slack,
            measure.repeats,
            ranges,
            marked,
            doubts,
        )
        yield marked[:n_marked], doubts[:n_doubts]
        begin = (following[0], following[1])


def _settle(measure: Measure, marked: np.ndarray, doubts: np.ndarray, threshold: float) -> Minima:
    """Keep the candidate pairs that are minima in float64; one undecided comparison of each pair per iteration."""
    values = measure.pairs(marked[:, 0], marked[:, 1], threads=1)
    holds = values <= threshold
    while len(doubts := doubts[holds[doubts[:, 0]]]):
        is_next = np.diff(doubts[:, 0], prepend=-1) > 0  # the first of each pair's
        own, first, second = doubts[is_next].T
        rival = measure.pairs(first, second, threads=1)
        earlier = (first < marked[own, 0]) | ((first == marked[own, 0]) & (second < marked[own, 1]))
        lost = (rival < values[own]) | ((rival == values[own]) & earlier)
        holds[own[lost]] = False
        doubts = doubts[~is_next]
    return Minima(marked[holds], values[holds])


def _widened(part: slice, reach: int, n_frames: int) -> slice:
    return slice(max(part.start - reach, 0), min(part.stop + reach, n_frames))


def _check(threshold: float, settings: MinimaSettings) -> None:
    if not 0 <= threshold < np.inf:
        raise BadInput(f"threshold must be finite and not negative, got {threshold}; give it in the measure's unit")
    if settings.radius < 1 or settings.own_frames < 0:
        raise BadInput(
            f"radius {settings.radius} and own_frames {settings.own_frames} are invalid: the radius must be 1 or more, "
            "own_frames 0 or more"
        )
