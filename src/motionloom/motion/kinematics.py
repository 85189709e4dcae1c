"""From local rotations to world positions and back, and how the one changes with the other."""

import numpy as np

from motionloom.motion import rotations
from motionloom.motion.arrays import read_only
from motionloom.motion.motion import Motion
from motionloom.motion.skeleton import Skeleton

FRAMES_PER_THREAD = 3000  # fewer are done before a second thread has started


def world(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Where the joints are: (F, J, 3) metres and (F, J, 4) rotations joint to world."""
    return forward(motion.skeleton, motion.root_positions, motion.local_rotations)


def world_positions(motion: Motion) -> np.ndarray:
    """Where the joints are: (F, J, 3) metres, world."""
    return world(motion)[0]


def forward(
    skeleton: Skeleton, root_positions: np.ndarray, local_rotations: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Place every joint in the world, all frames at once.

    Args:
        skeleton: J joints.
        root_positions: (F, 3) metres, float32 or float64; the result has the same type.
        local_rotations: (F, J, 4) joint to parent.

    Returns:
        (F, J, 3) metres and (F, J, 4) joint to world.
    """
    dtype = np.float32 if local_rotations.dtype == np.float32 else np.float64
    local = read_only(np.ascontiguousarray(local_rotations, dtype=dtype))  # always: else the loop is compiled twice
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
    """Run the compiled loop; a long motion is shared out to all cores, frame by frame the same as on one."""
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
    """Where points fixed to joints are, such as heels and end sites: (F, K, 3) metres, world.

    Args:
        positions: (F, J, 3) metres, world.
        world_rotations: (F, J, 4) joint to world.
        joints: (K,) the joint that carries each point.
        offsets: (K, 3) metres in that joint's frame.
    """
    return positions[:, joints] + rotations.rotate(world_rotations[:, joints], np.asarray(offsets))


def to_local(skeleton: Skeleton, world_rotations: np.ndarray) -> np.ndarray:
    """Turn (..., J, 4) rotations joint to world into rotations joint to parent."""
    local = world_rotations.copy()
    child, parent = np.arange(1, skeleton.n_joints), skeleton.parents[1:]
    local[..., 1:, :] = rotations.multiply(
        rotations.inverse(world_rotations[..., parent, :]), world_rotations[..., child, :]
    )
    return local
