"""Minima of all slices: what `slice_through` finds, for every frame at once."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import measure_points, slice_through
from motionloom.similarity.slice_minima import find_slice_minima
from motionloom.similarity.tiles import TileSettings


@pytest.mark.parametrize("threshold", [0.0, 0.05, 0.3, 10.0])
def test_every_frame_has_the_minima_of_its_slice_nearest_first(some, threshold):
    clouds = measure_points(some.positions, some.starts)
    found = find_slice_minima(clouds, threshold)
    assert found.n_frames == clouds.n_frames
    for frame in range(clouds.n_frames):
        frames, distances = found.of(frame)
        if not clouds.comparable[frame]:
            assert len(frames) == 0
            continue
        alone = slice_through(clouds, frame, threshold=threshold)
        assert sorted(frames.tolist()) == alone.minima.tolist()
        np.testing.assert_allclose(distances, alone.distances[frames], rtol=1e-6, atol=1e-7)
        assert (np.diff(distances) >= 0).all()


def test_a_pose_that_is_held_has_one_minimum_as_in_its_slice(still):
    clouds = measure_points(still.positions, still.starts)
    found = find_slice_minima(clouds, 0.1)
    for frame in np.flatnonzero(clouds.comparable)[::7].tolist():
        assert sorted(found.of(frame)[0].tolist()) == slice_through(clouds, frame, threshold=0.1).minima.tolist()


def test_the_size_of_tiles_and_the_number_of_threads_do_not_matter(some):
    clouds = measure_points(some.positions, some.starts)
    whole = find_slice_minima(clouds, 0.3)
    for tiles in (TileSettings(rows=13, columns=7, threads=1), TileSettings(rows=1000, columns=64, threads=2)):
        parts = find_slice_minima(clouds, 0.3, tiles=tiles)
        for name in ("starts", "frames", "distances"):
            np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))


def test_a_threshold_that_is_no_distance_is_refused(some):
    clouds = measure_points(some.positions, some.starts)
    for threshold in (-1.0, np.nan, np.inf):
        with pytest.raises(BadInput, match="threshold must be finite and not negative"):
            find_slice_minima(clouds, threshold)


def test_motions_can_be_compared_pair_by_pair(some):
    clouds = measure_points(some.positions, some.starts)
    whole = find_slice_minima(clouds, 0.3)
    motion_of = np.repeat(np.arange(len(some.starts) - 1), np.diff(some.starts))
    rng, n_motions = np.random.default_rng(0), len(some.starts) - 1
    for share in (0.0, 0.3, 0.7, 1.0):
        cells = rng.random((n_motions, n_motions)) < share
        parts = find_slice_minima(clouds, 0.3, cells=cells, tiles=TileSettings(rows=13, columns=7))
        for frame in range(clouds.n_frames):
            frames, distances = whole.of(frame)
            kept = cells[motion_of[frame], motion_of[frames]]
            np.testing.assert_array_equal(parts.of(frame)[0], frames[kept])
            np.testing.assert_array_equal(parts.of(frame)[1], distances[kept])
