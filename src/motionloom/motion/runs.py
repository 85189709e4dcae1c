"""Runs: the ranges of frames in which something is true."""

import numpy as np


def find_runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The half-open frame ranges in which (F,) flags are true."""
    steps = np.diff(np.concatenate([[False], np.asarray(flags, bool), [False]]).astype(np.int8))
    return list(zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist()))
