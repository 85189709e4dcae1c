"""Points: other frame rates, with gaps that stay where they are."""

import numpy as np
import pytest

from motionloom.motion import Motion, PointMotion, resample
from motionloom.motion.points import resample_points


def wavy(n_frames: int, fps: float) -> PointMotion:
    """Three points that move in waves."""
    times = np.arange(n_frames)[:, None, None] / fps
    return PointMotion(("a", "b", "c"), np.sin(times * [[2.0, 3.0, 5.0]] + np.arange(3.0)[:, None]), fps)


def test_points_are_resampled_as_bodies_are(make):
    body = make.motion(n_frames=41, fps=120.0)
    points = PointMotion(("root",), body.root_positions[:, None], 120.0)
    for fps in (30.0, 60.0, 100.0, 240.0):
        shown = resample_points(points, fps)
        np.testing.assert_array_equal(shown.positions[:, 0], resample(body, fps).root_positions)
        assert isinstance(body, Motion) and shown.fps == fps


@pytest.mark.parametrize("fps", [30.0, 60.0, 100.0, 250.0])
def test_gaps_stay_gaps_and_do_not_spread(fps):
    whole = wavy(61, 120.0)
    positions = whole.positions.copy()
    positions[20:30, 1] = np.nan
    shown = resample_points(PointMotion(whole.names, positions, 120.0), fps).positions
    times = np.arange(len(shown)) * 120.0 / fps
    in_gap = (times > 19 + 1e-6) & (times < 30 - 1e-6)
    np.testing.assert_array_equal(np.isnan(shown[:, 1]).all(axis=-1), in_gap)
    np.testing.assert_array_equal(shown[:, [0, 2]], resample_points(whole, fps).positions[:, [0, 2]])
    beside = resample_points(whole, fps).positions[~in_gap, 1]
    np.testing.assert_allclose(shown[~in_gap, 1], beside, atol=1e-3)


def test_a_point_that_is_seen_in_one_frame_alone_stays_in_it():
    positions = np.full((5, 1, 3), np.nan)
    positions[2] = 1.0
    shown = resample_points(PointMotion(("a",), positions, 60.0), 120.0).positions
    np.testing.assert_array_equal(np.flatnonzero(~np.isnan(shown[:, 0, 0])), [4])
    np.testing.assert_array_equal(shown[4], 1.0)
