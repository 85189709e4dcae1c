"""The compiled loop of retargeting; its plain twin is in the tests."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def _multiply(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    aw, ax, ay, az = a[0], a[1], a[2], a[3]
    bw, bx, by, bz = b[0], b[1], b[2], b[3]
    out[0] = aw * bw - ax * bx - ay * by - az * bz
    out[1] = aw * bx + ax * bw + ay * bz - az * by
    out[2] = aw * by - ax * bz + ay * bw + az * bx
    out[3] = aw * bz + ax * by - ay * bx + az * bw


@numba.njit(cache=True, nogil=True)
def _add_rotated(q: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """out += v turned by q."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    a, b, c = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    out[0] += v[0] + w * a + y * c - z * b
    out[1] += v[1] + w * b + z * a - x * c
    out[2] += v[2] + w * c + x * b - y * a


@numba.njit(cache=True, nogil=True)
def _between(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> bool:
    """The shortest rotation from one direction to another; False, and nothing done, if there is none."""
    na = np.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    nb = np.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    if na < 1e-9 or nb < 1e-9:
        return False
    hx, hy, hz = a[0] / na + b[0] / nb, a[1] / na + b[1] / nb, a[2] / na + b[2] / nb
    length = np.sqrt(hx * hx + hy * hy + hz * hz)
    if length < 1e-6:
        return False
    hx, hy, hz = hx / length, hy / length, hz / length
    ux, uy, uz = a[0] / na, a[1] / na, a[2] / na
    out[0] = ux * hx + uy * hy + uz * hz
    out[1] = uy * hz - uz * hy
    out[2] = uz * hx - ux * hz
    out[3] = ux * hy - uy * hx
    return True


@numba.njit(cache=True, nogil=True)
def _place(turned: np.ndarray, offsets: np.ndarray, parents: np.ndarray, positions: np.ndarray) -> None:
    """Fill the positions (J, 3) of joints, with the root at the origin."""
    positions[0, :] = 0.0
    for j in range(1, len(parents)):
        p = parents[j]
        for c in range(3):
            positions[j, c] = positions[p, c]
        _add_rotated(turned[p], offsets[j], positions[j])


@numba.njit(cache=True, nogil=True)
def _turn_joints(chosen: np.ndarray, turn: np.ndarray, turned: np.ndarray, spare: np.ndarray) -> None:
    for j in range(len(chosen)):
        if chosen[j]:
            _multiply(turn, turned[j], spare)
            turned[j, :] = spare


@numba.njit(cache=True, nogil=True)
def _take(
    world: np.ndarray,
    parents: np.ndarray,
    kinds: np.ndarray,
    firsts: np.ndarray,
    seconds: np.ndarray,
    weights: np.ndarray,
    first_turns: np.ndarray,
    second_turns: np.ndarray,
    turned: np.ndarray,
    spare: np.ndarray,
) -> None:
    """Fill the world rotations (J, 4) of the target's joints in one frame from those of the source."""
    for j in range(len(kinds)):
        if kinds[j] == 0:  # at rest
            if parents[j] >= 0:
                turned[j, :] = turned[parents[j]]
            else:
                turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3] = 1.0, 0.0, 0.0, 0.0
            continue
        _multiply(world[firsts[j]], first_turns[j], turned[j])
        if weights[j] > 0.0:
            _multiply(world[seconds[j]], second_turns[j], spare)
            dot = 0.0
            for c in range(4):
                dot += turned[j, c] * spare[c]
            w = -weights[j] if dot < 0 else weights[j]
            length = 0.0
            for c in range(4):
                turned[j, c] = (1.0 - weights[j]) * turned[j, c] + w * spare[c]
                length += turned[j, c] * turned[j, c]
            length = np.sqrt(length)
            for c in range(4):
                turned[j, c] /= length


@numba.njit(cache=True, nogil=True)
def _face(hips: np.ndarray, to_neutral: np.ndarray, kinds: np.ndarray, neutral: np.ndarray, turned: np.ndarray) -> None:
    """Turn joints above the hips about the vertical alone, as far as the hips are turned from the neutral pose."""
    w = hips[0] * to_neutral[0] - hips[1] * to_neutral[1] - hips[2] * to_neutral[2] - hips[3] * to_neutral[3]
    y = hips[0] * to_neutral[2] - hips[1] * to_neutral[3] + hips[2] * to_neutral[0] + hips[3] * to_neutral[1]
    length = np.sqrt(w * w + y * y)
    w, y = (w / length, y / length) if length > 1e-9 else (1.0, 0.0)
    for j in range(len(kinds)):
        if kinds[j] == 2:
            n = neutral[j]
            turned[j, 0] = w * n[0] - y * n[2]
            turned[j, 1] = w * n[1] + y * n[3]
            turned[j, 2] = w * n[2] + y * n[0]
            turned[j, 3] = w * n[3] - y * n[1]


