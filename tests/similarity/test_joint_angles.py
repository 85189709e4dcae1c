"""Joint angles: equation 1 of the paper beside a plain version for one pair."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import Placement, place, rotations
from motionloom.similarity import measure_angles, stack
from motionloom.similarity.joint_angles import angle_series
from motionloom.similarity.tiles import Scratch


def plain_distance(one, other, weights):
    """The root of the weighted sum of |log(q_i^-1 q_j)|^2, joint by joint; the roots as seen under the best turn."""
    total = 0.0
    for joint, weight in enumerate(weights):
        if joint == 0:
            ups = [rotations.rotate(rotations.inverse(pose[0]), np.array([0.0, 1.0, 0.0])) for pose in (one, other)]
            turn = np.arctan2(np.linalg.norm(np.cross(*ups)), np.dot(*ups))  # between where each of them sees up
        else:
            turn = rotations.log(rotations.multiply(rotations.inverse(one[joint]), other[joint]))
        total += weight * np.sum(turn**2)
    return np.sqrt(total)


def random_poses(rng, n_frames, n_joints=6):
    return rotations.normalize(rng.normal(size=(n_frames, n_joints, 4)))


def test_pairs_are_those_of_the_plain_version():
    rng = np.random.default_rng(1)
    poses, weights = random_poses(rng, 40), rng.random(6)
    angles = measure_angles(poses, [0, 25, 40], weights)
    for i, j in rng.integers(0, 40, size=(60, 2)):
        expected = plain_distance(poses[i], poses[j], weights / weights.sum())
        np.testing.assert_allclose(angles.pairs(i, j), expected, atol=1e-12)


def test_blocks_agree_with_pairs_within_their_slack(some):
    rng = np.random.default_rng(2)
    for poses in (random_poses(rng, 191, 21), some.local_rotations):
        angles = measure_angles(poses, some.starts)
        exact = angles.pairs(np.arange(3, 160)[:, None], np.arange(40, 191))
        block = angles.squared_block(slice(3, 160), slice(40, 191), Scratch())
        assert np.abs(block - exact**2).max() <= 2 * angles.slack[0]
        np.testing.assert_allclose(angles.distances(slice(3, 160), slice(40, 191)), exact, atol=1.5e-3)


def test_a_quaternion_and_its_opposite_are_the_same_turn():
    rng = np.random.default_rng(3)
    poses = random_poses(rng, 30)
    flipped = poses * rng.choice([-1.0, 1.0], size=(30, 6, 1))
    one, other = measure_angles(poses, [0, 30]), measure_angles(flipped, [0, 30])
    np.testing.assert_allclose(other.pairs(0, np.arange(30)), one.pairs(0, np.arange(30)), atol=1e-12)
    everything = slice(0, 30)
    np.testing.assert_allclose(
        other.distances(everything, everything), one.distances(everything, everything), atol=1.5e-3
    )


@pytest.mark.parametrize("n_joints", [1, 3, 31, 90])
def test_the_slack_holds_for_any_poses_and_weights(n_joints):
    rng = np.random.default_rng(n_joints)
    poses = random_poses(rng, 500, n_joints)
    frames = np.arange(500)
    for weights in (np.ones(n_joints), np.eye(n_joints)[-1]):
        angles = measure_angles(poses, [0, 500], weights)
        block = angles.squared_block(slice(0, 500), slice(0, 500), Scratch()).astype(float)
        error = np.abs(block - angles.pairs(frames[:, None], frames) ** 2)
        assert error.max() <= 2 * angles.slack[0]


def test_no_turn_of_the_root_is_better():
    rng = np.random.default_rng(4)
    poses = random_poses(rng, 12, 1)
    angles = measure_angles(poses, [0, 12])
    for i, j in rng.integers(0, 12, size=(20, 2)):
        turned = rotations.multiply(rotations.about_y(np.linspace(0, 2 * np.pi, 2001)), poses[j, 0])
        left = rotations.angle_between(poses[i, 0], turned)
        assert angles.pairs(i, j) <= left.min() + 1e-7 and left.min() - angles.pairs(i, j) < 2e-3


def test_somebody_upside_down_is_near_who_is_turned_a_little_more():
    headstand = rotations.about_axis(np.array([1.0, 0.0, 0.0]), np.pi)
    rng = np.random.default_rng(5)
    nudges = rotations.exp(rng.normal(scale=0.01, size=(50, 3)))
    poses = rotations.multiply(nudges, headstand)[:, None]
    frames = np.arange(50)
    assert measure_angles(poses, [0, 50]).pairs(frames[:, None], frames).max() < 0.1


def test_one_joint_turned_by_an_angle_is_that_far_away():
    pose = rotations.identity((2, 4))
    for angle in (1e-6, 0.3, np.pi / 2, np.pi):
        pose[1, 2] = rotations.about_axis(np.array([0.0, 0.0, 1.0]), angle)
        angles = measure_angles(pose, [0, 2], (0, 0, 1, 0))
        np.testing.assert_allclose(angles.pairs(0, 1), angle, rtol=1e-9)
        np.testing.assert_allclose(measure_angles(pose, [0, 2]).pairs(0, 1), angle / 2, rtol=1e-9)  # one of four


def test_where_a_motion_is_and_faces_does_not_matter(make):
    motion = make.motion(20, seed=5)
    both = stack([motion, place(motion, Placement(-2.2, np.array([3.0, 1.0])))])
    angles = measure_angles(both.local_rotations, both.starts)
    np.testing.assert_allclose(angles.pairs(np.arange(20), np.arange(20, 40)), 0, atol=1e-12)


def test_the_tilt_of_the_root_counts(make):
    pose = rotations.identity((2, 1))
    pose[1, 0] = rotations.about_axis(np.array([1.0, 0.0, 0.0]), 0.4)
    np.testing.assert_allclose(measure_angles(pose, [0, 2]).pairs(0, 1), 0.4)


def test_the_series_is_the_square_of_the_angle():
    u = np.linspace(0, 1, 1001)
    series = u * np.polynomial.polynomial.polyval(u, angle_series().astype(float))
    np.testing.assert_allclose(series, (2 * np.arccos(1 - u)) ** 2, atol=5e-7)


def test_what_cannot_be_compared_is_refused(some):
    rotations_with_gap = some.local_rotations.copy()
    rotations_with_gap[95, 2] = np.nan
    with pytest.raises(BadInput, match="rotations of motion 1, frame 5"):
        measure_angles(rotations_with_gap, some.starts)
    with pytest.raises(BadInput, match="3 weights for 21 joints"):
        measure_angles(some.local_rotations, some.starts, (1, 2, 3))
    with pytest.raises(BadInput, match="not all zero"):
        measure_angles(some.local_rotations, some.starts, np.zeros(21))
    with pytest.raises(BadInput, match=r"rotations have shape \(20, 4\), expected \(F, J, 4\)"):
        measure_angles(np.ones((20, 4)), [0, 20])


def test_the_measure_of_chosen_frames_is_that_of_all(some):
    angles = measure_angles(some.local_rotations, some.starts)
    rng = np.random.default_rng(4)
    frames = rng.integers(0, some.starts[-1], 70)  # in any order, some of them more than once
    chosen = angles.chosen(frames)
    assert chosen.n_frames == 70
    np.testing.assert_array_equal(
        chosen.pairs(np.arange(70)[:, None], np.arange(70)), angles.pairs(frames[:, None], frames)
    )
    np.testing.assert_allclose(
        chosen.squared_block(slice(5, 40), slice(0, 70), Scratch()),
        angles.pairs(frames[5:40, None], frames) ** 2,
        atol=2 * angles.slack[0],
    )


def test_frames_that_are_not_there_cannot_be_chosen(some):
    angles = measure_angles(some.local_rotations, some.starts)
    with pytest.raises(BadInput, match="out of range"):
        angles.chosen([0, int(some.starts[-1])])
