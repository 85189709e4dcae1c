"""Compiled loops of the motion room; their plain twins are in the tests."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz", "arcp"})
def forward_kinematics(
    local_rotations: np.ndarray,
    root_positions: np.ndarray,
    offsets: np.ndarray,
    parents: np.ndarray,
    positions: np.ndarray,
    world_rotations: np.ndarray,
) -> None:
    """Fill positions (F, J, 3) and world_rotations (F, J, 4) from root to leaves."""
    n_frames, n_joints = np.uintp(local_rotations.shape[0]), np.uintp(local_rotations.shape[1])
    for f in range(n_frames):  # unsigned indices: a fifth faster, because none can count from the end
        for c in range(3):
            positions[f, 0, c] = root_positions[f, c]
        for c in range(4):
            world_rotations[f, 0, c] = local_rotations[f, 0, c]
        for j in range(np.uintp(1), n_joints):
            p = np.uintp(parents[j])
            aw, ax, ay, az = (
                world_rotations[f, p, 0],
                world_rotations[f, p, 1],
                world_rotations[f, p, 2],
                world_rotations[f, p, 3],
            )
            bw, bx, by, bz = (
                local_rotations[f, j, 0],
                local_rotations[f, j, 1],
                local_rotations[f, j, 2],
                local_rotations[f, j, 3],
            )
            world_rotations[f, j, 0] = aw * bw - ax * bx - ay * by - az * bz
            world_rotations[f, j, 1] = aw * bx + ax * bw + ay * bz - az * by
            world_rotations[f, j, 2] = aw * by - ax * bz + ay * bw + az * bx
            world_rotations[f, j, 3] = aw * bz + ax * by - ay * bx + az * bw
            ox, oy, oz = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            tx, ty, tz = ay * oz - az * oy, az * ox - ax * oz, ax * oy - ay * ox
            tx, ty, tz = tx + tx, ty + ty, tz + tz  # not 2 *: that would make single precision double
            positions[f, j, 0] = positions[f, p, 0] + ox + aw * tx + ay * tz - az * ty
            positions[f, j, 1] = positions[f, p, 1] + oy + aw * ty + az * tx - ax * tz
            positions[f, j, 2] = positions[f, p, 2] + oz + aw * tz + ax * ty - ay * tx
