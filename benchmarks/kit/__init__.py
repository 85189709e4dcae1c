"""The shared kit: similarity, contacts, joins, footplants, inverse kinematics, path editing, graphs and quality."""

from pathlib import Path

from benchmarks.kit import (
    contacts,
    footplants,
    graphs,
    inverse_kinematics,
    joins,
    path_editing,
    quality,
    retarget,
    similarity,
)
from benchmarks.measure import calibration

PARTS = (similarity, contacts, footplants, retarget, path_editing, inverse_kinematics, joins, graphs, quality)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about the kit, which is all about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*(figure for part in PARTS for figure in part.figures(data)), calibration()]
