"""Local minima of the pair matrix under a threshold: the pairs of frames where a motion may go over into another."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split
from motionloom.tasks import Progress

AT_A_TIME = 16384  # pairs, and comparisons of them in float64, that are in memory together


@dataclass(frozen=True)
class MinimaSettings:
    """What counts as a local minimum."""

    radius: int = 1  # frames: smaller than every pair this near in either motion
    own_frames: int = 20  # frames: pairs of one motion as near as this are no answer, though they are compared with


@dataclass(frozen=True, eq=False)
class Minima:
    """Pairs of frames, in order, and how far apart they are."""

    frames: np.ndarray  # (N, 2) int, the first before the second
    distances: np.ndarray  # (N,) float64, exact, in the unit of the measure


def find_minima(
    measure: Measure,
    threshold: float,
    settings: MinimaSettings | None = None,
    *,
    tiles: TileSettings | None = None,
    progress: Progress | None = None,
) -> Minima:
    """Find the local minima of the pair matrix that are at most the threshold.

    Each pair is looked at once (distances do not depend on the order). Neighbours are pairs of the same two motions; of
    equal ones the first in order wins. Tiles are computed in float32; what lies within its rounding is decided in
    float64, so that the answer is exact and does not depend on the tiles. Memory: one tile per thread, which grows with
    the radius at its edges, 1 MB more for what is undecided, and the answer.

    Args:
        measure: F frames.
        threshold: in the unit of the measure.
        settings: the neighbourhood, and how near in time the same motion may not meet itself.
        tiles: how much is computed at a time.
        progress: called with (rows of tiles done, rows of tiles in all).
    """
    settings, tiles = settings or MinimaSettings(), tiles or TileSettings()
    _check(threshold, settings)
    ranges = measure.ranges
    reach = settings.radius

    def work(rows: slice, scratch: Scratch) -> Minima:
        found = []
        for columns in split(rows.start, measure.n_frames, tiles.columns):  # each pair once, so not those before
            wide = _widened(rows, reach, measure.n_frames), _widened(columns, reach, measure.n_frames)
            block = measure.squared_block(*wide, scratch)
            for marked, doubts in _mark(measure, block, wide, (rows, columns), float(threshold), settings, ranges):
                found.append(_settle(measure, marked, doubts, float(threshold)))
        return _joined(found)

    strips = split(0, measure.n_frames, tiles.rows)
    return _joined(run_tiles(work, strips, threads=tiles.threads, progress=progress))


def _joined(parts: list[Minima]) -> Minima:
    frames = np.concatenate([part.frames for part in parts])
    order = np.lexsort((frames[:, 1], frames[:, 0]))
    return Minima(frames[order], np.concatenate([part.distances for part in parts])[order])


def _mark(
    measure: Measure,
    block: np.ndarray,
    place: tuple[slice, slice],
    core: tuple[slice, slice],
    threshold: float,
    settings: MinimaSettings,
    ranges: np.ndarray,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs (N, 2) that may be minima, and (D, 3) comparisons that float32 could not decide; some at a time."""
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
    """Keep the marked pairs that are minima in float64; one doubt of every pair at a time, until it fails."""
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
        raise BadInput(f"a threshold of {threshold}; it must be a finite distance, in the unit of the measure")
    if settings.radius < 1 or settings.own_frames < 0:
        raise BadInput(
            f"a radius of {settings.radius} and {settings.own_frames} own frames; the radius must be 1 or more, and "
            f"the frames not negative"
        )
