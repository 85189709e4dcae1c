"""Motion synthesis from annotations: labelling, searching, places, and how good the motions are."""

from pathlib import Path

from benchmarks.measure import calibration
from benchmarks.timeline import (
    annotation,
    blocks_convergence,
    index_growth,
    keeping_up,
    mixed_corpus,
    place_reaching,
    results,
    searching,
)

PARTS = (annotation, searching, index_growth, blocks_convergence, results, place_reaching, mixed_corpus, keeping_up)


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about timelines, most of it about real recordings: nothing without them."""
    if data is None:
        return [calibration()]
    return [*(figure for part in PARTS for figure in part.figures(data)), calibration()]
