"""Thresholds from the corpus itself."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.similarity import default_threshold, measure_features, measure_points, natural_step, nearest_distance


def test_the_natural_step_is_the_median_one(some):
    clouds = measure_points(some.positions, some.starts)
    for frames in (1, 6):
        steps = [
            float(clouds.pairs(f, f + frames))
            for start, stop in zip(clouds.starts, clouds.starts[1:])
            for f in range(start + 2, stop - 2 - frames)
        ]
        np.testing.assert_allclose(natural_step(clouds, frames), np.median(steps))


def test_the_nearest_distance_is_the_median_one(some):
    clouds = measure_points(some.positions, some.starts)
    frames = np.arange(191)
    matrix = clouds.pairs(frames[:, None], frames)
    motion = np.repeat(np.arange(4), np.diff(clouds.starts))
    own = (motion[:, None] == motion) & (np.abs(frames[:, None] - frames) <= 20)
    nearest = np.where(own, np.inf, matrix).min(axis=1)
    np.testing.assert_allclose(nearest_distance(clouds), np.median(nearest[np.isfinite(nearest)]))


def test_a_big_corpus_is_sampled_evenly_and_always_the_same():
    values = np.random.default_rng(1).normal(size=(9000, 2)).cumsum(axis=0)
    measure = measure_features(values, [0, 4000, 9000])
    assert nearest_distance(measure) == nearest_distance(measure)
    assert 0.5 < natural_step(measure) / np.median(np.linalg.norm(np.diff(values, axis=0), axis=1)) < 2


def test_the_default_threshold_is_the_larger_of_both(some):
    clouds = measure_points(some.positions, some.starts)
    assert default_threshold(clouds) == max(natural_step(clouds, 4), nearest_distance(clouds))
    assert default_threshold(clouds, 150.0) == max(natural_step(clouds, 10), nearest_distance(clouds))
    assert default_threshold(clouds, 150.0) == natural_step(clouds, 10) > default_threshold(clouds)


def test_the_same_recording_twice_does_not_make_it_zero(make):
    from motionloom.similarity import stack

    twice = stack([make.motion(80, seed=1)] * 2)
    clouds = measure_points(twice.positions, twice.starts)
    assert nearest_distance(clouds) < 1e-9 and default_threshold(clouds) > 1e-3


def test_motions_that_are_too_short_are_refused(make):
    from motionloom.similarity import stack

    short = stack([make.motion(9)])
    clouds = measure_points(short.positions, short.starts)
    with pytest.raises(BadInput, match="a step of 6 frames"):
        natural_step(clouds, 6)
    for frames in (0, -1):
        with pytest.raises(BadInput, match="1 frame or more"):
            natural_step(clouds, frames)
    with pytest.raises(BadInput, match="more than 20 frames away"):
        nearest_distance(clouds)
