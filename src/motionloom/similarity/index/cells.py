"""Cells: short segments of motions, grouped by where they are in a feature space.

Frames of a motion move little from one to the next, so a few of them in a row are looked for together, and found
together: segments stand for their frames. They are about as far from end to end as each other, so that what stands for
them is about as near. Cells begin as halves of halves, cut across the direction in which they are
longest; then segments move to the nearest cell around theirs, as in k-means, and cells that have become too large are
cut again. A cell has a fixed number of segments, about, so there are the more of them the more frames there are, and
nothing here takes time or memory that grows faster than the frames do.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom.errors import BadInput
from motionloom.similarity.feature_space import FeatureDistances
from motionloom.tasks import one_thread_per_product

USUAL = 4  # frames whose usual path is the measure of segments
BATCH = 512  # cells whose distances to all others are held at once


@dataclass(frozen=True)
class CellSettings:
    """Sizes of segments and cells, and how many of them are looked at. More of them find more, and take longer."""

    segment: int = 8  # frames at most
    path: float = 1.5  # times what motions usually go in 4 frames: segments go no farther
    cell: int = 64  # segments
    rounds: int = 4  # of moving segments to the nearest cell
    around: int = 32  # cells that segments of a cell may move to
    shortlist: int = 512  # cells around one that its segments choose from
    probes: int = 96  # cells that are looked into for a segment
    compared: int = 768  # nearest segments whose frames are compared, at most
    share: float = 0.7  # of radii: what is out of reach even if this much nearer is passed over

    def __post_init__(self) -> None:
        counts = (self.segment, self.cell, self.around, self.shortlist, self.probes, self.compared)
        if min(counts) < 1 or self.rounds < 0 or not self.share >= 0 or not self.path > 0:
            raise BadInput(f"{self}: expected 1 or more of everything, and no negative rounds or share")


class Cells(NamedTuple):
    """F frames of P coordinates in S segments in C cells. A plain tuple, so that compiled loops take it as it is."""

    coordinates: np.ndarray  # (F, P) float64
    ranges: np.ndarray  # (F, 2) int: the half-open range of each frame's motion
    borders: np.ndarray  # (S + 1,) int: segment s has the frames [borders[s], borders[s + 1])
    radii: np.ndarray  # (S,) float64: how far the farthest frame of a segment is from its centre
    shift: np.ndarray  # (P,) float64: the mean of all frames, which centres are relative to
    centres: np.ndarray  # (S, P) float32: of segments
    cell_of: np.ndarray  # (S,) int: the cell that each segment is in, or nearest to
    members: np.ndarray  # (S',) int: segments, cell by cell, without those that only repeat the frame before
    cell_borders: np.ndarray  # (C + 1,) int: cell c has members[cell_borders[c] : cell_borders[c + 1]]
    cell_centres: np.ndarray  # (C, P) float32
    cell_radii: np.ndarray  # (C,) float32: how far segments of a cell usually are from its centre
    lane_radii: np.ndarray  # (S',) float32: the radii of members
    lanes: np.ndarray  # (S' P,) float32: the centres of members, cell by cell, each cell as (P, n)

    @property
    def segment_of(self) -> np.ndarray:
        """(F,) int: the segment of each frame."""
        return np.repeat(np.arange(len(self.radii)), np.diff(self.borders))


def make_cells(measure: FeatureDistances, settings: CellSettings | None = None) -> Cells:
    """Cut motions into segments and group these; the same at every run, whatever the number of threads."""
    settings = settings or CellSettings()
    starts, coordinates = measure.starts, measure.coordinates
    borders = _cut(coordinates, starts, settings)
    lengths = np.diff(borders)
    shift = coordinates.mean(axis=0)
    centres = np.add.reduceat(coordinates, borders[:-1], axis=0) / lengths[:, None] - shift
    squares = np.square(coordinates - shift - np.repeat(centres, lengths, axis=0)).sum(axis=1)
    radii = np.sqrt(np.maximum.reduceat(squares, borders[:-1]))
    is_new = np.logical_or.reduceat(~measure.repeats, borders[:-1])  # others hold no minimum along time
    with one_thread_per_product():  # on several they are rounded otherwise
        members = _refine(centres, _halve(centres, np.flatnonzero(is_new), settings.cell), settings)
        means = _means(centres, members)
        cell_of = np.empty(len(centres), np.int64)
        cell_of[~is_new] = _nearest_cells(centres[~is_new], means, 1)[:, 0]
    cell_of[np.concatenate(members)] = np.repeat(np.arange(len(members)), [len(cell) for cell in members])
    bulk = centres.astype(np.float32)
    return Cells(
        coordinates=coordinates,
        ranges=measure.ranges,
        borders=borders,
        radii=radii,
        shift=shift,
        centres=bulk,
        cell_of=cell_of,
        members=np.concatenate(members),
        cell_borders=np.concatenate([[0], np.cumsum([len(cell) for cell in members])]),
        cell_centres=means.astype(np.float32),
        cell_radii=np.array([_spread(centres[cell]) for cell in members], np.float32),
        lane_radii=radii[np.concatenate(members)].astype(np.float32),
        lanes=np.concatenate([bulk[cell].T.ravel() for cell in members]),
    )


def find_shortlists(cells: Cells, count: int) -> np.ndarray:
    """(C, W) int: the cells nearest to each cell, itself among them, in order of their numbers; W is count at most.

    Cells are as near as their edge is: few large ones hold what is far from everything, and that belongs together.
    """
    width = min(count, len(cells.cell_centres))
    near = np.empty((len(cells.cell_centres), width), np.int64)
    means = cells.cell_centres.astype(float)
    squares = np.square(means).sum(axis=1)
    for start in range(0, len(means), BATCH):
        part = slice(start, start + BATCH)
        with one_thread_per_product():
            away = squares[part, None] + squares - 2 * means[part] @ means.T
        least = np.sqrt(np.maximum(away, 0.0)) - cells.cell_radii
        near[part] = np.argpartition(least, width - 1, axis=1)[:, :width]
    return np.sort(near, axis=1)


def nearest_cell(cells: Cells, points: np.ndarray) -> np.ndarray:
    """(Q,) int: the cell whose centre is nearest to each of (Q, P) points."""
    with one_thread_per_product():
        return _nearest_cells(points - cells.shift, cells.cell_centres.astype(float), 1)[:, 0]


def _cut(coordinates: np.ndarray, starts: np.ndarray, settings: CellSettings) -> np.ndarray:
    """(S + 1,) borders of segments: many frames where a body is calm, few where it is fast."""
    from motionloom.similarity.index._kernels import begin_segments

    steps = np.zeros(len(coordinates))
    steps[1:] = np.sqrt(np.square(np.diff(coordinates, axis=0)).sum(axis=1))
    steps[starts[:-1]] = 0.0
    moving = steps[steps > 0]
    usual = (USUAL - 1) * float(np.median(moving)) if len(moving) else 0.0
    begins = begin_segments(steps, starts, settings.segment, settings.path * usual)
    return np.append(np.flatnonzero(begins), starts[-1])


def _halve(centres: np.ndarray, among: np.ndarray, size: int) -> list[np.ndarray]:
    """Cut a set of points into parts of at most this size, by halves, each across its longest direction."""
    n_parts = -(-len(among) // size)
    if n_parts == 1:
        return [among]
    spread = centres[among] - centres[among].mean(axis=0)
    _, directions = np.linalg.eigh(spread.T @ spread)
    order = np.argsort(spread @ directions[:, -1], kind="stable")
    half = len(among) * (n_parts // 2) // n_parts
    first, second = np.sort(among[order[:half]]), np.sort(among[order[half:]])
    return [*_halve(centres, first, size), *_halve(centres, second, size)]


def _refine(centres: np.ndarray, cells: list[np.ndarray], settings: CellSettings) -> list[np.ndarray]:
    """Move points to the nearest cell around theirs, a few times; cells over twice the size are cut."""
    for _ in range(settings.rounds):
        means = _means(centres, cells)
        halves = np.square(means).sum(axis=1) / 2
        nearest = np.full(len(centres), -1)
        for cell, around in zip(cells, _nearest_cells(means, means, settings.around)):
            closeness = centres[cell] @ means[around].T - halves[around]
            nearest[cell] = around[closeness.argmax(axis=1)]
        order = np.argsort(nearest, kind="stable")[np.count_nonzero(nearest < 0) :]
        cells = np.split(order, 1 + np.flatnonzero(np.diff(nearest[order])))
    parts = (_halve(centres, cell, settings.cell) if len(cell) > 2 * settings.cell else [cell] for cell in cells)
    return [part for cell in parts for part in cell]


def _means(centres: np.ndarray, cells: list[np.ndarray]) -> np.ndarray:
    return np.array([centres[cell].mean(axis=0) for cell in cells])


def _spread(points: np.ndarray) -> float:
    """The root mean square distance of points from their mean."""
    return float(np.sqrt(points.var(axis=0).sum()))


def _nearest_cells(points: np.ndarray, means: np.ndarray, count: int) -> np.ndarray:
    """(Q, W) the cells whose means are nearest to each point, in order of their numbers."""
    width = min(count, len(means))
    near = np.empty((len(points), width), np.int64)
    halves = np.square(means).sum(axis=1) / 2
    for start in range(0, len(points), BATCH):
        away = halves - points[start : start + BATCH] @ means.T
        near[start : start + BATCH] = np.argpartition(away, width - 1, axis=1)[:, :width]
    return np.sort(near, axis=1)
