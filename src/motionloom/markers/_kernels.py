"""Compiled loops of the markers room; their plain twins are in the tests.

The normal equations of a pose are those of a tree, and are solved as the motion of articulated bodies is: what all
markers below a joint ask of it are sums over its turn and shift (turn with turn, turn with shift, shift with shift),
as the inertia of a body. From the leaves to the root each joint's own turn is eliminated from them and the rest is
carried to the joint above; back from the root, each turn follows from the motion of the joint above. A step costs some
hundred products for each joint instead of a dense matrix of all joints.
"""

import numba
import numpy as np

from motionloom.markers.nodes import Nodes, Pull, Work

FAST = {"contract", "reassoc", "nsz", "arcp"}


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def make_work(n_nodes: int, n_markers: int, n_hinges: int) -> Work:
    n, k, h, small = n_nodes, n_markers, n_hinges, (3, 3)
    return Work(
        np.zeros((n, 3, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((k, 3)), np.zeros((k, 3)), np.zeros(k),
        np.zeros((n, 3)), np.zeros(h), np.zeros((h, 3)), np.zeros(small), np.zeros((n, 3, 3)), np.zeros((n, 3, 3)),
        np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(small),
        np.zeros(small), np.zeros(small), np.zeros(small), np.zeros(small), np.zeros(small), np.zeros((n + 1, 3, 3)),
        np.zeros((n + 1, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(3), np.zeros((n, 3, 3)),
    )  # fmt: skip


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _place(nodes: Nodes, root: np.ndarray, local: np.ndarray, work: Work) -> None:
    """Fill frames and centres of the joints."""
    above, axes, centres, turns, shifts = work.above, work.axes, work.centres, nodes.turns, nodes.shifts
    for n in range(len(nodes.parents)):
        p = nodes.parents[n]
        for a in range(3):
            if p < 0:
                centres[n, a] = root[a]
                for b in range(3):
                    above[n, a, b] = turns[n, a, b]
            else:
                x, y, z = axes[p, a, 0], axes[p, a, 1], axes[p, a, 2]
                centres[n, a] = centres[p, a] + x * shifts[n, 0] + y * shifts[n, 1] + z * shifts[n, 2]
                for b in range(3):
                    above[n, a, b] = x * turns[n, 0, b] + y * turns[n, 1, b] + z * turns[n, 2, b]
            x, y, z = above[n, a, 0], above[n, a, 1], above[n, a, 2]
            for b in range(3):
                axes[n, a, b] = x * local[n, 0, b] + y * local[n, 1, b] + z * local[n, 2, b]


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _between(own: np.ndarray, wanted: np.ndarray, n: int) -> tuple[float, float, float]:
    """The rotation vector of wanted own^T, in the frame that both rotate in."""
    x, y, z, trace = 0.0, 0.0, 0.0, 0.0
    for j in range(3):
        x += wanted[n, 2, j] * own[n, 1, j] - wanted[n, 1, j] * own[n, 2, j]
        y += wanted[n, 0, j] * own[n, 2, j] - wanted[n, 2, j] * own[n, 0, j]
        z += wanted[n, 1, j] * own[n, 0, j] - wanted[n, 0, j] * own[n, 1, j]
        trace += wanted[n, 0, j] * own[n, 0, j] + wanted[n, 1, j] * own[n, 1, j] + wanted[n, 2, j] * own[n, 2, j]
    x, y, z = x / 2, y / 2, z / 2
    sine, cosine = np.sqrt(x * x + y * y + z * z), (trace - 1) / 2
    scale = np.arctan2(sine, cosine) / sine if sine > 1e-9 else 1.0
    return x * scale, y * scale, z * scale


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _bend(nodes: Nodes, h: int, work: Work) -> float:
    """The angle of a knee or elbow; fills how it changes with a turn of that joint about the axes of the world."""
    n = nodes.hinges[h]
    p, axes = nodes.parents[n], work.axes
    upper, axis, lower = nodes.upper_bones, nodes.hinge_axes, nodes.lower_bones
    vx = axis[h, 1] * upper[h, 2] - axis[h, 2] * upper[h, 1]
    vy = axis[h, 2] * upper[h, 0] - axis[h, 0] * upper[h, 2]
    vz = axis[h, 0] * upper[h, 1] - axis[h, 1] * upper[h, 0]
    for a in range(3):  # upper bone, axis times upper bone, lower bone
        work.bones[0, a] = axes[p, a, 0] * upper[h, 0] + axes[p, a, 1] * upper[h, 1] + axes[p, a, 2] * upper[h, 2]
        work.bones[1, a] = axes[p, a, 0] * vx + axes[p, a, 1] * vy + axes[p, a, 2] * vz
        work.bones[2, a] = axes[n, a, 0] * lower[h, 0] + axes[n, a, 1] * lower[h, 1] + axes[n, a, 2] * lower[h, 2]
    x, y = 0.0, 0.0
    for a in range(3):
        x += work.bones[0, a] * work.bones[2, a]
        y += work.bones[1, a] * work.bones[2, a]
    square = max(x * x + y * y, 1e-6)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        u = y * work.bones[0, b] - x * work.bones[1, b]
        v = y * work.bones[0, c] - x * work.bones[1, c]
        work.bends[h, a] = (u * work.bones[2, c] - v * work.bones[2, b]) / square
    return np.arctan2(y, x)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _evaluate(
    nodes: Nodes, pull: Pull, targets: np.ndarray, weights: np.ndarray, wide: float, root: np.ndarray,
    local: np.ndarray, work: Work,
) -> float:  # fmt: skip
    """The cost of a pose; fills frames, misses and distances from the poses that it is near to.

    wide: metres at which a miss counts half as much as its square.
    """
    _place(nodes, root, local, work)
    cost, axes, offsets = 0.0, work.axes, nodes.offsets
    for k in range(len(nodes.carriers)):
        if weights[k] == 0.0:
            continue
        n, square = nodes.carriers[k], 0.0
        for a in range(3):
            arm = axes[n, a, 0] * offsets[k, 0] + axes[n, a, 1] * offsets[k, 1] + axes[n, a, 2] * offsets[k, 2]
            miss = targets[k, a] - work.centres[n, a] - arm
            work.arms[k, a], work.misses[k, a] = arm, miss
            square += miss * miss
        cost += weights[k] * square * wide * wide / (wide * wide + square)
        work.trusts[k] = weights[k] * (wide * wide / (wide * wide + square)) ** 2
    for a in range(3):
        cost += pull.root_weight * (pull.root[a] - root[a]) ** 2
    for n in range(len(nodes.parents)):
        r, p = nodes.rest_weights[n], pull.weights[n]
        x, y, z = _between(local, nodes.rest, n)
        u, v, w = _between(local, pull.local, n)
        cost += r * (x * x + y * y + z * z) + p * (u * u + v * v + w * w)
        work.wanted[n, 0], work.wanted[n, 1], work.wanted[n, 2] = r * x + p * u, r * y + p * v, r * z + p * w
    for h in range(len(nodes.hinges)):
        work.angles[h] = _bend(nodes, h, work)
        if work.angles[h] < 0.0:
            cost += nodes.hinge_weight * work.angles[h] ** 2
    return cost


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _add_markers(nodes: Nodes, weights: np.ndarray, work: Work) -> None:
    """Begin the sums of each joint with the markers on it."""
    turning, coupling, shifting = work.turning, work.coupling, work.shifting
    turning[:], coupling[:], shifting[:], work.torques[:], work.forces[:] = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(nodes.carriers)):
        if weights[k] == 0.0:
            continue
        n, w = nodes.carriers[k], work.trusts[k]
        x, y, z = work.arms[k, 0], work.arms[k, 1], work.arms[k, 2]
        u, v, t = w * work.misses[k, 0], w * work.misses[k, 1], w * work.misses[k, 2]
        turning[n, 0, 0] += w * (y * y + z * z)
        turning[n, 1, 1] += w * (x * x + z * z)
        turning[n, 2, 2] += w * (x * x + y * y)
        turning[n, 0, 1] -= w * x * y
        turning[n, 0, 2] -= w * x * z
        turning[n, 1, 2] -= w * y * z
        coupling[n, 0, 1] -= w * z
        coupling[n, 0, 2] += w * y
        coupling[n, 1, 2] -= w * x
        shifting[n, 0, 0] += w
        work.forces[n, 0] += u
        work.forces[n, 1] += v
        work.forces[n, 2] += t
        work.torques[n, 0] += y * t - z * v
        work.torques[n, 1] += z * u - x * t
        work.torques[n, 2] += x * v - y * u
    for n in range(len(nodes.parents)):
        shifting[n, 1, 1] = shifting[n, 2, 2] = shifting[n, 0, 0]
        for a in range(3):
            for b in range(a):
                turning[n, a, b], coupling[n, a, b] = turning[n, b, a], -coupling[n, b, a]


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _add_scales(nodes: Nodes, weights: np.ndarray, work: Work) -> float:
    """Fill how much markers ask of the turns above them, the diagonal of the equations; returns that of the root."""
    work.scales[:] = 0.0
    total = 0.0
    for k in range(len(nodes.carriers)):
        if weights[k] == 0.0:
            continue
        own, w = nodes.carriers[k], work.trusts[k]
        n, total = own, total + w
        while n >= 0:
            x = work.arms[k, 0] + work.centres[own, 0] - work.centres[n, 0]
            y = work.arms[k, 1] + work.centres[own, 1] - work.centres[n, 1]
            z = work.arms[k, 2] + work.centres[own, 2] - work.centres[n, 2]
            work.scales[n, 0] += w * (y * y + z * z)
            work.scales[n, 1] += w * (x * x + z * z)
            work.scales[n, 2] += w * (x * x + y * y)
            n = nodes.parents[n]
    return total


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _invert(m: np.ndarray, result: np.ndarray, n: int) -> None:
    """Fill the inverse of a symmetric positive matrix (3, 3)."""
    a, b = m[1, 1] * m[2, 2] - m[1, 2] ** 2, m[0, 2] * m[1, 2] - m[0, 1] * m[2, 2]
    c = m[0, 1] * m[1, 2] - m[0, 2] * m[1, 1]
    scale = 1.0 / (m[0, 0] * a + m[0, 1] * b + m[0, 2] * c)
    result[n, 0, 0], result[n, 0, 1], result[n, 0, 2] = a * scale, b * scale, c * scale
    result[n, 1, 1] = (m[0, 0] * m[2, 2] - m[0, 2] ** 2) * scale
    result[n, 1, 2] = (m[0, 1] * m[0, 2] - m[0, 0] * m[1, 2]) * scale
    result[n, 2, 2] = (m[0, 0] * m[1, 1] - m[0, 1] ** 2) * scale
    result[n, 1, 0], result[n, 2, 0], result[n, 2, 1] = result[n, 0, 1], result[n, 0, 2], result[n, 1, 2]


@numba.njit(nogil=True, error_model="numpy", fastmath=FAST, inline="always")
def _carry(nodes: Nodes, n: int, work: Work) -> None:
    """Add what a joint's sums are, once its own turn follows, to those of the joint above; the root keeps its own."""
    turning, coupling, shifting = work.turning, work.coupling, work.shifting
    by_turn, by_shift, turned, coupled, shifted = work.by_turn, work.by_shift, work.turned, work.coupled, work.shifted
    f, t, asked, p = work.forces, work.torques, work.asked, nodes.parents[n]
    x, y, z = asked[n, 0], asked[n, 1], asked[n, 2]
    for a in range(3):
        f[n, a] -= by_shift[0, a] * x + by_shift[1, a] * y + by_shift[2, a] * z
        t[n, a] -= by_turn[0, a] * x + by_turn[1, a] * y + by_turn[2, a] * z
    for a in range(3):
        x, y, z = turning[n, a, 0], turning[n, a, 1], turning[n, a, 2]
        u, v, w = coupling[n, 0, a], coupling[n, 1, a], coupling[n, 2, a]
        for b in range(3):
            turned[a, b] = turning[n, a, b] - (x * by_turn[0, b] + y * by_turn[1, b] + z * by_turn[2, b])
            coupled[a, b] = coupling[n, a, b] - (x * by_shift[0, b] + y * by_shift[1, b] + z * by_shift[2, b])
            shifted[a, b] = shifting[n, a, b] - (u * by_shift[0, b] + v * by_shift[1, b] + w * by_shift[2, b])
    if p < 0:
        for a in range(3):
            for b in range(3):
                shifting[n, a, b] = shifted[a, b]
        return
    x = work.centres[n, 0] - work.centres[p, 0]
    y = work.centres[n, 1] - work.centres[p, 1]
    z = work.centres[n, 2] - work.centres[p, 2]
    for a in range(3):  # less (the rows of coupled) x arm, transposed
        turned[0, a] -= coupled[a, 1] * z - coupled[a, 2] * y
        turned[1, a] -= coupled[a, 2] * x - coupled[a, 0] * z
        turned[2, a] -= coupled[a, 0] * y - coupled[a, 1] * x
    for b in range(3):  # and arm x (the columns of shifted)
        coupled[0, b] += y * shifted[2, b] - z * shifted[1, b]
        coupled[1, b] += z * shifted[0, b] - x * shifted[2, b]
        coupled[2, b] += x * shifted[1, b] - y * shifted[0, b]
    for a in range(3):
        turning[p, a, 0] += turned[a, 0] - (coupled[a, 1] * z - coupled[a, 2] * y)
        turning[p, a, 1] += turned[a, 1] - (coupled[a, 2] * x - coupled[a, 0] * z)
        turning[p, a, 2] += turned[a, 2] - (coupled[a, 0] * y - coupled[a, 1] * x)
        f[p, a] += f[n, a]
        for b in range(3):
            coupling[p, a, b] += coupled[a, b]
            shifting[p, a, b] += shifted[a, b]
    t[p, 0] += t[n, 0] + y * f[n, 2] - z * f[n, 1]
    t[p, 1] += t[n, 1] + z * f[n, 0] - x * f[n, 2]
    t[p, 2] += t[n, 2] + x * f[n, 1] - y * f[n, 0]


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _eliminate(nodes: Nodes, pull: Pull, damping: float, work: Work) -> None:
    """Eliminate the turns of all joints, from the leaves to the root; the sums of the root are left for its shift."""
    turning, coupling, pivots, above, wanted = work.turning, work.coupling, work.pivots, work.above, work.wanted
    own, asked = work.own, work.asked
    for n in range(len(nodes.parents) - 1, -1, -1):
        held = nodes.rest_weights[n] + pull.weights[n]
        for a in range(3):
            asked[n, a] = work.torques[n, a] + (
                above[n, a, 0] * wanted[n, 0] + above[n, a, 1] * wanted[n, 1] + above[n, a, 2] * wanted[n, 2]
            )
            for b in range(3):
                own[a, b] = turning[n, a, b]
            own[a, a] += held
            if damping > 0.0:
                own[a, a] += damping * work.scales[n, a]
        for h in range(len(nodes.hinges)):
            if nodes.hinges[h] == n and work.angles[h] < 0.0:
                for a in range(3):
                    asked[n, a] -= nodes.hinge_weight * work.angles[h] * work.bends[h, a]
                    for b in range(3):
                        own[a, b] += nodes.hinge_weight * work.bends[h, a] * work.bends[h, b]
        _invert(own, pivots, n + 1)
        for a in range(3):
            x, y, z = pivots[n + 1, a, 0], pivots[n + 1, a, 1], pivots[n + 1, a, 2]
            for b in range(3):
                work.by_turn[a, b] = x * turning[n, 0, b] + y * turning[n, 1, b] + z * turning[n, 2, b]
                work.by_shift[a, b] = x * coupling[n, 0, b] + y * coupling[n, 1, b] + z * coupling[n, 2, b]
        _carry(nodes, n, work)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _advance(nodes: Nodes, pull: Pull, held: float, root: np.ndarray, work: Work) -> None:
    """Fill the step, from the root to the leaves; held: weight of what keeps the root in its place."""
    moves, turns, pivots, asked, own = work.moves, work.turns, work.pivots, work.asked, work.own
    turning, coupling, centres = work.turning, work.coupling, work.centres
    for a in range(3):
        for b in range(3):
            own[a, b] = work.shifting[0, a, b]
        own[a, a] += held
        work.forces[0, a] += pull.root_weight * (pull.root[a] - root[a])
    _invert(own, pivots, 0)
    for a in range(3):
        moves[0, a], turns[0, a] = 0.0, 0.0
        for b in range(3):
            moves[0, a] += pivots[0, a, b] * work.forces[0, b]
        work.step[0, a] = moves[0, a]
    for n in range(len(nodes.parents)):
        p = nodes.parents[n]
        if p >= 0:
            x, y, z = centres[n, 0] - centres[p, 0], centres[n, 1] - centres[p, 1], centres[n, 2] - centres[p, 2]
            u, v, w = turns[p, 0], turns[p, 1], turns[p, 2]
            turns[n, 0], turns[n, 1], turns[n, 2] = u, v, w
            moves[n, 0] = moves[p, 0] + v * z - w * y
            moves[n, 1] = moves[p, 1] + w * x - u * z
            moves[n, 2] = moves[p, 2] + u * y - v * x
        for a in range(3):
            for b in range(3):
                asked[n, a] -= turning[n, a, b] * turns[n, b] + coupling[n, a, b] * moves[n, b]
        for a in range(3):
            turn = 0.0
            for b in range(3):
                turn += pivots[n + 1, a, b] * asked[n, b]
            work.step[n + 1, a] = turn
            turns[n, a] += turn


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _find_step(nodes: Nodes, pull: Pull, weights: np.ndarray, damping: float, root: np.ndarray, work: Work) -> None:
    """Fill the step of Gauss-Newton from a pose that was evaluated, or, with damping, of Levenberg and Marquardt."""
    _add_markers(nodes, weights, work)
    held = pull.root_weight
    if damping > 0.0:
        held += damping * (held + _add_scales(nodes, weights, work))
    _eliminate(nodes, pull, damping, work)
    _advance(nodes, pull, held, root, work)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
def _take_step(nodes: Nodes, root: np.ndarray, local: np.ndarray, work: Work) -> float:
    """Fill the trial pose; returns the largest change, metres or radians."""
    largest, m, above, step, trial = 0.0, work.own, work.above, work.step, work.trial_local
    for a in range(3):
        work.trial_root[a] = root[a] + step[0, a]
        largest = max(largest, abs(step[0, a]))
    for n in range(len(nodes.parents)):
        u, v, s = step[n + 1, 0], step[n + 1, 1], step[n + 1, 2]
        x = above[n, 0, 0] * u + above[n, 1, 0] * v + above[n, 2, 0] * s
        y = above[n, 0, 1] * u + above[n, 1, 1] * v + above[n, 2, 1] * s
        z = above[n, 0, 2] * u + above[n, 1, 2] * v + above[n, 2, 2] * s
        angle = np.sqrt(x * x + y * y + z * z)
        largest = max(largest, angle)
        if angle > 1.0:  # radians: farther than the equations hold
            x, y, z, angle = x / angle, y / angle, z / angle, 1.0
        w, v = np.cos(angle / 2), (np.sin(angle / 2) / angle if angle > 1e-9 else 0.5)
        x, y, z = v * x, v * y, v * z
        m[0, 0], m[0, 1], m[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
        m[1, 0], m[1, 1], m[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
        m[2, 0], m[2, 1], m[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
        for a in range(3):
            for b in range(3):
                trial[n, a, b] = m[a, 0] * local[n, 0, b] + m[a, 1] * local[n, 1, b] + m[a, 2] * local[n, 2, b]
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
    for _ in range(most_steps):
        _find_step(nodes, pull, weights, damping, root, work)
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
    work = make_work(len(nodes.parents), len(nodes.carriers), len(nodes.hinges))
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
            pivot = work.pivots[own]
            held = pull.root_weight if own == 0 else pull.weights[own - 1] + nodes.rest_weights[own - 1]
            certainty[f, own] = max(0.0, 3.0 / (pivot[0, 0] + pivot[1, 1] + pivot[2, 2]) - held)
        for k in range(len(nodes.carriers)):
            miss = work.misses[k]
            square = miss[0] ** 2 + miss[1] ** 2 + miss[2] ** 2
            misses[f, k] = np.sqrt(square) if weights[f, k] > 0.0 else np.nan


@numba.njit(cache=True, nogil=True, error_model="numpy")
def fill_quaternions(matrices: np.ndarray, quaternions: np.ndarray) -> None:
    """Fill (F, N, 4) wxyz from rotations (F, N, 3, 3), signs as in the frame before."""
    for f in range(len(matrices)):
        for n in range(matrices.shape[1]):
            trace = matrices[f, n, 0, 0] + matrices[f, n, 1, 1] + matrices[f, n, 2, 2]
            best, most = 0, trace  # the largest of four: w, x, y, z
            for a in range(3):
                if 2 * matrices[f, n, a, a] - trace > most:
                    best, most = a + 1, 2 * matrices[f, n, a, a] - trace
            for a in range(3):
                b, c = (a + 1) % 3, (a + 2) % 3
                turn = matrices[f, n, c, b] - matrices[f, n, b, c]
                if best == 0:
                    quaternions[f, n, a + 1] = turn
                elif best == a + 1:
                    quaternions[f, n, 0], quaternions[f, n, best] = turn, 1.0 + most
                else:
                    quaternions[f, n, a + 1] = matrices[f, n, best - 1, a] + matrices[f, n, a, best - 1]
            if best == 0:
                quaternions[f, n, 0] = 1.0 + trace
            square, dot = 0.0, 0.0
            for a in range(4):
                square += quaternions[f, n, a] ** 2
                dot += quaternions[f, n, a] * (quaternions[f - 1, n, a] if f > 0 else 1.0 if a == 0 else 0.0)
            scale = (-1.0 if dot < 0.0 else 1.0) / np.sqrt(square)
            for a in range(4):
                quaternions[f, n, a] *= scale
