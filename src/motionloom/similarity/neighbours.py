"""Nearest neighbours: the k nearest frames of every frame, exact, with temporal non-minimum suppression."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.measure import Measure
from motionloom.similarity.slices import lowest_in_time
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split
from motionloom.tasks import Progress

SPARES = (8, 100)  # extra candidates kept in float32, because float64 may order them differently; tried in turn
EXACT_ROWS = 32  # frames compared in float64 at a time, where float32 cannot decide


@dataclass(frozen=True)
class NeighbourSettings:
    """Number of neighbours, and suppression in time."""

    count: int = 32  # frames
    apart: int = 3  # frames: a neighbour is a minimum within this radius in its motion; 0: no suppression
    own_frames: int = 20  # frames of the same motion before and after that are excluded

    def check(self) -> None:
        """Raise if they make no sense."""
        if self.count < 1 or self.apart < 0 or self.own_frames < 0:
            raise BadInput(
                f"count {self.count}, apart {self.apart} and own_frames {self.own_frames} are invalid: count must be 1 "
                "or more, apart and own_frames 0 or more"
            )


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest frames of each query frame, nearest first."""

    frames: np.ndarray  # (R, k) int; -1 if there are fewer than k
    distances: np.ndarray  # (R, k) float64, exact; infinite if there are fewer than k


def find_neighbours(
    measure: Measure,
    settings: NeighbourSettings | None = None,
    *,
    rows: slice | None = None,
    columns: slice | None = None,
    tiles: TileSettings | None = None,
    progress: Progress | None = None,
) -> Neighbours:
    """Find the k nearest frames of frames, exactly, with temporal suppression.

    Without suppression the neighbours of a frame are runs of consecutive frames, which are redundant. Only local minima
    along time in their motion count; of equal ones the first.

    Args:
        measure: F frames.
        settings: number of neighbours, and suppression.
        rows: the query frames; None for all.
        columns: the frames that are searched; None for all.
        tiles: sizes of the blocks; the result does not depend on them.
        progress: called as progress(rows_of_tiles_done, rows_of_tiles_total).
    """
    settings, tiles = settings or NeighbourSettings(), tiles or TileSettings()
    settings.check()
    asking = measure.check_range(rows or slice(None))
    search = _Search(measure, measure.check_range(columns or slice(None)), settings, tiles.columns, measure.ranges)
    parts = split(asking.start, asking.stop, tiles.rows)
    found = run_tiles(partial(_find, search), parts, threads=tiles.threads, progress=progress)
    if not found:
        return Neighbours(np.full((0, settings.count), -1), np.full((0, settings.count), np.inf))
    frames, distances = ([getattr(part, name) for part in found] for name in ("frames", "distances"))
    return Neighbours(np.concatenate(frames), np.concatenate(distances))


@dataclass(frozen=True, eq=False)
class _Search:
    """The frames that are searched, and the settings of the search."""

    measure: Measure
    searched: slice
    settings: NeighbourSettings
    tile_columns: int  # frames
    ranges: np.ndarray  # (F, 2) int: of each frame's motion


def _find(search: _Search, part: slice, scratch: Scratch, spares: tuple[int, ...] = SPARES) -> Neighbours:
    """The neighbours of some frames; where float32 is inconclusive, with more candidates, finally all in float64."""
    if not spares:
        return _find_exactly(search, part)
    kept, values = _nearest_in_float32(search, part, scratch, spares[0])
    answer, sure = _settle(search, part, kept, values)
    borders = np.flatnonzero(np.diff(np.concatenate([[True], sure, [True]])))
    for start, stop in borders.reshape(-1, 2):  # runs of unsure rows
        again = slice(part.start + int(start), part.start + int(stop))
        better = _find(search, again, scratch, spares[1:])
        answer.frames[start:stop], answer.distances[start:stop] = better.frames, better.distances
    return answer


def _nearest_in_float32(search: _Search, part: slice, scratch: Scratch, spare: int) -> tuple[np.ndarray, np.ndarray]:
    """Heaps (R, k + spare) of candidate frames, as in `keep_nearest`, and squared distances."""
    from motionloom.similarity._kernels import keep_nearest

    settings, searched = search.settings, search.searched
    kept = np.zeros((part.stop - part.start, settings.count + spare), np.int64)
    values = np.full(kept.shape, np.inf, np.float32)
    for columns in split(searched.start, searched.stop, search.tile_columns):
        wide = slice(
            max(columns.start - settings.apart, searched.start), min(columns.stop + settings.apart, searched.stop)
        )
        keep_nearest(
            search.measure.squared_block(part, wide, scratch),
            part.start,
            wide.start,
            (part.start, part.stop, columns.start, columns.stop),
            settings.apart,
            settings.own_frames,
            search.measure.slack,
            search.measure.repeats,
            search.ranges,
            (searched.start, searched.stop),
            kept,
            values,
        )
    return kept, values


