"""The parts of inverse kinematics against plain twins: the compiled Jacobian, and how changes are spread."""

import numpy as np
import pytest

from motionloom.constraints._kernels import fill_jacobian
from motionloom.constraints.smooth_interpolation import TENSION, spread_change
from motionloom.motion import kinematics, rotations


@pytest.mark.parametrize("size", [0.0, 1e-6, 0.7, 3.0])
def test_the_jacobian_agrees_with_finite_differences(make, size):
    motion = make.motion(3, wildness=1.0)
    skeleton = motion.skeleton
    joints = np.array([0, 9, 10, 13, 14, 15])
    turns = np.random.default_rng(2).normal(scale=size, size=(3, len(joints), 3))
    hand, head, offset = skeleton.index("left_hand"), skeleton.index("head"), np.array([0.1, 0.05, -0.02])
    scales = np.array([[2.0, 3.0], [1.0, 0.0], [1.0, 1.0]])
    base = motion.local_rotations[:, joints]

    def values(root, turns):
        local = motion.local_rotations.copy()
        local[:, joints] = rotations.multiply(base, rotations.exp(turns))
        positions, turned = kinematics.forward(skeleton, root, local)
        point = kinematics.attached_positions(positions, turned, np.array([hand]), offset[None])[:, 0]
        return point, turned[:, head], positions, turned

    _, head_turned, positions, turned = values(motion.root_positions, turns)
    columns = np.full(skeleton.n_joints, -1)
    columns[joints] = np.arange(len(joints))
    jacobian = np.zeros((3, 6, 3 + 3 * len(joints)))
    fill_jacobian(
        positions,
        rotations.to_matrix(turned),
        turns,
        skeleton.parents,
        columns,
        np.array([hand, head]),
        np.array([True, False]),
        np.stack([offset, np.zeros(3)]),
        scales,
        jacobian,
    )
    h = 1e-6
    for column in range(jacobian.shape[2]):
        ends = []
        for sign in (1, -1):
            root, moved = motion.root_positions.copy(), turns.copy()
            if column < 3:
                root[:, column] += sign * h
            else:
                moved[:, (column - 3) // 3, (column - 3) % 3] += sign * h
            point, other_head, _, _ = values(root, moved)
            ends.append((point, rotations.log(rotations.multiply(rotations.inverse(head_turned), other_head))))
        by_point, by_head = ((a - b) / (2 * h) for a, b in zip(*ends))
        np.testing.assert_allclose(jacobian[:, :3, column], scales[:, :1] * by_point, atol=1e-7)
        np.testing.assert_allclose(jacobian[:, 3:, column], scales[:, 1:] * by_head, atol=1e-7)


def plain_spread(known, frames, n_frames, window):
    """The same curve from dense least squares, one row after another, with what is known held by a huge weight."""
    beyond = int(window) + 4
    n_all = n_frames + 2 * beyond
    frames = np.array(frames) + beyond
    unit, rows, weights, values = np.eye(n_all), [], [], []
    for f in range(n_all - 1):
        rows.append(unit[f + 1] - unit[f])
        weights.append(np.sqrt(TENSION) * window)
        values.append(0.0)
    for f in range(n_all - 3):
        if np.isin(np.arange(f, f + 4), frames).sum() < 3:
            rows.append(np.array([-1.0, 3, -3, 1]) @ unit[f : f + 4])
            weights.append(window**3)
            values.append(0.0)
    for f in range(n_all):
        if f in frames or np.abs(frames - f).min() >= window:
            rows.append(unit[f])
            weights.append(1e9)
            values.append(known[list(frames).index(f)] if f in frames else 0.0)
    weights = np.array(weights)
    return np.linalg.lstsq(np.array(rows) * weights[:, None], np.array(values) * weights)[0][beyond:-beyond]


@pytest.mark.parametrize("frames", [[20], [3], [10, 11, 12, 13], [8, 15, 30], [0, 39]])
def test_changes_are_spread_as_by_plain_least_squares(frames):
    frames = np.array(frames)
    known = np.random.default_rng(1).normal(size=len(frames))
    spread = spread_change(known[:, None], frames, 40, 9.0)[:, 0]
    np.testing.assert_allclose(spread, plain_spread(known, frames, 40, 9.0), atol=1e-5)
    np.testing.assert_array_equal(spread[frames], known)


def test_a_single_change_fades_evenly_to_both_sides_without_overshoot():
    spread = spread_change(np.ones((1, 1)), np.array([50]), 101, 30.0)[:, 0]
    np.testing.assert_allclose(spread, spread[::-1], atol=1e-9)
    assert (np.diff(spread[20:51]) >= -1e-9).all()
    np.testing.assert_array_equal(spread[:21], 0.0)
    assert np.abs(np.diff(spread, 2)).max() < 12 / 30**2


def test_near_the_end_of_a_motion_a_change_fades_as_everywhere_else():
    inside = spread_change(np.ones((1, 1)), np.array([50]), 101, 30.0)[:, 0]
    np.testing.assert_allclose(spread_change(np.ones((1, 1)), np.array([2]), 3, 30.0)[:, 0], inside[48:51], atol=1e-9)
    assert spread_change(np.ones((1, 1)), np.array([0]), 1, 30.0).tolist() == [[1.0]]


def test_without_a_window_only_the_known_frames_change():
    spread = spread_change(np.ones((2, 3)), np.array([2, 3]), 8, 0.0)
    assert (spread != 0).any(axis=1).tolist() == [False, False, True, True, False, False, False, False]
