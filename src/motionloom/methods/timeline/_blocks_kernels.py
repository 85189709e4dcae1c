"""Compiled loop of the search by blocks; its plain twin is in the tests."""

import numba
import numpy as np

FAST = {"contract", "reassoc", "nsz", "arcp", "nnan"}
N_CHEAP = 8  # of the cheapest blocks before, which others are held against


@numba.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def enter_blocks(
    exits: np.ndarray,
    after: np.ndarray,
    paid: np.ndarray,
    cheapest: np.ndarray,
    entries: np.ndarray,
    blocks: np.ndarray,
    weight: float,
    fee: float,
    squares: np.ndarray,
    best: np.ndarray,
    come_from: np.ndarray,
) -> None:
    """Fill best (C,) and come_from (C,): how a slot is entered at each of its blocks for the least cost.

    exits (A, P): coordinates of what would come after each block of the slot before; after (A,) its frame; paid (A,)
    what it costs up to there; cheapest (A,) all of them, in order of paid. entries (P, C): coordinates of the first
    frame of each block; blocks (C,) that frame. squares (C,): room.

    A cut from a block never costs less than one from a cheaper block that saves more than the cuts can differ by, which
    is the distance between the two exits: such blocks only go on without a cut. About half of all are.
    """
    n_before, n_blocks, n_axes = len(paid), np.uintp(len(blocks)), np.uintp(exits.shape[1])
    best[:] = np.inf
    for rank in range(n_before):
        i = cheapest[rank]
        is_worse = False
        for other in range(min(rank, N_CHEAP)):
            gap, k = 0.0, cheapest[other]
            for axis in range(n_axes):
                gap += (exits[i, axis] - exits[k, axis]) * (exits[i, axis] - exits[k, axis])
            is_worse = is_worse or paid[k] + weight * np.sqrt(gap) <= paid[i]
        if not is_worse:
            squares[:] = 0.0
            for axis in range(n_axes):  # one short loop each: they run on several blocks at once
                there, here = exits[i, axis], entries[axis]
                for j in range(n_blocks):
                    squares[j] += (here[j] - there) * (here[j] - there)
            base = paid[i] + weight * fee
            for j in range(n_blocks):
                cost = base + weight * np.sqrt(squares[j])
                if cost < best[j]:
                    best[j] = cost
                    come_from[j] = i
        for j in range(n_blocks):
            if blocks[j] == after[i] and paid[i] < best[j]:  # no cut
                best[j] = paid[i]
                come_from[j] = i
