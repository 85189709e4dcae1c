"""Interactive build-up: the paper's trees, what can be reached, preparation, the quality of joins, edits, and hits."""

from pathlib import Path

from benchmarks.buildup import boxers, edits, joins, preparation, reach, targets, trees, unseen
from benchmarks.measure import calibration

PARTS = (trees, reach, preparation, joins, edits, targets, boxers, unseen)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about building up, all of it about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*(figure for part in PARTS for figure in part.figures(data)), calibration()]
