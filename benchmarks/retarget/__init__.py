"""Retargeting: four sets of recordings onto another subject, three rigs and the performer, and back."""

from pathlib import Path

from benchmarks.measure import calibration
from benchmarks.retarget import results, speed


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about retargeting, which is all about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*results.figures(data), *speed.figures(data), calibration()]
