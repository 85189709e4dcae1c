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


@numba.njit(cache=True, nogil=True)
def add_rows(
    diagonal: np.ndarray,
    right: np.ndarray,
    frames: np.ndarray,
    rows: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add weighted rows of least squares to normal equations, each of one frame.

    diagonal (F, n, n); right (F, n); frames (K,); rows (K, n); values (K,); weights (K,).
    """
    n = rows.shape[1]
    for k in range(len(frames)):
        frame = frames[k]
        for a in range(n):
            weighted = weights[k] * rows[k, a]
            right[frame, a] += weighted * values[k]
            for b in range(n):
                diagonal[frame, a, b] += weighted * rows[k, b]


@numba.njit(cache=True, nogil=True)
def add_step_rows(
    diagonal: np.ndarray,
    following: np.ndarray,
    right: np.ndarray,
    frames: np.ndarray,
    rows: np.ndarray,
    next_rows: np.ndarray,
    values: np.ndarray,
    weight: float,
) -> None:
    """Add rows next_rows @ x[f + 1] - rows @ x[f] = values of one weight to normal equations.

    diagonal (F, n, n); following (F - 1, n, n); right (F, n); frames (K,); rows, next_rows (K, m, n); values (K, m).
    """
    n = rows.shape[2]
    for k in range(len(frames)):
        frame = frames[k]
        for i in range(rows.shape[1]):
            for a in range(n):
                first, second = weight * rows[k, i, a], weight * next_rows[k, i, a]
                right[frame, a] -= first * values[k, i]
                right[frame + 1, a] += second * values[k, i]
                for b in range(n):
                    diagonal[frame, a, b] += first * rows[k, i, b]
                    diagonal[frame + 1, a, b] += second * next_rows[k, i, b]
                    following[frame, a, b] -= first * next_rows[k, i, b]


@numba.njit(cache=True, nogil=True)
def fill_bands(diagonal: np.ndarray, following: np.ndarray, skipping: np.ndarray, bands: np.ndarray) -> None:
    """Fill bands (2 n + 1, F n), of zeros, so that bands[i - j, j] is the element [i, j] of the matrix, i >= j.

    diagonal (F, n, n); following (F - 1, n, n); skipping (F - 2, n).
    """
    n_frames, n = diagonal.shape[0], diagonal.shape[1]
    for f in range(n_frames):
        for b in range(n):
            column = f * n + b
            for a in range(b, n):
                bands[a - b, column] = diagonal[f, a, b]
            if f + 1 < n_frames:
                for a in range(n):
                    bands[n + a - b, column] = following[f, b, a]
            if f + 2 < n_frames:
                bands[2 * n, column] = skipping[f, b]


@numba.njit(cache=True, nogil=True)
def turn_foot(
    ankles: np.ndarray,
    axes: np.ndarray,
    arms: np.ndarray,
    change: np.ndarray,
    levers: np.ndarray,
    points: np.ndarray,
    rows: np.ndarray,
    turners: np.ndarray,
) -> None:
    """Place the points of a foot after a change, and fill how they change with it.

    ankles (F, 3); axes (F, 3, 3) foot to world; arms (F, K, 3) in the foot's frame; change (F, 6) shift of the ankle
    and turn, which is levers (3, 3) @ change[3:] radians in the foot's frame; points (F, K, 3); rows (F, K, 3, 6);
    turners (F, 3, 3) radians in the world per unit of the last three of the change.
    """
    cross, turn, rate, world = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    vector, arm = np.empty(3), np.empty(3)
    for f in range(len(ankles)):
        square = 0.0
        for a in range(3):
            vector[a] = levers[a, 0] * change[f, 3] + levers[a, 1] * change[f, 4] + levers[a, 2] * change[f, 5]
            square += vector[a] ** 2
        angle = np.sqrt(square)
        sine, versed, rest = 1.0, 0.5, 1.0 / 6.0  # sin t / t, (1 - cos t) / t^2, (t - sin t) / t^3
        if angle > 1e-4:
            sine = np.sin(angle) / angle
            versed = (1.0 - np.cos(angle)) / square
            rest = (angle - np.sin(angle)) / (square * angle)
        cross[:] = 0.0
        cross[0, 1], cross[0, 2], cross[1, 2] = -vector[2], vector[1], -vector[0]
        cross[1, 0], cross[2, 0], cross[2, 1] = vector[2], -vector[1], vector[0]
        for a in range(3):
            for b in range(3):
                same = 1.0 if a == b else 0.0
                squared = vector[a] * vector[b] - square * same
                turn[a, b] = same + sine * cross[a, b] + versed * squared
                rate[a, b] = same - versed * cross[a, b] + rest * squared  # the right Jacobian
        for a in range(3):
            for b in range(3):
                world[a, b] = 0.0
                for c in range(3):
                    world[a, b] += axes[f, a, c] * turn[c, b]
        for a in range(3):
            for b in range(3):
                turners[f, a, b] = 0.0
                for c in range(3):
                    for d in range(3):
                        turners[f, a, b] += world[a, c] * rate[c, d] * levers[d, b]
        for k in range(arms.shape[1]):
            for a in range(3):
                arm[a] = world[a, 0] * arms[f, k, 0] + world[a, 1] * arms[f, k, 1] + world[a, 2] * arms[f, k, 2]
                points[f, k, a] = ankles[f, a] + change[f, a] + arm[a]
                for b in range(3):
                    rows[f, k, a, b] = 1.0 if a == b else 0.0
            for b in range(3):  # turner x arm
                rows[f, k, 0, 3 + b] = turners[f, 1, b] * arm[2] - turners[f, 2, b] * arm[1]
                rows[f, k, 1, 3 + b] = turners[f, 2, b] * arm[0] - turners[f, 0, b] * arm[2]
                rows[f, k, 2, 3 + b] = turners[f, 0, b] * arm[1] - turners[f, 1, b] * arm[0]


@numba.njit(cache=True, nogil=True)
def bend_turns(turners: np.ndarray, arms: np.ndarray, pulls: np.ndarray, bending: np.ndarray) -> None:
    """Fill the positive part of the curvature that pulls at turned arms have in the turns of a foot.

    turners (F, 3, 3) radians in the world per unknown; arms, pulls (F, K, 3) world; bending (F, 3, 3): the sum over the
    arms of (g.a) I - (g a' + a g') / 2, seen by the unknowns, without its negative eigenvalues.
    """
    curve, matrix = np.empty((3, 3)), np.empty((3, 3))
    for f in range(len(turners)):
        curve[:] = 0.0
        for k in range(arms.shape[1]):
            along = 0.0
            for a in range(3):
                along += pulls[f, k, a] * arms[f, k, a]
            for a in range(3):
                curve[a, a] += along
                for b in range(3):
                    curve[a, b] -= 0.5 * (pulls[f, k, a] * arms[f, k, b] + pulls[f, k, b] * arms[f, k, a])
        for a in range(3):
            for b in range(3):
                matrix[a, b] = 0.0
                for c in range(3):
                    for d in range(3):
                        matrix[a, b] += turners[f, c, a] * curve[c, d] * turners[f, d, b]
        _keep_positive(matrix, bending[f])


@numba.njit(cache=True, nogil=True)
def _keep_positive(matrix: np.ndarray, result: np.ndarray) -> None:
    """Fill result with a symmetric (3, 3) matrix less its negative eigenvalues: Jacobi's method; spoils the matrix."""
    vectors = np.eye(3)
    for _ in range(8):
        for p in range(2):
            for q in range(p + 1, 3):
                if abs(matrix[p, q]) < 1e-300:
                    continue
                theta = 0.5 * (matrix[q, q] - matrix[p, p]) / matrix[p, q]
                t = (1.0 if theta >= 0 else -1.0) / (abs(theta) + np.sqrt(theta * theta + 1.0))
                c = 1.0 / np.sqrt(t * t + 1.0)
                s = t * c
                for i in range(3):
                    first, second = matrix[i, p], matrix[i, q]
                    matrix[i, p], matrix[i, q] = c * first - s * second, s * first + c * second
                for i in range(3):
                    first, second = matrix[p, i], matrix[q, i]
                    matrix[p, i], matrix[q, i] = c * first - s * second, s * first + c * second
                    first, second = vectors[i, p], vectors[i, q]
                    vectors[i, p], vectors[i, q] = c * first - s * second, s * first + c * second
    for a in range(3):
        for b in range(3):
            result[a, b] = 0.0
            for i in range(3):
                result[a, b] += max(matrix[i, i], 0.0) * vectors[a, i] * vectors[b, i]
