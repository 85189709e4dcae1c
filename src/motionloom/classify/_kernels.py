"""Compiled loops of annotation; their plain twins are in the tests.

The examples of a support vector machine are windows of the Gram matrices, recorded or mirrored. gram (2, R, R) float32
has the kernel between windows of the same side and of different sides; which[t] is the window of example t, side[t] its
side (0 recorded, 1 mirrored, 2 both: the sum of the two, for labels without a side).
"""

import numba
import numpy as np

FAST = {"contract", "reassoc", "nsz", "arcp", "nnan"}


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def fill_row(gram: np.ndarray, which: np.ndarray, side: np.ndarray, i: int, out: np.ndarray) -> None:
    """Fill out (E,) with the kernel between example i and all E examples."""
    same, other = gram[0, which[i]], gram[1, which[i]]
    if side[i] == 2:
        for t in range(len(which)):
            out[t] = same[which[t]] + other[which[t]]
    else:
        for t in range(len(which)):
            out[t] = same[which[t]] if side[t] == side[i] else other[which[t]]


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def optimize_machine(
    gram: np.ndarray,
    which: np.ndarray,
    side: np.ndarray,
    is_positive: np.ndarray,
    most: np.ndarray,
    weights: np.ndarray,
    slopes: np.ndarray,
    tolerance: float,
    most_steps: int,
) -> int:
    """Sequential minimal optimization of a support vector machine, from feasible weights; returns the iterations.

    Each iteration chooses the maximal violating pair, with second-order selection of its second index. weights (E,)
    float64 in [0, most] and slopes (E,) float64, the gradient of the objective, are changed in place.
    """
    n = len(which)
    first, second = np.empty(n, np.float32), np.empty(n, np.float32)
    diagonal = np.empty(n)
    for t in range(n):
        diagonal[t] = gram[0, which[t], which[t]] + (gram[1, which[t], which[t]] if side[t] == 2 else 0.0)
    for step in range(most_steps):
        i, top = -1, -np.inf
        for t in range(n):
            value = -slopes[t] if is_positive[t] else slopes[t]
            may_rise = weights[t] < most[t] if is_positive[t] else weights[t] > 0
            if may_rise and value > top:
                i, top = t, value
        if i < 0:
            return step
        fill_row(gram, which, side, i, first)
        j, bottom, best = -1, np.inf, 0.0
        for t in range(n):
            value = -slopes[t] if is_positive[t] else slopes[t]
            may_fall = weights[t] > 0 if is_positive[t] else weights[t] < most[t]
            if may_fall:
                bottom = min(bottom, value)
                gap = top - value
                if gap > 0:
                    gain = gap * gap / max(diagonal[i] + diagonal[t] - 2 * first[t], 1e-9)
                    if gain > best:
                        j, best = t, gain
        if j < 0 or top - bottom < tolerance:
            return step
        fill_row(gram, which, side, j, second)
        gap = top - (-slopes[j] if is_positive[j] else slopes[j])
        move = gap / max(diagonal[i] + diagonal[j] - 2 * first[j], 1e-9)
        room_i = most[i] - weights[i] if is_positive[i] else weights[i]
        room_j = weights[j] if is_positive[j] else most[j] - weights[j]
        move = min(move, room_i, room_j)
        weights[i] += move if is_positive[i] else -move
        weights[j] -= move if is_positive[j] else -move
        if move == room_i:  # exactly at the bound; rounding could leave it slightly off
            weights[i] = most[i] if is_positive[i] else 0.0
        if move == room_j:
            weights[j] = 0.0 if is_positive[j] else most[j]
        for t in range(n):
            change = move * (first[t] - second[t])
            slopes[t] += change if is_positive[t] else -change
    return most_steps


@numba.njit(cache=True, nogil=True)
def cheapest_states(costs: np.ndarray, switch: np.ndarray, out: np.ndarray) -> None:
    """Fill out (T,) bool with the cheapest sequence of two states (Viterbi).

    costs (T, 2) of the states off and on; switch (2,) costs of switching on and off.
    """
    n = len(costs)
    came = np.zeros((n, 2), np.bool_)  # whether the predecessor is the other state
    off, on = costs[0, 0], costs[0, 1]
    for t in range(1, n):
        came[t, 0] = on + switch[1] < off
        came[t, 1] = off + switch[0] < on
        to_off = on + switch[1] if came[t, 0] else off
        to_on = off + switch[0] if came[t, 1] else on
        off, on = to_off + costs[t, 0], to_on + costs[t, 1]
    state = 1 if on < off else 0
    for t in range(n - 1, -1, -1):
        out[t] = state == 1
        if came[t, state]:
            state = 1 - state