@numba.njit(cache=True, nogil=True)
def _middle(points: np.ndarray, one: int, other: int, out: np.ndarray) -> None:
    for c in range(3):
        out[c] = 0.5 * (points[one, c] + points[other, c])


@numba.njit(cache=True, nogil=True)
def _find_trunk_swing(
    source: np.ndarray,
    places: np.ndarray,
    ends: np.ndarray,
    base: int,
    chest: int,
    room: np.ndarray,
    turn: np.ndarray,
) -> bool:
    """The turn of the spine that gives the trunk the direction of the source's: from mid-hips to mid-shoulders.

    Hips and chest stay as they are turned, so the bones between them aim beside that direction.
    """
    low, high, wanted, bone = room[0], room[1], room[2], room[3]
    _middle(source, ends[0, 0], ends[0, 1], low)
    _middle(source, ends[0, 2], ends[0, 3], high)
    length = 0.0
    for c in range(3):
        wanted[c] = high[c] - low[c]
        length += wanted[c] * wanted[c]
    length = np.sqrt(length)
    if length < 1e-9:
        return False
    _middle(places, ends[1, 0], ends[1, 1], low)
    _middle(places, ends[1, 2], ends[1, 3], high)
    along, fixed, free = 0.0, 0.0, 0.0
    for c in range(3):
        wanted[c] /= length
        low[c] = places[base, c] - low[c] + high[c] - places[chest, c]  # what stays
        bone[c] = places[chest, c] - places[base, c]
        along += low[c] * wanted[c]
        fixed += low[c] * low[c]
        free += bone[c] * bone[c]
    square = along * along - fixed + free
    if square <= 0:
        return False
    for c in range(3):
        wanted[c] = (along + np.sqrt(square)) * wanted[c] - low[c]
    return _between(bone, wanted, turn)


@numba.njit(cache=True, nogil=True)
def _find_neck_swing(
    source: np.ndarray, places: np.ndarray, ends: np.ndarray, room: np.ndarray, turn: np.ndarray
) -> bool:
    for c in range(3):
        room[0, c] = places[ends[1, 5], c] - places[ends[1, 4], c]
        room[1, c] = source[ends[0, 5], c] - source[ends[0, 4], c]
    return _between(room[0], room[1], turn)


@numba.njit(cache=True, nogil=True)
def _to_local(turned: np.ndarray, parents: np.ndarray, kinds: np.ndarray, spare: np.ndarray, local: np.ndarray) -> None:
    """Rotations joint to parent (J, 4) from those to the world; joints at rest follow their parents."""
    for j in range(len(parents)):
        p = parents[j]
        if kinds[j] == 0 and p >= 0:
            turned[j, :] = turned[p]
            local[j, 0], local[j, 1], local[j, 2], local[j, 3] = 1.0, 0.0, 0.0, 0.0
        elif p < 0:
            local[j, :] = turned[j]
        else:
            spare[0], spare[1], spare[2], spare[3] = turned[p, 0], -turned[p, 1], -turned[p, 2], -turned[p, 3]
            _multiply(spare, turned[j], local[j])


@numba.njit(cache=True, nogil=True)
def carry_rotations(
    positions: np.ndarray,
    world: np.ndarray,
    parents: np.ndarray,
    offsets: np.ndarray,
    kinds: np.ndarray,
    firsts: np.ndarray,
    seconds: np.ndarray,
    weights: np.ndarray,
    first_turns: np.ndarray,
    second_turns: np.ndarray,
    trunk: np.ndarray,
    neck: np.ndarray,
    ends: np.ndarray,
    base: int,
    chest: int,
    hips: int,
    to_neutral: np.ndarray,
    neutral: np.ndarray,
    local: np.ndarray,
    middles: np.ndarray,
) -> None:
    """Fill local (F, J, 4), and middles (F, 3): from the root to the middle of the hip joints, metres, world.

    Args are those of a `RetargetMap`, with positions (F, S, 3) and rotations (F, S, 4) of the source, joint to world.
    """
    n_joints = len(parents)
    turned, places = np.empty((n_joints, 4)), np.empty((n_joints, 3))
    spare, turn, room = np.empty(4), np.empty(4), np.empty((4, 3))
    has_above, has_neck = (kinds == 2).any(), neck.any()
    for f in range(len(positions)):
        _take(world[f], parents, kinds, firsts, seconds, weights, first_turns, second_turns, turned, spare)
        if has_above:
            _face(world[f, hips], to_neutral, kinds, neutral, turned)
        _place(turned, offsets, parents, places)
        if base >= 0 and _find_trunk_swing(positions[f], places, ends, base, chest, room, turn):
            _turn_joints(trunk, turn, turned, spare)
        if has_neck and _find_neck_swing(positions[f], places, ends, room, turn):
            _turn_joints(neck, turn, turned, spare)
        _to_local(turned, parents, kinds, spare, local[f])
        _middle(places, ends[1, 0], ends[1, 1], middles[f])
