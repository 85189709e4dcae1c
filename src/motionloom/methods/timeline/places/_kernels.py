"""Loops over all blocks of a slot: where they are on the ground, and joining all beginnings with all endings.

Moves (N, 5) say where the frame after each block is, seen from its beginning: metres to the left and ahead, radians,
and the cosine and sine of those.
"""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def carry_on(arrivals: np.ndarray, before: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """(N, 3) float32: where each block of a slot begins, from (N, 3) where those of the slot before begin.

    before (N,): the block of the slot before that each comes after; -1 where none does. moves: of those blocks.
    Arrivals are metres along x and z, and radians.
    """
    out = np.zeros((len(before), 3), np.float32)
    for j in range(len(out)):
        b = before[j]
        if b >= 0:
            c, s = np.cos(arrivals[b, 2]), np.sin(arrivals[b, 2])
            out[j, 0] = arrivals[b, 0] + c * moves[b, 0] + s * moves[b, 1]
            out[j, 1] = arrivals[b, 1] - s * moves[b, 0] + c * moves[b, 1]
            out[j, 2] = arrivals[b, 2] + moves[b, 2]
    return out


@numba.njit(cache=True, nogil=True)
def carry_back(ahead: np.ndarray, after: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """(N, G, 3) float32: where a motion is at its places, seen from each block of a slot.

    ahead (N, G, 3): the same of the slot after. after (N,): the block that comes after each; -1 where none does. moves:
    of the blocks of the slot.
    """
    out = np.zeros(ahead.shape, np.float32)
    for b in range(len(out)):
        j = after[b]
        if j >= 0:
            c, s = moves[b, 3], moves[b, 4]
            for g in range(ahead.shape[1]):
                out[b, g, 0] = moves[b, 0] + c * ahead[j, g, 0] + s * ahead[j, g, 1]
                out[b, g, 1] = moves[b, 1] - s * ahead[j, g, 0] + c * ahead[j, g, 1]
                out[b, g, 2] = moves[b, 2] + ahead[j, g, 2]
    return out


@numba.njit(cache=True, nogil=True)
def price_places(here: tuple[float, float, float, float, float], ahead: np.ndarray, places: np.ndarray) -> float:
    """What it costs to miss (G, 5) places, from a facing here: x, z, heading, its cosine and sine.

    ahead (G, 3): where the motion is then, seen from here. Of each place: metres along x and z, radians, and the prices
    of a metre and of a radian.
    """
    x, z, heading, c, s = here
    total = 0.0
    for g in range(len(places)):
        dx, dz = ahead[g, 0], ahead[g, 1]
        if places[g, 3] > 0:
            off_x, off_z = x + c * dx + s * dz - places[g, 0], z - s * dx + c * dz - places[g, 1]
            total += places[g, 3] * np.sqrt(off_x * off_x + off_z * off_z)
        if places[g, 4] > 0:
            off = heading + ahead[g, 2] - places[g, 2]
            total += places[g, 4] * abs((off + np.pi) % (2 * np.pi) - np.pi)
    return total


@numba.njit(cache=True, nogil=True)
def price_all(
    cost_so_far: np.ndarray, arrivals: np.ndarray, ahead: np.ndarray, places: np.ndarray, share: float
) -> np.ndarray:
    """(N,) float32 cost so far and a share of what the places cost, of every block that begins at its arrival."""
    out = np.full(len(cost_so_far), np.inf, np.float32)
    for b in range(len(out)):
        if cost_so_far[b] < np.inf:
            x, z, heading = arrivals[b, 0], arrivals[b, 1], arrivals[b, 2]
            here = (x, z, heading, np.cos(heading), np.sin(heading))
            out[b] = cost_so_far[b] + share * price_places(here, ahead[b], places)
    return out


@numba.njit(cache=True, nogil=True)
def join_all(
    paid: np.ndarray,
    arrivals: np.ndarray,
    moves: np.ndarray,
    leaving: np.ndarray,
    neighbours: np.ndarray,
    distances: np.ndarray,
    weights: tuple[float, float],
    cost_to_go: np.ndarray,
    ahead: np.ndarray,
    places: np.ndarray,
    share: float,
    limit: float,
    keys: np.ndarray,
    cost_so_far: np.ndarray,
    before: np.ndarray,
    arrived: np.ndarray,
) -> tuple[float, int, int]:
    """Join every beginning with every ending that its last block can go on with.

    Beginnings end with block b of a slot: paid (N,) with its own cost, arrivals (N, 3) where it begins, leaving (N,)
    the frame that would come after it. Endings begin with block j of the slot after: cost_to_go (N,); ahead (N, G, 3)
    where they are at the (G, 5) places, seen from j. Joins that cost the limit or more, places apart, are passed over.

    Returns what the best of these motions costs, with its places, and its b and j; infinite and -1 if there is none.
    Besides, the beginnings that end with each j are replaced by better ones: cost_so_far (N,), before (N,) b, arrived
    (N, 3) where j begins. Better is what has a lower key (N,): the cost so far, and a share of what the places cost.
    """
    by, flat = weights
    best, best_b, best_j = np.inf, -1, -1
    least = cost_to_go.min()
    for b in range(len(paid)):
        if not paid[b] + least < limit:
            continue
        c, s = np.cos(arrivals[b, 2]), np.sin(arrivals[b, 2])
        x = arrivals[b, 0] + c * moves[b, 0] + s * moves[b, 1]
        z = arrivals[b, 1] - s * moves[b, 0] + c * moves[b, 1]
        turned = c * moves[b, 3] - s * moves[b, 4], s * moves[b, 3] + c * moves[b, 4]
        here = x, z, arrivals[b, 2] + moves[b, 2], turned[0], turned[1]
        frame = leaving[b]
        for k in range(-1, neighbours.shape[1]):
            if k < 0:
                if frame >= len(cost_to_go):
                    continue
                j, cost = frame, paid[b]
            else:
                j, cost = neighbours[frame, k], paid[b] + by * (flat + distances[frame, k])
                if j < 0 or not cost + least < limit:
                    break
            if not cost + cost_to_go[j] < limit:
                continue
            missed = price_places(here, ahead[j], places)
            if cost + share * missed < keys[j]:
                keys[j] = cost + share * missed
                cost_so_far[j], before[j] = cost, b
                arrived[j, 0], arrived[j, 1], arrived[j, 2] = here[0], here[1], here[2]
            if cost + cost_to_go[j] + missed < best:
                best, best_b, best_j = cost + cost_to_go[j] + missed, b, j
    return best, best_b, best_j
