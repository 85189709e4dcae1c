"""The studio in a real browser: how soon it is there, how quickly it follows a hand, how long it can be left open."""

from pathlib import Path

from benchmarks.measure import calibration
from benchmarks.studio import (
    building_up,
    directing,
    first_page,
    keeping,
    labelling,
    latency,
    many_takes_bench,
    memory,
    painting,
)

ALWAYS = (first_page, many_takes_bench, memory)
WITH_RECORDINGS = (latency, painting, keeping, building_up, directing, labelling)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about the studio; what is about recordings only where there are some."""
    parts = (*ALWAYS, *(WITH_RECORDINGS if data is not None else ()))
    return [*(figure for part in parts for figure in part.figures(data)), calibration()]
