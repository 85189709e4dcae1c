"""Forward kinematics against an obvious twin, Jacobians against finite differences."""

import numpy as np
import pytest

from motionloom.motion import cut, kinematics
from motionloom.motion import rotations as r


def plain_forward(skeleton, root_positions, local_rotations):
    """One frame, one joint at a time, with matrices."""
    positions = np.zeros((*local_rotations.shape[:2], 3))
    turned = np.zeros((*local_rotations.shape[:2], 3, 3))
    for f in range(len(root_positions)):
        for j, parent in enumerate(skeleton.parents):
            own = r.to_matrix(local_rotations[f, j])
            if parent < 0:
                turned[f, j], positions[f, j] = own, root_positions[f]
            else:
                turned[f, j] = turned[f, parent] @ own
                positions[f, j] = positions[f, parent] + turned[f, parent] @ skeleton.offsets[j]
    return positions, turned


def test_forward_kinematics_agrees_with_its_plain_twin(make):
    motion = make.motion(12, wildness=2.0)
    positions, turned = kinematics.world(motion)
    plain_positions, plain_turned = plain_forward(motion.skeleton, motion.root_positions, motion.local_rotations)
    np.testing.assert_allclose(positions, plain_positions, atol=1e-12)
    np.testing.assert_allclose(r.to_matrix(turned), plain_turned, atol=1e-12)


def test_a_long_motion_shared_out_to_threads_is_the_same_bit_for_bit(make):
    motion = make.motion(2 * kinematics.FRAMES_PER_THREAD + 1, wildness=2.0)
    positions, turned = kinematics.world(motion)
    pieces = [kinematics.world(cut(motion, a, min(a + 500, motion.n_frames))) for a in range(0, motion.n_frames, 500)]
    np.testing.assert_array_equal(positions, np.concatenate([p for p, _ in pieces]))
    np.testing.assert_array_equal(turned, np.concatenate([q for _, q in pieces]))


def test_single_precision_stays_within_ten_micrometres(make):
    motion = make.motion(30, wildness=2.0)
    exact, _ = kinematics.world(motion)
    rough, _ = kinematics.forward(
        motion.skeleton, motion.root_positions.astype(np.float32), motion.local_rotations.astype(np.float32)
    )
    assert rough.dtype == np.float32
    assert np.abs(rough - exact).max() < 1e-5


def test_bones_keep_their_length(make):
    motion = make.motion(30, wildness=2.0)
    positions = kinematics.world_positions(motion)
    child, parent = np.arange(1, motion.skeleton.n_joints), motion.skeleton.parents[1:]
    lengths = np.linalg.norm(positions[:, child] - positions[:, parent], axis=-1)
    np.testing.assert_allclose(
        lengths, np.broadcast_to(np.linalg.norm(motion.skeleton.offsets[1:], axis=-1), lengths.shape)
    )


def test_local_rotations_come_back_from_world_rotations(make):
    motion = make.motion(10, wildness=2.0)
    _, turned = kinematics.world(motion)
    np.testing.assert_allclose(
        r.angle_between(kinematics.to_local(motion.skeleton, turned), motion.local_rotations), 0, atol=1e-7
    )


@pytest.mark.parametrize("joint", ["hips", "left_hand", "right_ball", "head"])
@pytest.mark.parametrize("offset", [None, np.array([0.1, -0.2, 0.05])])
def test_position_jacobian_agrees_with_finite_differences(make, joint, offset):
    motion = make.motion(3, wildness=2.0)
    index = motion.skeleton.index(joint)
    positions, turned = kinematics.world(motion)
    jacobian = kinematics.position_jacobian(motion.skeleton, positions, turned, index, offset)
    differences = differentiate(motion, lambda p, q: point_at(p, q, index, offset))
    np.testing.assert_allclose(jacobian, differences, atol=1e-8)


@pytest.mark.parametrize("joint", ["hips", "left_hand", "right_ball", "head"])
def test_orientation_jacobian_agrees_with_finite_differences(make, joint):
    motion = make.motion(3, wildness=2.0)
    index = motion.skeleton.index(joint)
    _, turned = kinematics.world(motion)
    base = turned[:, index]
    jacobian = kinematics.orientation_jacobian(motion.skeleton, turned, index)
    differences = differentiate(motion, lambda p, q: r.log(r.multiply(r.inverse(base), q[:, index])))
    np.testing.assert_allclose(jacobian, differences, atol=1e-8)


def point_at(positions, turned, joint, offset):
    point = positions[:, joint]
    return point if offset is None else point + r.rotate(turned[:, joint], np.broadcast_to(offset, point.shape))


def differentiate(motion, measure, h=1e-6):
    """Central differences of (F, 3) values by root position and by turning every joint: (F, 3, 3 + 3 J)."""
    columns = []
    for column in range(3 + 3 * motion.skeleton.n_joints):
        values = []
        for sign in (1, -1):
            root, local = motion.root_positions.copy(), motion.local_rotations.copy()
            if column < 3:
                root[:, column] += sign * h
            else:
                joint, axis = divmod(column - 3, 3)
                local[:, joint] = r.multiply(local[:, joint], r.exp(sign * h * np.eye(3)[axis]))
            values.append(measure(*kinematics.forward(motion.skeleton, root, local)))
        columns.append((values[0] - values[1]) / (2 * h))
    return np.stack(columns, axis=-1)


def test_attached_points_move_with_their_joint(make):
    motion = make.motion(5)
    positions, turned = kinematics.world(motion)
    skeleton = motion.skeleton
    ends = kinematics.attached_positions(positions, turned, skeleton.end_parents, skeleton.end_offsets)
    distances = np.linalg.norm(ends - positions[:, skeleton.end_parents], axis=-1)
    np.testing.assert_allclose(
        distances, np.broadcast_to(np.linalg.norm(skeleton.end_offsets, axis=-1), distances.shape)
    )
