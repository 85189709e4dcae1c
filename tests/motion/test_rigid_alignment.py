"""Rigid alignment: the turn and shift that were put on are found again, whatever is missing or weighs nothing."""

import numpy as np
import pytest

from motionloom.motion import rotations
from motionloom.motion.rigid_alignment import align_rigidly, find_spreads


def moved(points: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, 3) turned and shifted in seven ways (7, n, 3), with the turns and shifts."""
    rng = np.random.default_rng(seed)
    turns, shifts = rotations.to_matrix(rotations.exp(rng.normal(scale=2, size=(7, 3)))), rng.normal(size=(7, 3))
    return points @ np.swapaxes(turns, -1, -2) + shifts[:, None], turns, shifts


def test_points_are_aligned_rigidly_and_never_mirrored():
    points = np.random.default_rng(0).normal(size=(6, 3))
    targets, turns, shifts = moved(points, 1)
    found, shift = align_rigidly(points, targets)
    np.testing.assert_allclose(found, turns, atol=1e-12)
    np.testing.assert_allclose(shift, shifts, atol=1e-12)
    mirrored, _ = align_rigidly(points, points * [-1.0, 1.0, 1.0])
    assert np.linalg.det(mirrored) == pytest.approx(1.0)


def test_points_without_weight_do_not_matter_whatever_they_are():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(6, 3))
    targets, turns, shifts = moved(points, 3)
    weights = rng.uniform(0.5, 2.0, size=(7, 6))
    weights[:, 2], weights[3, 4] = 0.0, 0.0
    targets[:, 2], targets[3, 4] = np.nan, 1e6
    found, shift = align_rigidly(points, targets, weights)
    np.testing.assert_allclose(found, turns, atol=1e-12)
    np.testing.assert_allclose(shift, shifts, atol=1e-12)


def test_no_other_turn_and_shift_bring_weighted_points_nearer():
    rng = np.random.default_rng(4)
    points, targets, weights = rng.normal(size=(9, 3)), rng.normal(size=(9, 3)), rng.uniform(size=9)

    def miss(turn, shift):
        return weights @ ((points @ turn.T + shift - targets) ** 2).sum(axis=-1)

    turn, shift = align_rigidly(points, targets, weights)
    for step in rng.normal(scale=0.01, size=(50, 6)):
        other = rotations.to_matrix(rotations.exp(step[:3])) @ turn
        assert miss(other, shift + step[3:]) > miss(turn, shift)


def test_spreads_are_those_of_the_points_that_have_weight():
    line = np.outer(np.arange(5.0), [1.0, 2.0, 2.0])
    np.testing.assert_allclose(find_spreads(line), [3 * np.sqrt(10), 0.0, 0.0], atol=1e-12)
    square = np.array([[1.0, 0, 1], [1, 0, -1], [-1, 0, 1], [-1, 0, -1], [np.nan, np.nan, np.nan]])
    np.testing.assert_allclose(find_spreads(square, np.array([1.0, 1, 1, 1, 0])), [2.0, 2.0, 0.0], atol=1e-12)
