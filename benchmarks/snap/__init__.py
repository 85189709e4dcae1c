"""Snap-together motion: the paper's graphs and whole sets from raw files, their joins and feet, and both players."""

from pathlib import Path

from benchmarks.measure import calibration
from benchmarks.snap import choosing, joins, players, structure, times


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about hub graphs, all of it about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    parts = (times, structure, joins, choosing, players)
    return [*(figure for part in parts for figure in part.figures(data)), calibration()]
