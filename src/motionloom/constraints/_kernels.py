"""Compiled loops of the constraints room; their plain twins are in the tests."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def fill_jacobian(
    positions: np.ndarray,
    axes: np.ndarray,
    turns: np.ndarray,
    parents: np.ndarray,
    columns: np.ndarray,
    joints: np.ndarray,
    is_position: np.ndarray,
    offsets: np.ndarray,
    scales: np.ndarray,
    jacobian: np.ndarray,
) -> None:
    """Fill how the values of targets change with the root and the turns of the joints above them.

    positions (n, J, 3); axes (n, J, 3, 3) joint to world; turns (n, M, 3) from which rotations are base exp(turns);
    columns (J,) the number of each joint among the M, or -1; joints, is_position, offsets (T, 3) of the targets; scales
    (n, T) of their rows; jacobian (n, 3 T, 3 + 3 M) of zeros.
    """
    by_turn, by_unknown, point = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    for f in range(len(positions)):
        for t in range(len(joints)):
            if scales[f, t] == 0.0:
                continue
            own = joints[t]
            for a in range(3):
                point[a] = positions[f, own, a]
                for b in range(3):
                    point[a] += axes[f, own, a, b] * offsets[t, b]
                if is_position[t]:
                    jacobian[f, 3 * t + a, a] = scales[f, t]
            joint = own
            while joint >= 0:
                column = columns[joint]
                if column >= 0:
                    if is_position[t]:
                        _turn_point(axes[f, joint], point, positions[f, joint], by_turn)
                    else:
                        _turn_joint(axes[f, own], axes[f, joint], by_turn)
                    _times_right_jacobian(by_turn, turns[f, column], by_unknown)
                    for a in range(3):
                        for b in range(3):
                            jacobian[f, 3 * t + a, 3 + 3 * column + b] = scales[f, t] * by_unknown[a, b]
                joint = parents[joint]


@numba.njit(cache=True, nogil=True)
def _turn_point(axes: np.ndarray, point: np.ndarray, centre: np.ndarray, result: np.ndarray) -> None:
    """Columns: the axes of a joint, crossed with the arm from it to a point."""
    x, y, z = point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]
    for c in range(3):
        result[0, c] = axes[1, c] * z - axes[2, c] * y
        result[1, c] = axes[2, c] * x - axes[0, c] * z
        result[2, c] = axes[0, c] * y - axes[1, c] * x


@numba.njit(cache=True, nogil=True)
def _turn_joint(own: np.ndarray, above: np.ndarray, result: np.ndarray) -> None:
    """The axes of a joint above, seen from a joint: own^T above."""
    for a in range(3):
        for b in range(3):
            result[a, b] = own[0, a] * above[0, b] + own[1, a] * above[1, b] + own[2, a] * above[2, b]


@numba.njit(cache=True, nogil=True)
def _times_right_jacobian(matrix: np.ndarray, turn: np.ndarray, result: np.ndarray) -> None:
    """matrix (I - p [v] + q [v]^2), where [v] is the cross product with a turn v: exp(v + d) = exp(v) exp(this d)."""
    x, y, z = turn[0], turn[1], turn[2]
    square = x * x + y * y + z * z
    if square < 1e-8:
        p, q = 0.5 - square / 24, 1 / 6 - square / 120
    else:
        angle = np.sqrt(square)
        p, q = (1 - np.cos(angle)) / square, (angle - np.sin(angle)) / (square * angle)
    for a in range(3):
        m0, m1, m2 = matrix[a, 0], matrix[a, 1], matrix[a, 2]
        c0, c1, c2 = m1 * z - m2 * y, m2 * x - m0 * z, m0 * y - m1 * x  # the row times [v]
        result[a, 0] = m0 - p * c0 + q * (c1 * z - c2 * y)
        result[a, 1] = m1 - p * c1 + q * (c2 * x - c0 * z)
        result[a, 2] = m2 - p * c2 + q * (c0 * y - c1 * x)
