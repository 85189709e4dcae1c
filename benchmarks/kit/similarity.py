"""Similarity: how fast all pairs of frames are compared, beside raw matrix products measured in the same run.

The raw products are the three of the plain formula for whole windows: 5 frames x 31 joints = 155 points, so 155 + 310 +
310 = 775 multiply-adds a pair, in float32, on all cores. Our way needs 155 of them, because products of single poses
are used again along the diagonal; both shares are given.
"""

import tracemalloc
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import best_of, figure
from motionloom.motion import kinematics
from motionloom.similarity import (
    NeighbourSettings,
    PointSettings,
    Stack,
    default_threshold,
    find_minima,
    find_neighbours,
    in_nearest_distances,
    learn_features,
    measure_angles,
    measure_features,
    measure_points,
    project,
    raw_features,
    warp_time,
)
from motionloom.similarity.measure import Measure
from motionloom.similarity.tiles import Scratch, TileSettings, run_tiles, split

ALL_JOINTS = PointSettings(joints=range(31))
WINDOW_PRODUCTS, POSE_PRODUCTS = 775, 155  # multiply-adds a pair


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about similarity; it needs real recordings."""
    if data is None:
        return []
    return [
        *_speed_figures(data),
        *_rounding_figures(data),
        *_memory_figures(data),
        *_search_figures(data),
        *_warp_figures(),
    ]


def _speed_figures(data: Path) -> list[dict]:
    frames = _frames(data, 10_000)
    clouds = measure_points(frames.positions, frames.starts, ALL_JOINTS)
    angles = measure_angles(frames.local_rotations, frames.starts)
    _compare_all(clouds)  # compiles
    _compare_all(angles, slice(0, 500))
    quarters = split(0, clouds.n_frames, -(-clouds.n_frames // 4))  # about as long as the raw product
    best, raw = [np.inf] * len(quarters), np.inf
    for _ in range(4):  # in turns, so that both meet the same machine
        for number, rows in enumerate(quarters):
            best[number] = min(best[number], best_of(partial(_compare_all, clouds, rows), 1))
            raw = min(raw, best_of(_raw_product, 1))
    pairs_per_second = clouds.n_frames**2 / sum(best)
    raw_per_second = RAW_SIZE**2 * WINDOW_PRODUCTS / raw
    some = slice(0, 1000)
    angle_pairs = 1000 * angles.n_frames / best_of(lambda: _compare_all(angles, some), 5)
    return [
        figure("point clouds; all pairs of 10,000 frames, 31 joints", pairs_per_second / 1e6, "M pairs/s", "higher"),
        figure(
            "point clouds; share of raw matrix products of whole windows",
            100 * pairs_per_second * WINDOW_PRODUCTS / raw_per_second,
            "%",
            "higher",
        ),
        figure(
            "point clouds; share of raw matrix products, counting only what is multiplied",
            100 * pairs_per_second * POSE_PRODUCTS / raw_per_second,
            "%",
            "higher",
        ),
        figure("raw matrix products of whole windows", raw_per_second / WINDOW_PRODUCTS / 1e6, "M pairs/s", "higher"),
        figure("joint angles; pairs of 31 joints", angle_pairs / 1e6, "M pairs/s", "higher"),
    ]


def _rounding_figures(data: Path) -> list[dict]:
    """The worst of 64 blocks of 100 x 100 pairs spread over all recordings, those of a frame with itself included."""
    frames = _frames(data, 25_000)
    clouds = measure_points(frames.positions, frames.starts)
    corners = np.linspace(0, clouds.n_frames - 100, 8).astype(int)
    worst_share = worst = 0.0
    for row in corners:
        for column in corners:
            rows, columns = np.arange(row, row + 100), np.arange(column, column + 100)
            block = clouds.squared_block(slice(row, row + 100), slice(column, column + 100), Scratch()).astype(float)
            exact = clouds.pairs(rows[:, None], columns)
            there = np.isfinite(exact)
            error = np.abs(block[there] - exact[there] ** 2)
            worst_share = max(worst_share, (error / (clouds.slack[rows][:, None] + clouds.slack[columns])[there]).max())
            worst = max(worst, np.abs(np.sqrt(block[there]) - exact[there]).max())
    return [
        figure("point clouds; worst rounding as a share of its stated bound", 100 * worst_share, "%", "lower"),
        figure("point clouds; worst rounding of a distance", 1000 * worst, "mm", "lower"),
    ]


def _memory_figures(data: Path) -> list[dict]:
    peaks = []
    for n_frames in (1_000, 5_000, 20_000):  # the first compiles
        frames = _frames(data, n_frames)
        clouds = measure_points(frames.positions, frames.starts)
        peaks.append(_peak(partial(find_minima, clouds, 0.02, tiles=TileSettings(threads=2))))
    return [
        figure("minima of 20,000 frames; memory on two threads", peaks[2] / 1e6, "MB", "lower"),
        figure("minima; memory of 20,000 frames beside 5,000", peaks[2] / peaks[1], "x", "lower"),
    ]


def _search_figures(data: Path) -> list[dict]:
    frames = _frames(data, 25_000)
    found: list[int] = []

    def search() -> None:
        clouds = measure_points(frames.positions, frames.starts, ALL_JOINTS)
        found.append(len(find_minima(clouds, default_threshold(clouds)).frames))

    more = _frames(data, 27_000)
    coordinates = _coordinates(more)
    features, nearest = measure_features(coordinates, more.starts), NeighbourSettings(count=64)
    clouds = measure_points(more.positions, more.starts)
    return [
        figure("minima of 25,000 frames under the default threshold; time", best_of(search, 2), "s", "lower"),
        figure("minima of 25,000 frames under the default threshold; found", found[0], "minima", "higher"),
        figure(
            "64 nearest of each of 27,000 frames; features, time",
            best_of(lambda: find_neighbours(features, nearest), 1),
            "s",
            "lower",
        ),
        figure(
            "64 nearest of each of 27,000 frames; point clouds, time",
            best_of(lambda: find_neighbours(clouds, nearest), 1),
            "s",
            "lower",
        ),
    ]


def _warp_figures() -> list[dict]:
    costs = np.random.default_rng(0).random((1500, 1500))
    warp_time(costs[:5, :5])
    return [figure("time warp; cells", costs.size / best_of(lambda: warp_time(costs), 3) / 1e6, "M cells/s", "higher")]


RAW_SIZE = 4000  # frames


def _raw_product() -> None:
    points = _random((RAW_SIZE, 310))
    out = _random((RAW_SIZE, RAW_SIZE))
    np.dot(points[:, :155], points[:, :155].T, out=out)
    np.dot(points, points.T, out=out)
    np.dot(points, points.T, out=out)


@cache
def _random(shape: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(0).random(shape, dtype=np.float32)


def _compare_all(measure: Measure, rows: slice | None = None) -> None:
    """Some or all frames with every frame on all cores: a strip of tiles at a time, as searches do."""
    tiles = TileSettings()
    asking = rows or slice(0, measure.n_frames)

    def compare(strip: slice, scratch: Scratch) -> None:
        for columns in split(0, measure.n_frames, tiles.columns):
            measure.squared_block(strip, columns, scratch)

    run_tiles(compare, split(asking.start, asking.stop, tiles.rows))


def _peak(run: Callable[[], object]) -> int:
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@cache
def _frames(data: Path, n_frames: int) -> Stack:
    """Real frames, takes of all sets in turn; bodies keep their own bones, because only speed is measured."""
    by_set: dict[str, list[str]] = {}
    for name, (_, row) in read_all(data).items():
        by_set.setdefault(row["set"], []).append(name)
    names = [
        name for _, name in sorted((number, name) for names in by_set.values() for number, name in enumerate(names))
    ]
    motions, lengths = [], [0]
    for name in names:
        motion = read_all(data)[name][0]
        kept = min(motion.n_frames, n_frames - sum(lengths))
        if kept > 0:
            motions.append(motion)
            lengths.append(kept)
    return Stack(
        skeleton=motions[0].skeleton,
        fps=motions[0].fps,
        starts=np.cumsum(lengths),
        positions=np.concatenate([kinematics.world_positions(m)[:n] for m, n in zip(motions, lengths[1:])]),
        local_rotations=np.concatenate([m.local_rotations[:n] for m, n in zip(motions, lengths[1:])]),
    )


def _coordinates(frames: Stack) -> np.ndarray:
    space = learn_features(frames.skeleton, frames.positions, frames.starts, frames.fps)
    raw = raw_features(frames.skeleton, frames.positions, frames.starts, frames.fps, space.joints)
    space = in_nearest_distances(space, project(space, raw), frames.starts)
    return project(space, raw)
