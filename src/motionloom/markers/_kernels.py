"""Compiled loops of the markers room; their plain twins are in the tests.

The normal equations of a pose are those of a tree. How all markers below a joint move with it depends on three sums
over them (weights, arms, products of arms), which are carried from the leaves to the root as inertias of rigid bodies
are; joints on different branches are coupled only by what is above both. Eliminated from the leaves to the root,
nothing fills in, so a step costs a few thousand products instead of a dense matrix of all joints.
"""

from typing import NamedTuple

import numba
import numpy as np

from motionloom.markers.nodes import Nodes, Pull

FAST = {"contract", "reassoc", "nsz", "arcp"}


class Work(NamedTuple):
    """Memory of one descent."""

    above: np.ndarray  # (N, 3, 3) frames that joints rotate in, to world
    axes: np.ndarray  # (N, 3, 3) joint to world
    centres: np.ndarray  # (N, 3) metres, world
    misses: np.ndarray  # (K, 3) metres, markers minus their places on the body
    moments: np.ndarray  # (N, 3, 3) sums of products of arms below each joint
    arms: np.ndarray  # (N, 3)
    sums: np.ndarray  # (N,)
    forces: np.ndarray  # (N, 3)
    torques: np.ndarray  # (N, 3)
    matrix: np.ndarray  # (N + 1, N + 1, 3, 3) blocks: root position, then joints
    solved: np.ndarray  # (N + 1, N + 1, 3, 3)
    right: np.ndarray  # (N + 1, 3)
    step: np.ndarray  # (N + 1, 3)
    trial_root: np.ndarray  # (3,)
    trial_local: np.ndarray  # (N, 3, 3)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def make_work(n_nodes: int, n_markers: int) -> Work:
    n, k = n_nodes, n_markers
    return Work(
        np.zeros((n, 3, 3)),
        np.zeros((n, 3, 3)),
        np.zeros((n, 3)),
        np.zeros((k, 3)),
        np.zeros((n, 3, 3)),
        np.zeros((n, 3)),
        np.zeros(n),
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        np.zeros((n + 1, n + 1, 3, 3)),
        np.zeros((n + 1, n + 1, 3, 3)),
        np.zeros((n + 1, 3)),
        np.zeros((n + 1, 3)),
        np.zeros(3),
        np.zeros((n, 3, 3)),
    )


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _product(a: np.ndarray, b: np.ndarray, result: np.ndarray) -> None:
    for i in range(3):
        for j in range(3):
            result[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _place(nodes: Nodes, root: np.ndarray, local: np.ndarray, work: Work) -> None:
    """Fill frames and centres of the joints."""
    for n in range(len(nodes.parents)):
        p = nodes.parents[n]
        if p < 0:
            for a in range(3):
                work.centres[n, a] = root[a]
                for b in range(3):
                    work.above[n, a, b] = nodes.turns[n, a, b]
        else:
            axes, shift = work.axes[p], nodes.shifts[n]
            for a in range(3):
                work.centres[n, a] = (
                    work.centres[p, a] + axes[a, 0] * shift[0] + axes[a, 1] * shift[1] + axes[a, 2] * shift[2]
                )
            _product(axes, nodes.turns[n], work.above[n])
        _product(work.above[n], local[n], work.axes[n])


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _between(own: np.ndarray, wanted: np.ndarray) -> tuple[float, float, float]:
    """The rotation vector of wanted own^T, in the frame that both rotate in."""
    x, y, z, trace = 0.0, 0.0, 0.0, 0.0
    for j in range(3):
        x += wanted[2, j] * own[1, j] - wanted[1, j] * own[2, j]
        y += wanted[0, j] * own[2, j] - wanted[2, j] * own[0, j]
        z += wanted[1, j] * own[0, j] - wanted[0, j] * own[1, j]
        trace += wanted[0, j] * own[0, j] + wanted[1, j] * own[1, j] + wanted[2, j] * own[2, j]
    x, y, z = x / 2, y / 2, z / 2
    sine, cosine = np.sqrt(x * x + y * y + z * z), (trace - 1) / 2
    scale = np.arctan2(sine, cosine) / sine if sine > 1e-9 else 1.0
    return x * scale, y * scale, z * scale


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _bend(nodes: Nodes, hinge: int, work: Work, row: np.ndarray) -> float:
    """The angle of a knee or elbow, and in row how it changes with a turn of that joint about the axes of the world."""
    n = nodes.hinges[hinge]
    axes, below = work.axes[nodes.parents[n]], work.axes[n]
    u, v, low = np.zeros(3), np.zeros(3), np.zeros(3)  # upper bone, axis times upper bone, lower bone
    upper, axis, lower = nodes.upper_bones[hinge], nodes.hinge_axes[hinge], nodes.lower_bones[hinge]
    vx = axis[1] * upper[2] - axis[2] * upper[1]
    vy = axis[2] * upper[0] - axis[0] * upper[2]
    vz = axis[0] * upper[1] - axis[1] * upper[0]
    for a in range(3):
        u[a] = axes[a, 0] * upper[0] + axes[a, 1] * upper[1] + axes[a, 2] * upper[2]
        v[a] = axes[a, 0] * vx + axes[a, 1] * vy + axes[a, 2] * vz
        low[a] = below[a, 0] * lower[0] + below[a, 1] * lower[1] + below[a, 2] * lower[2]
    x, y = u[0] * low[0] + u[1] * low[1] + u[2] * low[2], v[0] * low[0] + v[1] * low[1] + v[2] * low[2]
    square = max(x * x + y * y, 1e-6)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        row[a] = (x * (low[b] * v[c] - low[c] * v[b]) - y * (low[b] * u[c] - low[c] * u[b])) / square
    return np.arctan2(y, x)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _evaluate(
    nodes: Nodes, pull: Pull, targets: np.ndarray, weights: np.ndarray, wide: float, root: np.ndarray,
    local: np.ndarray, work: Work,
) -> float:  # fmt: skip
    """The cost of a pose; fills frames and misses. wide: metres at which a miss counts half as much as its square."""
    _place(nodes, root, local, work)
    cost = 0.0
    for k in range(len(nodes.carriers)):
        if weights[k] == 0.0:
            continue
        n, square = nodes.carriers[k], 0.0
        for a in range(3):
            place = work.centres[n, a]
            for b in range(3):
                place += work.axes[n, a, b] * nodes.offsets[k, b]
            work.misses[k, a] = targets[k, a] - place
            square += work.misses[k, a] ** 2
        cost += weights[k] * square * wide * wide / (wide * wide + square)
    for a in range(3):
        cost += pull.root_weight * (pull.root[a] - root[a]) ** 2
    for n in range(len(nodes.parents)):
        if nodes.rest_weights[n] > 0.0:
            x, y, z = _between(local[n], nodes.rest[n])
            cost += nodes.rest_weights[n] * (x * x + y * y + z * z)
        if pull.weights[n] > 0.0:
            x, y, z = _between(local[n], pull.local[n])
            cost += pull.weights[n] * (x * x + y * y + z * z)
    row = np.empty(3)
    for h in range(len(nodes.hinges)):
        angle = _bend(nodes, h, work, row)
        if angle < 0.0:
            cost += nodes.hinge_weight * angle * angle
    return cost


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _gather(nodes: Nodes, weights: np.ndarray, wide: float, work: Work) -> None:
    """Fill the sums over the markers below each joint, about its centre."""
    for array in (work.arms, work.forces, work.torques):
        array[:] = 0.0
    work.moments[:] = 0.0
    work.sums[:] = 0.0
    for k in range(len(nodes.carriers)):
        if weights[k] == 0.0:
            continue
        n, miss = nodes.carriers[k], work.misses[k]
        square = miss[0] ** 2 + miss[1] ** 2 + miss[2] ** 2
        weight = weights[k] * (wide * wide / (wide * wide + square)) ** 2
        axes, offset = work.axes[n], nodes.offsets[k]
        x = axes[0, 0] * offset[0] + axes[0, 1] * offset[1] + axes[0, 2] * offset[2]
        y = axes[1, 0] * offset[0] + axes[1, 1] * offset[1] + axes[1, 2] * offset[2]
        z = axes[2, 0] * offset[0] + axes[2, 1] * offset[1] + axes[2, 2] * offset[2]
        _add_point(work, n, weight, x, y, z, weight * miss[0], weight * miss[1], weight * miss[2])
    for n in range(len(nodes.parents) - 1, 0, -1):
        p, m, arm, s = nodes.parents[n], work.moments[n], work.arms[n], work.sums[n]
        d0 = work.centres[n, 0] - work.centres[p, 0]
        d1 = work.centres[n, 1] - work.centres[p, 1]
        d2 = work.centres[n, 2] - work.centres[p, 2]
        d = (d0, d1, d2)
        for a in range(3):
            for b in range(3):
                work.moments[p, a, b] += m[a, b] + d[a] * arm[b] + arm[a] * d[b] + s * d[a] * d[b]
            work.arms[p, a] += arm[a] + s * d[a]
            work.forces[p, a] += work.forces[n, a]
        work.sums[p] += s
        f0, f1, f2 = work.forces[n, 0], work.forces[n, 1], work.forces[n, 2]
        work.torques[p, 0] += work.torques[n, 0] + d1 * f2 - d2 * f1
        work.torques[p, 1] += work.torques[n, 1] + d2 * f0 - d0 * f2
        work.torques[p, 2] += work.torques[n, 2] + d0 * f1 - d1 * f0


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _add_point(
    work: Work, n: int, weight: float, x: float, y: float, z: float, fx: float, fy: float, fz: float
) -> None:
    arm, force = (x, y, z), (fx, fy, fz)
    work.sums[n] += weight
    for a in range(3):
        work.arms[n, a] += weight * arm[a]
        work.forces[n, a] += force[a]
        for b in range(3):
            work.moments[n, a, b] += weight * arm[a] * arm[b]
    work.torques[n, 0] += y * fz - z * fy
    work.torques[n, 1] += z * fx - x * fz
    work.torques[n, 2] += x * fy - y * fx


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _assemble(nodes: Nodes, pull: Pull, damping: float, root: np.ndarray, local: np.ndarray, work: Work) -> None:
    """Fill the blocks of the normal equations that are not 0: joints with themselves and with what is above them."""
    matrix, right = work.matrix, work.right
    for a in range(3):
        right[0, a] = work.forces[0, a] + pull.root_weight * (pull.root[a] - root[a])
        for b in range(3):
            matrix[0, 0, a, b] = (work.sums[0] + pull.root_weight) * (1 + damping) if a == b else 0.0
    for n in range(len(nodes.parents)):
        arm, own = work.arms[n], n + 1
        i = n
        while i >= 0:
            block = matrix[own, i + 1]
            trace = 0.0
            for a in range(3):
                d = work.centres[n, a] - work.centres[i, a]
                trace += work.moments[n, a, a] + d * arm[a]
                for b in range(3):
                    block[a, b] = -work.moments[n, a, b] - d * arm[b]
            for a in range(3):
                block[a, a] += trace
            i = nodes.parents[i]
        block = matrix[own, 0]
        block[0, 0] = block[1, 1] = block[2, 2] = 0.0
        block[0, 1], block[0, 2], block[1, 2] = -arm[2], arm[1], -arm[0]
        block[1, 0], block[2, 0], block[2, 1] = arm[2], -arm[1], arm[0]
        x, y, z = _between(local[n], nodes.rest[n])
        e, f, g = _between(local[n], pull.local[n])
        r, p = nodes.rest_weights[n], pull.weights[n]
        x, y, z = r * x + p * e, r * y + p * f, r * z + p * g
        above = work.above[n]
        for a in range(3):
            right[own, a] = work.torques[n, a] + above[a, 0] * x + above[a, 1] * y + above[a, 2] * z
            matrix[own, own, a, a] = matrix[own, own, a, a] * (1 + damping) + r + p
    row = np.empty(3)
    for h in range(len(nodes.hinges)):
        angle = _bend(nodes, h, work, row)
        if angle < 0.0:
            own = nodes.hinges[h] + 1
            for a in range(3):
                right[own, a] -= nodes.hinge_weight * angle * row[a]
                for b in range(3):
                    matrix[own, own, a, b] += nodes.hinge_weight * row[a] * row[b]


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _invert(m: np.ndarray, result: np.ndarray) -> None:
    """The inverse of a symmetric positive matrix (3, 3)."""
    a, b, c = m[1, 1] * m[2, 2] - m[1, 2] ** 2, m[0, 2] * m[1, 2] - m[0, 1] * m[2, 2], 0.0
    c = m[0, 1] * m[1, 2] - m[0, 2] * m[1, 1]
    scale = 1.0 / (m[0, 0] * a + m[0, 1] * b + m[0, 2] * c)
    result[0, 0], result[0, 1], result[0, 2] = a * scale, b * scale, c * scale
    result[1, 1] = (m[0, 0] * m[2, 2] - m[0, 2] ** 2) * scale
    result[1, 2] = (m[0, 1] * m[0, 2] - m[0, 0] * m[1, 2]) * scale
    result[2, 2] = (m[0, 0] * m[1, 1] - m[0, 1] ** 2) * scale
    result[1, 0], result[2, 0], result[2, 1] = result[0, 1], result[0, 2], result[1, 2]


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _solve(nodes: Nodes, work: Work) -> None:
    """Solve the equations from the leaves to the root and back; leaves the inverse pivots on the diagonal of solved."""
    matrix, solved, right = work.matrix, work.solved, work.right
    for own in range(len(nodes.parents), -1, -1):
        inverse = solved[own, own]
        _invert(matrix[own, own], inverse)
        i = nodes.parents[own - 1] + 1 if own > 0 else -1
        while i >= 0:
            _product(inverse, matrix[own, i], solved[own, i])
            i = nodes.parents[i - 1] + 1 if i > 0 else -1
        i = nodes.parents[own - 1] + 1 if own > 0 else -1
        while i >= 0:
            block, k = matrix[own, i], i
            for a in range(3):
                for b in range(3):
                    right[i, a] -= solved[own, i, b, a] * right[own, b]
            while k >= 0:
                into, other = matrix[i, k], solved[own, k]
                for a in range(3):
                    x, y, z = block[0, a], block[1, a], block[2, a]
                    for b in range(3):
                        into[a, b] -= x * other[0, b] + y * other[1, b] + z * other[2, b]
                k = nodes.parents[k - 1] + 1 if k > 0 else -1
            i = nodes.parents[i - 1] + 1 if i > 0 else -1
    for own in range(len(nodes.parents) + 1):
        for a in range(3):
            value = 0.0
            for b in range(3):
                value += solved[own, own, a, b] * right[own, b]
            i = nodes.parents[own - 1] + 1 if own > 0 else -1
            while i >= 0:
                for b in range(3):
                    value -= solved[own, i, a, b] * work.step[i, b]
                i = nodes.parents[i - 1] + 1 if i > 0 else -1
            work.step[own, a] = value


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _take_step(nodes: Nodes, root: np.ndarray, local: np.ndarray, work: Work) -> float:
    """Fill the trial pose; returns the largest change, metres or radians."""
    largest, m = 0.0, np.empty((3, 3))
    for a in range(3):
        work.trial_root[a] = root[a] + work.step[0, a]
        largest = max(largest, abs(work.step[0, a]))
    for n in range(len(nodes.parents)):
        above, s = work.above[n], work.step[n + 1]
        x = above[0, 0] * s[0] + above[1, 0] * s[1] + above[2, 0] * s[2]
        y = above[0, 1] * s[0] + above[1, 1] * s[1] + above[2, 1] * s[2]
        z = above[0, 2] * s[0] + above[1, 2] * s[1] + above[2, 2] * s[2]
        angle = np.sqrt(x * x + y * y + z * z)
        largest = max(largest, angle)
        if angle > 1.0:  # radians: farther than the equations hold
            x, y, z, angle = x / angle, y / angle, z / angle, 1.0
        w, v = np.cos(angle / 2), (np.sin(angle / 2) / angle if angle > 1e-9 else 0.5)
        x, y, z = v * x, v * y, v * z
        m[0, 0], m[0, 1], m[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
        m[1, 0], m[1, 1], m[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
        m[2, 0], m[2, 1], m[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
        _product(m, local[n], work.trial_local[n])
    return largest


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def descend(
    nodes: Nodes, pull: Pull, targets: np.ndarray, weights: np.ndarray, wide: float, most_steps: int,
    settled: float, root: np.ndarray, local: np.ndarray, work: Work,
) -> float:  # fmt: skip
    """Change a pose until its cost is least (Levenberg-Marquardt); returns the cost.

    targets (K, 3) metres; weights (K,) 1 / metres^2, 0 where a marker is missing; settled: metres or radians of a step
    after which the next one would be nothing; root (3,) and local (N, 3, 3) are changed.
    """
    damping = 0.0
    cost = _evaluate(nodes, pull, targets, weights, wide, root, local, work)
    _gather(nodes, weights, wide, work)
    for _ in range(most_steps):
        _assemble(nodes, pull, damping, root, local, work)
        _solve(nodes, work)
        largest = _take_step(nodes, root, local, work)
        trial = _evaluate(nodes, pull, targets, weights, wide, work.trial_root, work.trial_local, work)
        if trial <= cost:
            root[:] = work.trial_root
            local[:] = work.trial_local
            cost, damping = trial, damping / 10 if damping > 1e-4 else 0.0
        else:
            _evaluate(nodes, pull, targets, weights, wide, root, local, work)
            damping = max(10 * damping, 1e-3)
        if largest < settled or damping > 1e6:
            break
        if trial <= cost:
            _gather(nodes, weights, wide, work)
    return cost


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def fit_frames(
    nodes: Nodes, pull: Pull, order: np.ndarray, is_chain: bool, near_root: np.ndarray, near_local: np.ndarray,
    targets: np.ndarray, weights: np.ndarray, wide: float, most_steps: int, settled: float, roots: np.ndarray,
    locals_: np.ndarray, certainty: np.ndarray, misses: np.ndarray, costs: np.ndarray,
) -> None:  # fmt: skip
    """Fit the poses of some frames in order; in a chain each begins at the one before, else at its own.

    targets (F, K, 3), weights (F, K); near_root (F, 3) and near_local (F, N, 3, 3) are what poses are near to (in a
    chain the pose before); fills roots (F, 3), locals_ (F, N, 3, 3), certainty (F, N + 1) that markers give the root
    position and joints, misses (F, K) metres, nan without a marker, and costs (F,).
    """
    work = make_work(len(nodes.parents), len(nodes.carriers))
    for place in range(len(order)):
        f = order[place]
        if is_chain and place > 0:
            roots[f] = roots[order[place - 1]]
            locals_[f] = locals_[order[place - 1]]
        if is_chain:
            pull.root[:] = roots[f]
            pull.local[:] = locals_[f]
        else:
            pull.root[:] = near_root[f]
            pull.local[:] = near_local[f]
        costs[f] = descend(nodes, pull, targets[f], weights[f], wide, most_steps, settled, roots[f], locals_[f], work)
        for own in range(len(nodes.parents) + 1):
            pivot = work.solved[own, own]
            held = pull.root_weight if own == 0 else pull.weights[own - 1] + nodes.rest_weights[own - 1]
            certainty[f, own] = max(0.0, 3.0 / (pivot[0, 0] + pivot[1, 1] + pivot[2, 2]) - held)
        for k in range(len(nodes.carriers)):
            miss = work.misses[k]
            square = miss[0] ** 2 + miss[1] ** 2 + miss[2] ** 2
            misses[f, k] = np.sqrt(square) if weights[f, k] > 0.0 else np.nan
