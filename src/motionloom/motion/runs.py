"""Runs: ranges of consecutive frames with a true flag or an equal value."""

import numpy as np


def find_runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The half-open frame ranges in which (F,) flags are true."""
    steps = np.diff(np.concatenate([[False], np.asarray(flags, bool), [False]]).astype(np.int8))
    return list(zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist()))


def find_equal_runs(values: np.ndarray) -> list[tuple[int, int, int]]:
    """Runs of equal values in (F,) integers: start, stop, value."""
    if not len(values):
        return []
    borders = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return [(start, stop, int(values[start])) for start, stop in zip(borders, borders[1:])]
