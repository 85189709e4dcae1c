"""Compiled loop of the search by blocks; its plain twin is in the tests."""

import numba
import numpy as np

FAST = {"contract", "reassoc", "nsz", "arcp", "nnan"}


@numba.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def enter_blocks(
    exits: np.ndarray,
    after: np.ndarray,
    paid: np.ndarray,
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
    what it costs up to there. entries (P, C): coordinates of the first frame of each block; blocks (C,) that frame.
    squares (C,): room.
    """
    n_before, n_blocks, n_axes = np.uintp(exits.shape[0]), np.uintp(len(blocks)), np.uintp(exits.shape[1])
    best[:] = np.inf
    for i in range(n_before):
        squares[:] = 0.0
        for axis in range(n_axes):  # one short loop each: they run on several blocks at once
            there, here = exits[i, axis], entries[axis]
            for j in range(n_blocks):
                squares[j] += (here[j] - there) * (here[j] - there)
        base, going_on = paid[i] + weight * fee, after[i]
        for j in range(n_blocks):
            cost = base + weight * np.sqrt(squares[j])
            if blocks[j] == going_on:  # no cut
                cost = paid[i]
            if cost < best[j]:
                best[j] = cost
                come_from[j] = i
