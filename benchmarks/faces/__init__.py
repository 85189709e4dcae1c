"""Points: bodies from markers."""

from pathlib import Path

from benchmarks.faces import fitting
from benchmarks.measure import calibration

PARTS = (fitting,)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about points, all of it about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*(figure for part in PARTS for figure in part.figures(data)), calibration()]
