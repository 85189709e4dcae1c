"""Points: bodies from markers; faces from a few of their points, with a learnt prior."""

from pathlib import Path

from benchmarks.faces import completion, failures, fitting, one_step, priors, screen, speed, trajectories
from benchmarks.measure import calibration

PARTS = (one_step, completion, failures, screen, trajectories, priors, speed, fitting)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about points, all of it about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*(figure for part in PARTS for figure in part.figures(data)), calibration()]
