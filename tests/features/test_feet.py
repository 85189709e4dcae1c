"""Heels and balls of the feet."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import SkeletonMismatch
from motionloom.features.feet import POINTS, foot_points


def test_heels_of_an_edited_motion_are_the_places_of_the_feet_that_the_source_has(make_walk):
    walk = make_walk()
    lifted = replace(walk.motion, root_positions=walk.motion.root_positions + np.array([0.0, 0.02, 0.0]))
    alike = foot_points(lifted, 0.0, like=walk.motion)
    np.testing.assert_allclose(alike - foot_points(walk.motion, 0.0), np.full(alike.shape, [0, 0.02, 0]), atol=1e-12)
    own = foot_points(lifted, 0.0)
    heels = [POINTS.index("left_heel"), POINTS.index("right_heel")]
    assert np.abs(own - alike)[:, heels].max() == pytest.approx(0.02)  # they reach down to the floor again
    np.testing.assert_array_equal(foot_points(walk.motion, 0.0, like=walk.motion), foot_points(walk.motion, 0.0))


def test_heels_are_those_of_the_source_also_at_another_rate(make_walk):
    walk = make_walk().motion
    drift = np.arange(walk.n_frames)[:, None] / walk.fps * np.array([0.1, 0.0, 0.0])
    slow = replace(walk, root_positions=walk.root_positions + drift + np.array([0.0, 0.02, 0.0]))
    fast = replace(slow, fps=100 * slow.fps)  # whose feet are never slow enough to rest
    np.testing.assert_array_equal(foot_points(fast, 0.0, like=slow), foot_points(slow, 0.0))
    assert np.abs(foot_points(fast, 0.0) - foot_points(slow, 0.0)).max() > 0.01


def test_heels_cannot_be_alike_on_different_skeletons(make, make_walk):
    motion = make_walk().motion
    other = replace(motion, skeleton=make.skeleton(seed=3))
    with pytest.raises(SkeletonMismatch, match="differ; heel offsets need one skeleton"):
        foot_points(motion, 0.0, like=other)
