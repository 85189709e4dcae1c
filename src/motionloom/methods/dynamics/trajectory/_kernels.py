"""Compiled loops of trajectories: block-banded normal equations."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def add_blocks(
    bands: np.ndarray,
    first_a: np.ndarray,
    weights_a: np.ndarray,
    first_b: np.ndarray,
    weights_b: np.ndarray,
    blocks: np.ndarray,
    is_same: bool,
) -> None:
    """Add blocks between curve values to the lower bands of a symmetric matrix over knots.

    bands (n, width): entry (row, column) is bands[column, row - column]. Each value is a sum of four knots. blocks
    (N, D, D) or (1, D, D) between value a and value b; with is_same they are one value and the block is symmetric, else
    the transposed block between b and a is added too.
    """
    size = blocks.shape[1]
    for n in range(len(first_a)):
        block = blocks[n if len(blocks) > 1 else 0]
        for i in range(4):
            for j in range(4):
                weight = weights_a[n, i] * weights_b[n, j]
                if weight == 0.0:
                    continue
                above, beside = first_a[n] + i, first_b[n] + j
                if is_same and above < beside:
                    continue
                if above > beside:
                    for q in range(size):
                        column = beside * size + q
                        base = above * size - column
                        for p in range(size):
                            bands[column, base + p] += weight * block[p, q]
                elif above < beside:
                    for p in range(size):
                        column = above * size + p
                        base = beside * size - column
                        for q in range(size):
                            bands[column, base + q] += weight * block[p, q]
                else:
                    for q in range(size):
                        column = beside * size + q
                        for p in range(q, size):
                            if is_same:
                                bands[column, p - q] += weight * block[p, q]
                            else:
                                bands[column, p - q] += weight * (block[p, q] + block[q, p])


@numba.njit(cache=True, nogil=True)
def add_vectors(gradient: np.ndarray, first: np.ndarray, weights: np.ndarray, vectors: np.ndarray) -> None:
    """Add (N, D) gradients of curve values to the (K, D) gradient of their knots."""
    for n in range(len(first)):
        for i in range(4):
            weight = weights[n, i]
            if weight != 0.0:
                for p in range(vectors.shape[1]):
                    gradient[first[n] + i, p] += weight * vectors[n, p]
