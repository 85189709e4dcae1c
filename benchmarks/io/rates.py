"""What is found out about wrong frame rates: false alarms on takes that are right, and wrong ones that are found."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from motionloom import formats
from motionloom.formats.detection import rate
from motionloom.motion import Motion

BELIEVED = ("01_01", "02_01", "11_01", "16_03")  # untouched files whose stated 120 is true
WRONG = "143_06"  # states 120, was recorded at 60
FACTORS = {"twice the true rate": 2.0, "half the true rate": 0.5, "four times the true rate": 4.0}


def rate_figures(data: Path) -> list[dict]:
    """Alarms on every take as it is, and on every take with its rate stated wrongly."""
    with (data / "cmu" / "INDEX.csv").open() as file:
        motions = [_read(data / "cmu" / row["file"]) for row in csv.DictReader(file)]
    originals = [_read(data / "cmu" / "original" / f"{name}.bvh") for name in BELIEVED]
    false_alarms = sum(rate.weigh(motion).fps is not None for motion in motions + originals)
    found = rate.weigh(_read(data / "cmu" / "original" / f"{WRONG}.bvh")).fps
    measured = [
        figure(
            f"rate; false alarms on {len(motions)} takes and {len(originals)} originals", false_alarms, "takes", "lower"
        ),
        figure(f"rate; {WRONG} found out as 60", float(found == 60.0), "takes", "higher"),
    ]
    mistaken = 0
    for words, factor in FACTORS.items():
        found = [(rate.weigh(replace(motion, fps=motion.fps * factor)).fps, motion.fps) for motion in motions]
        right = [fps for fps, true in found if fps is not None and abs(np.log(fps / true)) < np.log(1.05)]
        mistaken += sum(fps is not None for fps, _ in found) - len(right)
        share = 100.0 * len(right) / len(motions)
        measured.append(figure(f"rate; stated {words}, found out", share, "% of takes", "higher"))
    return [*measured, figure("rate; found out, but taken for another", mistaken, "takes", "lower")]


def _read(path: Path) -> Motion:
    motion = formats.read(path).motion
    assert isinstance(motion, Motion)
    return motion
