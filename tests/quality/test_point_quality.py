"""Quality of points: nearest recorded frames, and motion that is harder than in recordings."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.quality.point_quality import (
    LEAST_ACCELERATION,
    LEAST_SPEED,
    find_nearest_frames,
    learn_point_bars,
    shares_above,
)


def waves(n_frames: int, pace: float = 3.0, seed: int = 0) -> np.ndarray:
    """(F, 4, 3) metres: points that swing by a centimetre."""
    rng = np.random.default_rng(seed)
    times = np.arange(n_frames)[:, None, None] / 60
    return rng.normal(size=(4, 3)) + 0.01 * np.sin(pace * times + rng.uniform(0, 6, (4, 3)))


def test_the_nearest_frame_is_that_of_an_obvious_search():
    rng = np.random.default_rng(1)
    recorded, positions = rng.normal(size=(700, 4, 3)), rng.normal(size=(600, 4, 3))
    found = find_nearest_frames(positions, recorded)
    plain = np.array([np.sqrt(((recorded - pose) ** 2).sum(axis=-1).mean(axis=1)) for pose in positions])
    np.testing.assert_array_equal(found.frames, plain.argmin(axis=1))
    np.testing.assert_allclose(found.distances, plain.min(axis=1), atol=1e-7)


def test_missing_points_are_left_out_of_the_distance():
    recorded = waves(200)
    positions = recorded[::10].copy()
    positions[:, 2] += 0.5
    assert find_nearest_frames(positions, recorded).distances.min() > 0.2
    positions[:, 2] = np.nan
    found = find_nearest_frames(positions, recorded)
    np.testing.assert_allclose(found.distances, 0.0, atol=1e-6)
    np.testing.assert_array_equal(found.frames, np.arange(0, 200, 10))
    gaps = recorded.copy()
    gaps[:100, 0] = np.nan
    assert find_nearest_frames(recorded[:5], gaps).frames.min() >= 100  # the others are not whole
    gaps[:, 1] = np.nan
    assert np.isfinite(find_nearest_frames(recorded[:5], gaps).distances).all()
    nothing = find_nearest_frames(np.full((2, 4, 3), np.nan), recorded)
    assert np.isinf(nothing.distances).all()


def test_what_moves_as_recordings_do_is_rarely_above_the_bars_and_what_jumps_is():
    takes = [waves(600, seed=seed) for seed in range(3)]
    bars = learn_point_bars(takes, 60.0)
    assert max(shares_above(takes[0], 60.0, bars)) < 0.02
    fast, hard = shares_above(waves(600, pace=12.0), 60.0, bars)
    assert fast > 0.5 and hard > 0.5
    jumping = takes[0].copy()
    jumping[300:] += 0.01
    fast, hard = shares_above(jumping, 60.0, bars)
    assert 0.003 < fast < 0.03 and 0.003 < hard < 0.03


def test_bars_have_lower_bounds_and_gaps_are_no_jumps():
    still = np.zeros((60, 4, 3))
    bars = learn_point_bars([still], 60.0)
    assert set(bars.speeds) == {LEAST_SPEED} and set(bars.accelerations) == {LEAST_ACCELERATION}
    take = waves(300)
    take[100:150, 1] = np.nan
    take[:, 3] = np.nan
    bars = learn_point_bars([take], 60.0)
    assert np.isfinite(bars.speeds).all() and bars.speeds[3] == LEAST_SPEED
    assert max(shares_above(take, 60.0, bars)) < 0.02


def test_nothing_to_compare_with_is_refused():
    with pytest.raises(BadInput, match="no recordings of points"):
        learn_point_bars([], 60.0)
    with pytest.raises(BadInput, match="no recorded frames"):
        find_nearest_frames(np.zeros((1, 2, 3)), np.zeros((0, 2, 3)))
