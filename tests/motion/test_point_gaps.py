"""Gaps of points: found as they are, and filled where they are short."""

import numpy as np
import pytest

from motionloom.motion import PointMotion
from motionloom.motion.point_gaps import fill_gaps, find_gaps

T = np.arange(30)[:, None] / 10.0


def points(*tracks: np.ndarray) -> PointMotion:
    return PointMotion(tuple("abc"[: len(tracks)]), np.stack(tracks, axis=1), 10.0)


def track(*coefficients: float) -> np.ndarray:
    """A path (F, 3) with these polynomial coefficients, the constant first."""
    return np.hstack([np.polynomial.polynomial.polyval(T, [k * c for c in coefficients]) for k in (1.0, -2.0, 0.5)])


def lose(path: np.ndarray, *runs: tuple[int, int]) -> np.ndarray:
    path = path.copy()
    for start, stop in runs:
        path[start:stop] = np.nan
    return path


def test_gaps_are_found_by_point_and_frame():
    motion = points(lose(track(1), (0, 2), (7, 8)), track(1, 1), lose(track(2), (0, 30)))
    assert find_gaps(motion).tolist() == [[0, 0, 2], [0, 7, 8], [2, 0, 30]]
    assert find_gaps(points(track(1))).shape == (0, 3)


def test_a_point_that_moves_evenly_goes_on_evenly():
    motion = points(lose(track(1, 3), (5, 9), (20, 21)))
    filled, gaps = fill_gaps(motion, 0.5)
    assert gaps.tolist() == [[0, 5, 9], [0, 20, 21]]
    np.testing.assert_allclose(filled.positions[:, 0], track(1, 3), atol=1e-12)
    assert motion.positions is not filled.positions and np.isnan(motion.positions[5, 0]).all()


def test_a_curve_is_followed_more_closely_than_a_line():
    path = np.hstack([np.sin(2 * T), np.cos(2 * T), T])
    filled, _ = fill_gaps(points(lose(path, (10, 14))), 0.4)
    line = np.linspace(path[9], path[14], 6)[1:-1]
    off = np.abs(filled.positions[10:14, 0] - path[10:14]).max()
    assert off < 0.3 * np.abs(line - path[10:14]).max()


@pytest.mark.parametrize(("longest", "expected"), [(0.0, []), (0.1, [[0, 20, 21]]), (0.4, [[0, 5, 9], [0, 20, 21]])])
def test_only_gaps_up_to_the_length_are_filled(longest, expected):
    motion = points(lose(track(1, 3), (5, 9), (20, 21)))
    filled, gaps = fill_gaps(motion, longest)
    assert gaps.tolist() == expected
    assert np.isnan(filled.positions).any(axis=(1, 2)).sum() == 5 - sum(stop - start for _, start, stop in expected)


def test_gaps_at_the_ends_stay_and_what_is_there_never_changes():
    motion = points(lose(track(1, 3, 2), (0, 3), (10, 12), (28, 30)))
    filled, gaps = fill_gaps(motion, 1.0)
    assert gaps.tolist() == [[0, 10, 12]]
    there = ~np.isnan(motion.positions)
    np.testing.assert_array_equal(filled.positions[there], motion.positions[there])
    assert np.isnan(filled.positions[[0, 2, 28, 29]]).all()


def test_a_lone_frame_between_gaps_is_met():
    filled, _ = fill_gaps(points(lose(track(1, 3), (5, 8), (9, 12))), 0.5)
    np.testing.assert_allclose(filled.positions[:, 0], track(1, 3), atol=1e-12)
