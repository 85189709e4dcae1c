"""Points as vectors: back to what they were, on any head; what moves with a point that is moved."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.dynamics.prior.point_vectors import USUAL, learn_point_vectors, put_on, take_off
from motionloom.motion import PointMotion, rotations


@pytest.fixture
def motion():
    rng = np.random.default_rng(3)
    rest = rng.normal(scale=0.06, size=(7, 3))
    return PointMotion(tuple("abcdefg"), rest + rng.normal(scale=0.002, size=(50, 7, 3)), 30.0)


@pytest.fixture
def heads():
    rng = np.random.default_rng(4)
    return np.concatenate([rng.normal(size=(50, 3)), rotations.exp(rng.normal(size=(50, 3)))], axis=1)


def test_vectors_are_points_on_any_head_and_back(motion, heads):
    codec = learn_point_vectors([motion])
    vectors, places = codec.encode(motion)
    assert vectors.shape == (50, 21) and places.shape == (50, 0)
    np.testing.assert_allclose(codec.decode(vectors, places).positions, motion.positions, atol=1e-15)
    shown = codec.decode(vectors, places, heads)
    np.testing.assert_allclose(take_off(shown.positions, heads), motion.positions, atol=1e-14)
    np.testing.assert_allclose(shown.positions, put_on(motion.positions, heads), atol=1e-14)


def test_what_points_usually_move_counts_alike_whatever_their_size(motion):
    for size in (0.1, 1.0, 10.0):
        grown = PointMotion(motion.names, size * motion.positions, motion.fps)
        vectors, _ = learn_point_vectors([grown]).encode(grown)
        assert np.sqrt((vectors**2).mean()) == pytest.approx(USUAL)


def test_points_are_apart_in_millimetres(motion):
    codec = learn_point_vectors([motion])
    vectors, _ = codec.encode(motion)
    moved, _ = codec.encode(PointMotion(motion.names, motion.positions + np.array([0.003, 0, 0.004]), motion.fps))
    np.testing.assert_allclose(codec.apart(vectors, moved), 5.0)


def test_points_that_do_not_move_or_are_others_are_refused(motion):
    still = PointMotion(motion.names, np.repeat(motion.positions[:1], 20, axis=0), motion.fps)
    with pytest.raises(BadInput, match="no point moves in the chosen takes"):
        learn_point_vectors([still])
    codec = learn_point_vectors([motion])
    with pytest.raises(BadInput, match="other names than those of the model"):
        codec.encode(PointMotion(tuple("gfedcba"), motion.positions, 30.0))
    with pytest.raises(BadInput, match="60 frames per second for a model at 30"):
        codec.encode(PointMotion(motion.names, motion.positions, 60.0))
