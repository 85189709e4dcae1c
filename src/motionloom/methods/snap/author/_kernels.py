"""Compiled loops of snap-together motion."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def grow_sets(
    seeds: np.ndarray,
    starts: np.ndarray,
    frames: np.ndarray,
    distances: np.ndarray,
    threshold: float,
    free: np.ndarray,
    ranges: np.ndarray,
    spacing: int,
    sizes: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Compute the size of the match set of every seed, and the sum of its distances; fills sizes and totals.

    starts (F + 1,), frames and distances (N,): the minima of every frame's slice, nearest first. free (F,) bool: may be
    a match frame. ranges (F, 2): frames of the motion that contains a frame. spacing: frames between match frames.
    """
    near = np.full(len(free), -1, np.int64)
    for number in range(len(seeds)):
        seed = seeds[number]
        size, total = 0, 0.0
        for k in range(starts[seed], starts[seed + 1]):
            if distances[k] > threshold:
                break
            frame = frames[k]
            if not free[frame] or near[frame] == number:
                continue
            size += 1
            total += distances[k]
            for neighbour in range(max(ranges[frame, 0], frame - spacing + 1), min(ranges[frame, 1], frame + spacing)):
                near[neighbour] = number
        sizes[number], totals[number] = size, total
