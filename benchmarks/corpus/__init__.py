"""The corpus: how fast it opens, what it computes per take, and how well floors and contacts are found."""

from pathlib import Path

from benchmarks.corpus.contacts import alternation_figures, truth_figures
from benchmarks.corpus.floors import floor_figures
from benchmarks.corpus.storage import layer_figures, opening_figures
from benchmarks.measure import calibration


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about the corpus; what needs real recordings is left out where there are none."""
    measured = opening_figures() + truth_figures()
    if data is not None:
        measured += layer_figures(data) + floor_figures(data) + alternation_figures(data)
    return [*measured, calibration()]
