"""Floors: estimated beside the column of the index."""

from pathlib import Path

import numpy as np

from benchmarks.corpus.recordings import read_all
from benchmarks.measure import figure
from motionloom.features.floor import estimate_floor
from motionloom.formats.options import CMU_UNIT


def floor_figures(data: Path) -> list[dict]:
    """How far estimated floors are from the index over all takes."""
    off = np.array(
        [estimate_floor(motion) - float(row["floor_y_units"]) * CMU_UNIT for motion, row in read_all(data).values()]
    )
    return [
        figure("floor height beside the index; median difference", np.median(np.abs(off)) * 100, "cm", "lower"),
        figure(
            "floor height beside the index; 90 % of takes within", np.percentile(np.abs(off), 90) * 100, "cm", "lower"
        ),
        figure("floor height beside the index; worst take", np.abs(off).max() * 100, "cm", "lower"),
    ]
