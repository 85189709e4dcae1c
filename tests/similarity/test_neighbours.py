"""Nearest frames, beside a plain search of every row."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import (
    NeighbourSettings,
    TileSettings,
    find_neighbours,
    measure_angles,
    measure_features,
    measure_points,
)


def plain_neighbours(measure, frame, settings, columns=None):
    """Frames of one row that are nearest around them in time, the nearest first."""
    columns = range(measure.n_frames) if columns is None else columns
    motion = np.repeat(np.arange(len(measure.starts) - 1), np.diff(measure.starts))
    row = measure.pairs(frame, np.arange(measure.n_frames))
    found = []
    for j in columns:
        if not np.isfinite(row[j]) or (motion[j] == motion[frame] and abs(j - frame) <= settings.own_frames):
            continue
        around = [
            (row[m], m)
            for m in range(j - settings.apart, j + settings.apart + 1)
            if m in columns and motion[m] == motion[j]
        ]
        if min(around)[1] == j:
            found.append((row[j], j))
    return sorted(found)[: settings.count]


def check_rows(measure, settings, found, rows, columns=None):
    for k, frame in enumerate(rows):
        expected = plain_neighbours(measure, frame, settings, columns)
        n = len(expected)
        assert found.frames[k, :n].tolist() == [j for _, j in expected]
        np.testing.assert_allclose(found.distances[k, :n], [d for d, _ in expected])
        assert (found.frames[k, n:] == -1).all() and np.isinf(found.distances[k, n:]).all()


@pytest.mark.parametrize("settings", [(4, 3, 20), (1, 0, 5), (12, 1, 0), (300, 3, 20)])
def test_neighbours_are_those_of_the_plain_search(some, settings):
    settings = NeighbourSettings(*settings)
    features = np.random.default_rng(1).normal(size=(191, 5)).cumsum(axis=0)
    for measure in (
        measure_points(some.positions, some.starts),
        measure_angles(some.local_rotations, some.starts),
        measure_features(features, some.starts),
    ):
        found = find_neighbours(measure, settings)
        assert found.frames.shape == (191, settings.count)
        check_rows(measure, settings, found, range(191))


def test_neighbours_of_held_poses_are_exact_too(still):
    clouds = measure_points(still.positions, still.starts)
    for settings in (NeighbourSettings(3, 0, 4), NeighbourSettings(3, 2, 4)):
        check_rows(clouds, settings, find_neighbours(clouds, settings), range(clouds.n_frames))
    inside = find_neighbours(clouds, settings, columns=slice(20, 33))  # where it is held
    check_rows(clouds, settings, inside, range(clouds.n_frames), range(20, 33))


def test_where_float32_cannot_tell_float64_decides():
    rng = np.random.default_rng(0)
    values = 1e-7 * rng.permutation(600).astype(float)  # nearer to each other than float32 can tell
    values[0] = 1.0
    measure = measure_features(values[:, None], [0, 600])
    settings = NeighbourSettings(count=5, apart=0, own_frames=0)
    check_rows(measure, settings, find_neighbours(measure, settings, rows=slice(0, 2)), range(2))


def test_where_whole_motions_are_within_rounding_float64_decides_tile_by_tile():
    rng = np.random.default_rng(1)
    places = np.concatenate([np.full((500, 3), 20.0) + 1e-7 * rng.normal(size=(500, 3)), rng.normal(size=(60, 3))])
    measure = measure_features(places, [0, 130, 131, 400, 560])
    settings = NeighbourSettings(count=5, apart=3, own_frames=20)
    for tiles in (TileSettings(), TileSettings(rows=70, columns=41)):
        found = find_neighbours(measure, settings, rows=slice(90, 180), columns=slice(10, 540), tiles=tiles)
        check_rows(measure, settings, found, range(90, 180), range(10, 540))


def test_some_frames_can_ask_and_some_can_answer(some):
    clouds = measure_points(some.positions, some.starts)
    settings = NeighbourSettings(6, 3, 10)
    found = find_neighbours(clouds, settings, rows=slice(100, 140), columns=slice(30, 120))
    check_rows(clouds, settings, found, range(100, 140), range(30, 120))
    assert find_neighbours(clouds, settings, rows=slice(5, 5)).frames.shape == (0, 6)


def test_neighbours_do_not_depend_on_the_tiles(some, still):
    for stacked in (some, still):
        clouds = measure_points(stacked.positions, stacked.starts)
        usual = find_neighbours(clouds)
        for tiles in (TileSettings(1, 9), TileSettings(40, 70), TileSettings(500, 500, threads=1)):
            found = find_neighbours(clouds, tiles=tiles)
            np.testing.assert_array_equal(found.frames, usual.frames)
            np.testing.assert_array_equal(found.distances, usual.distances)


def test_progress_is_reported_to_the_end(some):
    reported = []
    clouds = measure_points(some.positions, some.starts)
    find_neighbours(clouds, tiles=TileSettings(50, 50), progress=lambda done, total: reported.append((done, total)))
    assert reported == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("settings", [(0, 3, 20), (3, -1, 20), (3, 3, -1)])
def test_settings_that_make_no_sense_are_refused(some, settings):
    with pytest.raises(BadInput, match="count must be 1 or more"):
        find_neighbours(measure_points(some.positions, some.starts), NeighbourSettings(*settings))
