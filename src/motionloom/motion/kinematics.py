"""Forward kinematics, its inverse for rotations, and Jacobians."""

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.arrays import read_only
from motionloom.motion.motion import Motion
from motionloom.motion.skeleton import Skeleton

FRAMES_PER_THREAD = 3000  # with fewer, starting a second thread costs more than it saves


def world(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """World positions (F, J, 3) in metres, and rotations (F, J, 4) joint to world."""
    return forward(motion.skeleton, motion.root_positions, motion.local_rotations)


def world_positions(motion: Motion) -> np.ndarray:
    """World positions of the joints: (F, J, 3) metres."""
    return world(motion)[0]


def forward(
    skeleton: Skeleton, root_positions: np.ndarray, local_rotations: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Forward kinematics of all frames.

    Args:
        skeleton: J joints.
        root_positions: (F, 3) metres, float32 or float64; the result has the same type.
        local_rotations: (F, J, 4) joint to parent.

    Returns:
        (F, J, 3) metres and (F, J, 4) joint to world.
    """
    dtype = np.float32 if local_rotations.dtype == np.float32 else np.float64
    local = read_only(np.ascontiguousarray(local_rotations, dtype=dtype))  # always read-only: compiled for one type
    root = read_only(np.ascontiguousarray(root_positions, dtype=dtype))
    positions = np.empty((*local.shape[:2], 3), dtype)
    turned = np.empty_like(local)
    _fill(local, root, skeleton.offsets.astype(dtype), skeleton.parents, positions, turned)
    return positions, turned


def _fill(
    local: np.ndarray,
    root: np.ndarray,
    offsets: np.ndarray,
    parents: np.ndarray,
    positions: np.ndarray,
    turned: np.ndarray,
) -> None:
    """Run the compiled loop; long motions on all cores, with the same result."""
    from motionloom.motion._kernels import forward_kinematics

    n_frames = len(root)
    if n_frames < 2 * FRAMES_PER_THREAD:
        forward_kinematics(local, root, offsets, parents, positions, turned)
        return
    from motionloom.tasks import count_cores, run_threads

    def fill_part(part: slice) -> None:
        forward_kinematics(local[part], root[part], offsets, parents, positions[part], turned[part])

    n_parts = min(count_cores(), n_frames // FRAMES_PER_THREAD)
    bounds = np.linspace(0, n_frames, n_parts + 1).astype(int).tolist()
    run_threads(fill_part, [slice(a, b) for a, b in zip(bounds[:-1], bounds[1:])], threads=n_parts)


def attached_positions(
    positions: np.ndarray, world_rotations: np.ndarray, joints: np.ndarray, offsets: np.ndarray
) -> np.ndarray:
    """World positions of points fixed to joints, such as heels and end sites: (F, K, 3) metres.

    Args:
        positions: (F, J, 3) metres, world.
        world_rotations: (F, J, 4) joint to world.
        joints: (K,) the joint of each point.
        offsets: (K, 3) metres in that joint's frame.
    """
    return positions[:, joints] + rotations.rotate(world_rotations[:, joints], np.asarray(offsets))


def to_local(skeleton: Skeleton, world_rotations: np.ndarray) -> np.ndarray:
    """Convert (..., J, 4) rotations joint to world to rotations joint to parent."""
    local = world_rotations.copy()
    child, parent = np.arange(1, skeleton.n_joints), skeleton.parents[1:]
    local[..., 1:, :] = rotations.multiply(
        rotations.inverse(world_rotations[..., parent, :]), world_rotations[..., child, :]
    )
    return local


def position_jacobian(
    skeleton: Skeleton, positions: np.ndarray, world_rotations: np.ndarray, joint: int, offset: np.ndarray | None = None
) -> np.ndarray:
    """The Jacobian of a joint's position, or that of a point fixed to it, by root position and joint rotations.

    Columns 0-2: root position; columns 3 + 3 j + c: rotation of joint j about its local axis c, q_j <- q_j exp(d).

    Args:
        skeleton: J joints.
        positions: (..., J, 3) metres, world.
        world_rotations: (..., J, 4) joint to world.
        joint: index of the joint.
        offset: (3,) metres in the joint's frame; None for the joint itself.

    Returns:
        (..., 3, 3 + 3 J) metres per metre and metres per radian.
    """
    point = positions[..., joint, :]
    if offset is not None:
        point = point + rotations.rotate(world_rotations[..., joint, :], np.broadcast_to(offset, point.shape))
    jacobian = np.zeros((*point.shape[:-1], 3, 3 + 3 * skeleton.n_joints))
    jacobian[..., 0, 0] = jacobian[..., 1, 1] = jacobian[..., 2, 2] = 1.0
    for j in skeleton.chain(joint):
        arm = point - positions[..., j, :]
        for c in range(3):
            axis = rotations.rotate(world_rotations[..., j, :], np.broadcast_to(np.eye(3)[c], point.shape))
            jacobian[..., :, 3 + 3 * j + c] = np.cross(axis, arm)
    return jacobian


def orientation_jacobian(skeleton: Skeleton, world_rotations: np.ndarray, joint: int) -> np.ndarray:
    """The Jacobian of a joint's world orientation by joint rotations, as a rotation vector in the joint's local frame.

    Args:
        skeleton: J joints.
        world_rotations: (..., J, 4) joint to world.
        joint: index of the joint.

    Returns:
        (..., 3, 3 + 3 J) radians per radian; columns as in `position_jacobian`, those of the root position are 0.
    """
    own = world_rotations[..., joint, :]
    jacobian = np.zeros((*own.shape[:-1], 3, 3 + 3 * skeleton.n_joints))
    for j in skeleton.chain(joint):
        relative = rotations.multiply(rotations.inverse(own), world_rotations[..., j, :])
        jacobian[..., :, 3 + 3 * j : 6 + 3 * j] = rotations.to_matrix(relative)
    return jacobian