def _settle(search: _Search, part: slice, kept: np.ndarray, values: np.ndarray) -> tuple[Neighbours, np.ndarray]:
    """Decide in float64; and (R,) bool whether the result is certain to be among the candidates."""
    measure = search.measure
    asking = np.arange(part.start, part.stop)
    frames = np.where(kept < 0, -1 - kept, kept)
    there = np.isfinite(values)
    exact = np.where(there, measure.pairs(asking[:, None], frames, threads=1), np.inf)
    row, slot = np.nonzero(there & (kept < 0))
    wins = _is_nearest_around(search, asking[row], frames[row, slot], exact[row, slot])
    exact[row[~wins], slot[~wins]] = np.inf
    answer = _smallest(frames, exact, search.settings.count)
    # discarded frames are at least as far as the farthest candidate, up to rounding
    rounding = measure.slack[asking] + measure.slack[search.searched].max(initial=0.0)
    return answer, np.square(answer.distances[:, -1]) <= values.max(axis=1) - rounding


def _find_exactly(search: _Search, part: slice) -> Neighbours:
    """The neighbours of some frames, all in float64, for a few of them at a time and tile by tile."""
    found = [_settle_all(search, np.arange(rows.start, rows.stop)) for rows in split(part.start, part.stop, EXACT_ROWS)]
    return Neighbours(np.concatenate([f.frames for f in found]), np.concatenate([f.distances for f in found]))


def _settle_all(search: _Search, asking: np.ndarray) -> Neighbours:
    settings, searched, ranges = search.settings, search.searched, search.ranges
    best = Neighbours(np.full((len(asking), 0), -1), np.full((len(asking), 0), np.inf))
    for columns in split(searched.start, searched.stop, search.tile_columns):
        wide = np.arange(
            max(columns.start - settings.apart, searched.start), min(columns.stop + settings.apart, searched.stop)
        )
        exact = search.measure.pairs(asking[:, None], wide, threads=1)
        borders = 1 + np.flatnonzero(np.diff(ranges[wide, 0]))
        lowest = lowest_in_time(exact, np.array([0, *borders, len(wide)]), settings.apart)
        own = (ranges[asking, :1] == ranges[wide, 0]) & (abs(asking[:, None] - wide) <= settings.own_frames)
        exact[~lowest | own] = np.inf
        core = slice(columns.start - wide[0], columns.stop - wide[0])
        frames = np.concatenate([best.frames, np.broadcast_to(wide[core], exact[:, core].shape)], axis=1)
        best = _smallest(frames, np.concatenate([best.distances, exact[:, core]], axis=1), settings.count)
    return best


def _is_nearest_around(search: _Search, asking: np.ndarray, frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(N,) bool: whether frames with exact distances (N,) are minima along time in their motion."""
    wins = np.ones(len(frames), bool)
    first = np.maximum(search.ranges[frames, 0], search.searched.start)
    stop = np.minimum(search.ranges[frames, 1], search.searched.stop)
    for shift in (s for s in range(-search.settings.apart, search.settings.apart + 1) if s):
        rival = frames + shift
        inside = (rival >= first) & (rival < stop) & wins
        beaten = search.measure.pairs(asking[inside], rival[inside], threads=1)
        wins[inside] = beaten >= values[inside] if shift > 0 else beaten > values[inside]
    return wins


def _smallest(frames: np.ndarray, distances: np.ndarray, count: int) -> Neighbours:
    """The k nearest of each row, sorted by distance, then frame; (R, C) arrays in, (R, k) out."""
    if distances.shape[1] > 2 * count:  # sorting is slow: first leave out what is farther than the k-th
        near = distances <= np.partition(distances, count - 1, axis=1)[:, count - 1 : count]
        kept = np.argsort(~near, axis=1, kind="stable")[:, : near.sum(axis=1).max()]
        frames, distances = np.take_along_axis(frames, kept, axis=1), np.take_along_axis(distances, kept, axis=1)
    order = np.lexsort((frames, distances), axis=-1)[:, :count]
    nearest, at = np.take_along_axis(distances, order, axis=1), np.take_along_axis(frames, order, axis=1)
    short = count - nearest.shape[1]
    nearest = np.pad(nearest, ((0, 0), (0, max(short, 0))), constant_values=np.inf)
    at = np.pad(at, ((0, 0), (0, max(short, 0))), constant_values=-1)
    return Neighbours(np.where(np.isfinite(nearest), at, -1), nearest)
