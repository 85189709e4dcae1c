"""Local minima of the pair matrix, beside a plain search of the whole matrix."""

import tracemalloc

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import (
    MinimaSettings,
    TileSettings,
    find_minima,
    measure_angles,
    measure_features,
    measure_points,
)


def plain_minima(measure, threshold, radius, own):
    """Look at every pair and at all its neighbours."""
    frames = np.arange(measure.n_frames)
    matrix = measure.pairs(frames[:, None], frames[None, :])
    motion = np.repeat(np.arange(len(measure.starts) - 1), np.diff(measure.starts))
    found = []
    for i in frames:
        for j in range(i + 1, len(frames)):
            if not matrix[i, j] <= threshold or (motion[i] == motion[j] and j - i <= own):
                continue
            near = [
                (matrix[k, m], k, m)
                for k in range(max(i - radius, 0), min(i + radius + 1, len(frames)))
                for m in range(max(j - radius, 0), min(j + radius + 1, len(frames)))
                if motion[k] == motion[i] and motion[m] == motion[j]
            ]
            if min(near)[1:] == (i, j):
                found.append((i, j))
    return np.array(found).reshape(-1, 2), matrix


@pytest.mark.parametrize("radius", [1, 3])
@pytest.mark.parametrize("own", [0, 5, 20])
def test_minima_are_those_of_the_plain_search(some, radius, own):
    clouds = measure_points(some.positions, some.starts)
    settings = MinimaSettings(radius, own)
    for threshold in (0.02, 0.3):
        expected, matrix = plain_minima(clouds, threshold, radius, own)
        found = find_minima(clouds, threshold, settings)
        np.testing.assert_array_equal(found.frames, expected)
        np.testing.assert_array_equal(found.distances, matrix[tuple(expected.T)])
    assert len(expected) > 3  # or there would be nothing to find


@pytest.mark.parametrize("tiles", [(3, 2), (7, 13), (64, 20), (1000, 1000)])
def test_minima_do_not_depend_on_the_tiles(some, still, tiles):
    for stacked in (some, still):
        clouds = measure_points(stacked.positions, stacked.starts)
        usual = find_minima(clouds, 0.25)
        found = find_minima(clouds, 0.25, tiles=TileSettings(*tiles))
        np.testing.assert_array_equal(found.frames, usual.frames)
        np.testing.assert_array_equal(found.distances, usual.distances)


def test_of_pairs_as_far_apart_the_first_wins(still):
    clouds = measure_points(still.positions, still.starts)
    expected, _ = plain_minima(clouds, 0.25, 1, 5)
    found = find_minima(clouds, 0.25, MinimaSettings(own_frames=5))
    np.testing.assert_array_equal(found.frames, expected)
    held = (found.frames[:, 0] < 37) & (found.distances < 1e-9)
    assert 0 < held.sum() < 30  # 25 x 25 pairs of the held pose are equal


def test_every_measure_has_minima(some):
    angles = measure_angles(some.local_rotations, some.starts)
    features = measure_features(np.random.default_rng(1).normal(size=(191, 5)).cumsum(axis=0), some.starts)
    for measure, threshold in ((angles, 0.3), (features, 4.0)):
        expected, _ = plain_minima(measure, threshold, 1, 20)
        np.testing.assert_array_equal(find_minima(measure, threshold).frames, expected)
        assert len(expected) > 5


def test_a_take_that_comes_again_is_found(some):
    found = find_minima(measure_points(some.positions, some.starts), 1e-6)
    again = found.frames[(found.frames[:, 0] < 90) & (found.frames[:, 1] >= 151)]
    assert len(again) and (again[:, 1] - again[:, 0] == 151 - 20).all()


def test_nothing_under_the_threshold_is_no_minima(some):
    found = find_minima(measure_points(some.positions, some.starts), 0.0)
    assert found.frames.shape == (0, 2) and found.distances.shape == (0,)


def test_memory_is_that_of_the_tiles(make):
    positions = np.random.default_rng(0).normal(size=(6000, 2, 3)).cumsum(axis=0)
    clouds = measure_points(positions, [0, 6000])
    find_minima(clouds, 1e-3)  # compiles
    tracemalloc.start()
    find_minima(clouds, 1e-3, tiles=TileSettings(threads=2))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6  # two threads with 2 MB each, and little more; the matrix would be 144 MB


