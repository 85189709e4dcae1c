"""Files in: how fast BVH is read beside upc-pymotion, what is found out about rates, and importing the nine sets."""

from pathlib import Path

from benchmarks.io.agreement import agreement_figures
from benchmarks.io.importing import import_figures
from benchmarks.io.rates import rate_figures
from benchmarks.io.reading import reading_figures
from benchmarks.measure import calibration

__all__ = ["agreement_figures", "figures", "import_figures", "rate_figures", "reading_figures"]


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about reading; what needs real recordings is left out where there are none."""
    measured = reading_figures(data)
    if data is not None:
        measured += rate_figures(data) + agreement_figures(data) + import_figures(data)
    return [*measured, calibration()]
