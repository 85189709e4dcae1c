"""Soft edges of paint: what is painted had better begin a little before its time and end a little after it.

A walk that begins in the very frame from which on it is painted is seen as what came before for another half second: so
long it takes to see what a body does. Where nothing is painted beside a stretch, frames that lack its label therefore
cost half of what they would cost inside. Between two stretches each gets its half of the gap.
"""

import numpy as np

from motionloom.motion import find_runs

REACH = 0.5  # seconds: half of what is looked at to see what a body does
LACKS = 0.5  # wrong frames that a frame costs which lacks a label there; a power of two, so that sums are exact


def find_soft_edges(paint: np.ndarray, fps: float) -> np.ndarray:
    """(F, L) bool: frames in which nothing is painted, and just before or after a stretch in which a label must hold.

    Args:
        paint: (F, L) int8: +1 must, -1 must not, 0 do not care.
        fps: frames per second.
    """
    edges = np.zeros(paint.shape, bool)
    reach = round(REACH * fps)
    for start, stop in find_runs(~(paint != 0).any(axis=1)):
        half = (start + stop) // 2
        if start > 0:
            last = min(start + reach, stop if stop == len(paint) else half)
            edges[start:last] = paint[start - 1] > 0
        if stop < len(paint):
            first = max(stop - reach, start if start == 0 else half)
            edges[first:stop] = paint[stop] > 0
    return edges