@pytest.mark.parametrize("tremble", [0.0, 1e-9])  # metres: nothing at all, or nothing that float32 could see
def test_memory_is_that_of_the_tiles_when_everybody_stands_still(tremble):
    rng = np.random.default_rng(1)
    positions = rng.normal(size=(1, 3, 3)) + tremble * rng.normal(size=(140, 3, 3))
    clouds = measure_points(positions, [0, 70, 140])
    wide = MinimaSettings(radius=5, own_frames=20)
    find_minima(clouds, 0.1, wide)  # compiles
    tracemalloc.start()
    found = find_minima(clouds, 0.1, wide, tiles=TileSettings(threads=2))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6  # 120 comparisons of each pair would be 25 MB
    if not tremble:  # of 10,000 equal pairs one is the first; those of one motion are no farther than itself
        assert found.frames.tolist() == [[2, 72]]


def test_minima_of_who_trembles_are_exact_too():
    rng = np.random.default_rng(1)
    clouds = measure_points(rng.normal(size=(1, 3, 3)) + 1e-9 * rng.normal(size=(90, 3, 3)), [0, 50, 90])
    expected, _ = plain_minima(clouds, 1e-8, 2, 10)
    np.testing.assert_array_equal(find_minima(clouds, 1e-8, MinimaSettings(2, 10)).frames, expected)
    assert len(expected) > 10


@pytest.mark.parametrize("at_a_time", [1, 3, 20])
def test_minima_do_not_depend_on_how_many_are_decided_at_a_time(some, monkeypatch, at_a_time):
    clouds = measure_points(some.positions, some.starts)
    trembling = measure_features(1e-7 * np.random.default_rng(2).random((191, 2)), some.starts)
    monkeypatch.setattr("motionloom.similarity.minima.AT_A_TIME", at_a_time)
    for measure, threshold in ((clouds, 0.3), (trembling, 1e-8)):
        expected, _ = plain_minima(measure, threshold, 1, 20)
        np.testing.assert_array_equal(find_minima(measure, threshold).frames, expected)
        assert len(expected) > 3


def test_repeats_are_frames_that_change_no_distance(still):
    for measure in (
        measure_points(still.positions, still.starts),
        measure_angles(still.local_rotations, still.starts),
        measure_features(still.positions.reshape(len(still.positions), -1), still.starts),
    ):
        frames = np.arange(measure.n_frames)
        matrix = measure.pairs(frames[:, None], frames)
        repeated = np.flatnonzero(measure.repeats)
        assert len(repeated) > 30 and measure.comparable[repeated - 1].all()
        np.testing.assert_array_equal(matrix[repeated], matrix[repeated - 1])
        assert not measure.repeats[measure.starts[:-1]].any()


def test_progress_is_reported_to_the_end(some):
    reported = []
    find_minima(
        measure_points(some.positions, some.starts),
        0.1,
        tiles=TileSettings(50, 50),
        progress=lambda done, total: reported.append((done, total)),
    )
    assert [done for done, _ in reported] == list(range(1, len(reported) + 1)) and reported[-1][0] == reported[-1][1]


def test_a_threshold_above_all_distances_finds_all_minima(some):
    clouds = measure_points(some.positions, some.starts)
    expected, _ = plain_minima(clouds, 1e300, 1, 20)
    np.testing.assert_array_equal(find_minima(clouds, 1e300).frames, expected)


@pytest.mark.parametrize("threshold", [np.nan, np.inf, -1.0])
def test_a_threshold_that_is_no_distance_is_refused(some, threshold):
    with pytest.raises(BadInput, match="threshold"):
        find_minima(measure_points(some.positions, some.starts), threshold)


def test_settings_that_make_no_sense_are_refused(some):
    clouds = measure_points(some.positions, some.starts)
    with pytest.raises(BadInput, match="radius"):
        find_minima(clouds, 0.1, MinimaSettings(radius=0))
    with pytest.raises(BadInput, match="rows 0, columns 5 and threads None of tiles must be at least 1"):
        find_minima(clouds, 0.1, tiles=TileSettings(0, 5))
