"""Numbers as decimals that are as short as possible and still give the same values when they are read."""

import numpy as np

_MOST_DECIMALS = 15


def write_shortest(values: np.ndarray, metres: np.ndarray, metres_per_unit: float) -> list[list[str]]:
    """The text of each of (F, C) values; nothing for NaN.

    Args:
        values: in file units.
        metres: the same in metres: what reading has to give, to float32 if float32 holds all of them.
        metres_per_unit: of the file.
    """
    there = ~np.isnan(values)
    wanted = metres[there]
    with np.errstate(over="ignore"):
        kind = np.float32 if (wanted.astype(np.float32) == wanted).all() else np.float64
    decimals = _count_decimals(values[there], wanted.astype(kind), metres_per_unit)
    texts = np.full(values.shape, "", dtype=object)
    texts[there] = [
        repr(value) if n > _MOST_DECIMALS else f"{value:.{n}f}"
        for value, n in zip((values[there] + 0.0).tolist(), decimals.tolist())
    ]
    return texts.tolist()


def _count_decimals(values: np.ndarray, wanted: np.ndarray, metres_per_unit: float) -> np.ndarray:
    """The least number of decimals (N,) that gives each value again; one more than the most where none does."""
    counts = np.full(len(values), _MOST_DECIMALS + 1)
    for decimals in range(_MOST_DECIMALS, -1, -1):
        rounded = np.round(values, decimals)
        counts[(rounded * metres_per_unit).astype(wanted.dtype) == wanted] = decimals
    return counts
