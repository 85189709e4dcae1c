"""Cells of a regular grid, to look only at what is near: all pairs of an hour's footprints take minutes."""

from collections.abc import Iterator
from itertools import product

import numpy as np

Cell = tuple[int, ...]


def cells_between(low: np.ndarray, high: np.ndarray, sizes: np.ndarray) -> Iterator[Cell]:
    """The cells of a grid that have a part between two corners, both included.

    Args:
        low: (D,) the lower corner.
        high: (D,) the upper corner.
        sizes: (D,) of a cell.
    """
    first, last = (np.floor(corner / sizes).astype(int).tolist() for corner in (low, high))
    return product(*(range(start, stop + 1) for start, stop in zip(first, last)))
