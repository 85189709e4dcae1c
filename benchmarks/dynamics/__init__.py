"""Optimization with a learnt prior: predictions, keys, trajectories, other priors, exactness, starts, speed, edits."""

from pathlib import Path

from benchmarks.dynamics import edited_results, hands, keys, one_step, priors, retargeting, speed, starts, trajectories
from benchmarks.measure import calibration

PARTS = (one_step, keys, trajectories, priors, hands, starts, edited_results, retargeting, speed)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about optimization, all of it about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*(figure for part in PARTS for figure in part.figures(data)), calibration()]
