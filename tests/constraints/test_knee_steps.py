"""Knees of nearly straight legs: free feet move so that they do not jump, planted ones stay."""

import numpy as np
import pytest

from motionloom.constraints.knee_steps import slow_ankles

BONES = 0.42, 0.41
LENGTH = sum(BONES)


def offsets_of(lengths):
    """Distances of the knee from the line through hip and ankle."""
    a, b = BONES
    along = (a * a - b * b + lengths**2) / (2 * lengths)
    return np.sqrt(np.maximum(a * a - along**2, 0))


def leg(lengths, seed=0):
    """Hips and ankles of legs that are so many metres long, in random directions that change slowly."""
    rng = np.random.default_rng(seed)
    towards = np.array([0.0, -1.0, 0.0]) + 0.1 * np.sin(np.arange(len(lengths))[:, None] / 20 + rng.uniform(0, 6, 3))
    hips = rng.normal(size=3) + 0.01 * np.arange(len(lengths))[:, None] * np.array([1.0, 0, 0])
    return hips, hips + lengths[:, None] * towards / np.linalg.norm(towards, axis=-1, keepdims=True)


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_free_foot_that_is_lifted_at_once_is_lifted_slowly(fps, seed):
    lengths = np.where(np.arange(60) < 30, 0.998, 0.85) * LENGTH
    hips, ankles = leg(lengths, seed)
    free = np.arange(60) >= 30
    slowed = slow_ankles(hips, ankles, BONES, free, np.zeros(60), fps)
    steps = np.abs(np.diff(offsets_of(np.linalg.norm(slowed - hips, axis=-1))))
    assert np.abs(np.diff(offsets_of(lengths))).max() > 0.19
    assert steps.max() < 0.0851 * LENGTH * max(1, 60 / fps)
    np.testing.assert_array_equal(slowed[:30], ankles[:30])
    np.testing.assert_array_equal(slowed[40:], ankles[40:])


def test_planted_feet_and_fast_sources_stay():
    lengths = np.where(np.arange(60) < 30, 0.998, 0.85) * LENGTH
    hips, ankles = leg(lengths)
    assert slow_ankles(hips, ankles, BONES, np.zeros(60, bool), np.zeros(60), 60.0) is ankles
    assert slow_ankles(hips, ankles, BONES, np.ones(60, bool), offsets_of(lengths), 60.0) is ankles


def test_calm_legs_stay_bit_for_bit():
    hips, ankles = leg((0.9 + 0.09 * np.sin(np.arange(200) / 15)) * LENGTH)
    assert slow_ankles(hips, ankles, BONES, np.ones(200, bool), np.zeros(200), 60.0) is ankles
