"""How near bodies come: distances of line segments as sampling finds them, and bodies side by side."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.methods.buildup.hits.nearness import find_nearest, segment_distances

SHARES = np.linspace(0, 1, 101)


def sampled(first, second):
    (a, b), (c, d) = first, second
    one = a[..., None, :] + SHARES[:, None] * (b - a)[..., None, :]
    two = c[..., None, :] + SHARES[:, None] * (d - c)[..., None, :]
    gaps = np.linalg.norm(one[:, :, None, :, None] - two[:, None, :, None], axis=-1)
    return gaps.min(axis=(-1, -2))


def test_distances_of_segments_are_those_of_their_nearest_points():
    rng = np.random.default_rng(1)
    first, second = ((rng.normal(size=(2, n, 3)), rng.normal(size=(2, n, 3))) for n in (4, 5))
    found = segment_distances(first, second)
    assert found.shape == (2, 4, 5)
    assert (found <= sampled(first, second) + 1e-9).all()
    np.testing.assert_allclose(found, sampled(first, second), atol=0.03)


@pytest.mark.parametrize("turn", [0.0, 1e-9, 0.3])
def test_parallel_crossing_and_empty_segments(turn):
    start, along = np.zeros((1, 1, 3)), np.array([[[1.0, 0, 0]]])
    other = np.array([[[0.2, 0.5, 0]]])
    beside = other + np.array([[[np.cos(turn), 0, np.sin(turn)]]])
    assert segment_distances((start, along), (other, beside))[0, 0, 0] == pytest.approx(0.5)
    assert segment_distances((start, along), (other, other))[0, 0, 0] == pytest.approx(0.5)
    assert segment_distances((start, start), (other, other))[0, 0, 0] == pytest.approx(np.hypot(0.2, 0.5))


def test_a_body_that_walks_by_is_nearest_when_it_is_beside(make):
    still = make.motion(150, wildness=0.0)
    past = np.linspace(-3, 3, 150)[:, None] * [0, 0, 1.0] + [2.0, 0, 0]
    root = np.repeat(still.root_positions[:1], 150, axis=0)
    still = replace(still, root_positions=root, local_rotations=np.repeat(still.local_rotations[:1], 150, axis=0))
    found = find_nearest(still, replace(still, root_positions=root + past))
    assert found.frame in (74, 75) and 0 < found.distance < 2
    assert find_nearest(still, still).distance < 0
