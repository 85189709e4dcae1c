"""Slices: one frame against all others."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import measure_points, slice_through


def test_a_slice_is_a_row_of_the_pair_matrix(some):
    clouds = measure_points(some.positions, some.starts)
    found = slice_through(clouds, 40)
    np.testing.assert_array_equal(found.distances, clouds.pairs(40, np.arange(191)))
    assert found.frame == 40 and found.distances[40] < 1e-12


def test_minima_are_the_lowest_frames_around_them_in_each_motion(some):
    clouds = measure_points(some.positions, some.starts)
    for apart in (1, 4):
        found = slice_through(clouds, 40, apart=apart)
        expected = [
            j
            for start, stop in zip(clouds.starts, clouds.starts[1:])
            for j in range(start, stop)
            if clouds.comparable[j]
            and found.distances[j] == found.distances[max(start, j - apart) : min(stop, j + apart + 1)].min()
        ]
        assert found.minima.tolist() == expected
        assert {40, 171} <= set(expected)  # the frame itself, and where the take comes again


def test_minima_over_the_threshold_are_left_out(some):
    clouds = measure_points(some.positions, some.starts)
    assert slice_through(clouds, 40, threshold=1e-6).minima.tolist() == [40, 171]


def test_of_frames_as_far_away_the_first_is_the_minimum(still):
    clouds = measure_points(still.positions, still.starts)
    found = slice_through(clouds, 20, threshold=1e-9)
    assert found.minima[0] == 14  # frames 12 .. 37 of the first take hold the pose; its window needs two more
    assert (np.diff(found.minima) > 1).all()


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (1, "too near an end of its motion for its window"),
        (191, "frame 191 is out of range: the measure has 191 frames"),
    ],
)
def test_a_frame_without_a_slice_is_refused(some, frame, message):
    with pytest.raises(BadInput, match=message):
        slice_through(measure_points(some.positions, some.starts), frame)
