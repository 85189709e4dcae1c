"""Mirrors of marker sets: who is opposite to whom, and sets that have none."""

import numpy as np
import pytest

from motionloom.methods.dynamics.prior.mirrored_points import find_mirror
from motionloom.motion import PointMotion, rotations
from motionloom.performer.face.markers import MIRROR, NAMES, NEUTRAL

REST = NEUTRAL / 1000


@pytest.mark.parametrize("seed", range(4))
def test_a_face_in_any_frame_has_its_opposite_points(seed):
    rng = np.random.default_rng(seed)
    turn = rotations.to_matrix(rotations.exp(rng.normal(size=3)))
    rest = (REST + rng.normal(scale=0.001, size=REST.shape)) @ turn.T + rng.normal(size=3)
    mirror = find_mirror(rest)
    assert mirror.opposite.tolist() == MIRROR.tolist()
    assert abs(mirror.normal @ turn[:, 0]) > 0.999


def test_motions_in_a_mirror_are_those_of_the_other_side_and_twice_is_the_same():
    mirror, rng = find_mirror(REST), np.random.default_rng(1)
    motion = PointMotion(NAMES, REST + rng.normal(scale=0.003, size=(20, len(NAMES), 3)), 30.0)
    other = mirror.mirrored(motion)
    left, right = (NAMES.index(f"{side}_mouth_corner") for side in ("left", "right"))
    np.testing.assert_allclose(
        other.positions[:, left] - REST[left], (motion.positions[:, right] - REST[right]) * [-1, 1, 1], atol=1e-12
    )
    np.testing.assert_allclose(mirror.mirrored(other).positions, motion.positions, atol=1e-12)


def test_points_without_a_mirror_have_none():
    rng = np.random.default_rng(0)
    assert find_mirror(rng.normal(scale=0.1, size=(20, 3))) is None
    assert find_mirror(np.delete(REST, [NAMES.index("left_jaw"), NAMES.index("right_ear"), 9], axis=0)) is None
