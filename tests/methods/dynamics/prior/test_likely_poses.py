"""Likely poses: the mean of recorded poses by how near they are to what is asked, as uncertain as they differ."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.likely_poses import MOST, NEAR, choose_poses, likely_pose
from motionloom.methods.dynamics.prior.subspace import Subspace

LEAST = 0.01
RNG = np.random.default_rng(5)


@pytest.fixture
def subspace():
    return Subspace(np.eye(3)[:, :2], np.array([1.0, 2.0, 3.0]), np.ones(3))


def poses_of(coordinates):
    return np.column_stack([coordinates + [1.0, 2.0], np.full(len(coordinates), 3.0)])


def test_of_two_groups_of_poses_the_one_that_looks_like_what_is_asked_counts(subspace):
    far, near = RNG.normal(5.0, 0.1, (50, 2)), RNG.normal(-5.0, 0.1, (NEAR + 1, 2))
    away = np.concatenate([np.full(50, 10.0), np.full(NEAR + 1, 0.5)])
    found = likely_pose(subspace, poses_of(np.concatenate([far, near])), away, LEAST, 7)
    assert found.frame == 7
    assert found.coordinates == pytest.approx(near.mean(axis=0))
    assert found.covariance == pytest.approx(np.cov(near.T, bias=True) + LEAST**2 * np.eye(2))


def test_poses_count_by_their_distance_as_one_that_is_usual_has_it(subspace):
    coordinates = np.column_stack([np.arange(8.0), np.zeros(8)])
    away = np.arange(1.0, 9.0)
    found = likely_pose(subspace, poses_of(coordinates), away, LEAST, 0)
    shares = np.exp(-0.5 * (away / away[NEAR - 1]) ** 2)
    assert found.coordinates[0] == pytest.approx(shares @ coordinates[:, 0] / shares.sum())


def test_where_all_poses_are_as_near_they_are_as_likely(subspace):
    coordinates = RNG.normal(size=(40, 2))
    found = likely_pose(subspace, poses_of(coordinates), np.zeros(40), LEAST, 0)
    assert found.coordinates == pytest.approx(coordinates.mean(axis=0))


@pytest.mark.parametrize("count", [1, 2, NEAR])
def test_few_poses_are_enough(subspace, count):
    coordinates = RNG.normal(size=(count, 2))
    found = likely_pose(subspace, poses_of(coordinates), RNG.uniform(1.0, 2.0, count), LEAST, 0)
    assert np.isfinite(found.coordinates).all()
    assert np.linalg.eigvalsh(found.covariance).min() >= 0.99 * LEAST**2


def test_poses_of_long_lessons_are_spread_over_all_of_them():
    lessons = [np.full((MOST, 2), number, float) for number in range(4)]
    chosen = choose_poses(lessons)
    assert chosen.shape == (MOST, 2)
    assert np.bincount(chosen[:, 0].astype(int)).tolist() == pytest.approx([MOST / 4] * 4, abs=1)
