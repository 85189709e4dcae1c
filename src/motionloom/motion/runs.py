"""Runs: the ranges of frames in which something is true, or stays the same."""

import numpy as np


def find_runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The half-open frame ranges in which (F,) flags are true."""
    steps = np.diff(np.concatenate([[False], np.asarray(flags, bool), [False]]).astype(np.int8))
    return list(zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist()))


def find_equal_runs(values: np.ndarray) -> list[tuple[int, int, int]]:
    """Runs of equal ones among (F,) whole numbers: half-open frame range, and value."""
    if not len(values):
        return []
    borders = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return [(start, stop, int(values[start])) for start, stop in zip(borders, borders[1:])]
