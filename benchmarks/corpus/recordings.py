"""The recordings that these benchmarks run on."""

import csv
from functools import cache
from pathlib import Path

from motionloom import formats
from motionloom.motion import Motion


@cache
def read_all(data: Path) -> dict[str, tuple[Motion, dict[str, str]]]:
    """Every take of the index: its motion and its row, by names such as "walking/69_01"."""
    rows = csv.DictReader((data / "cmu" / "INDEX.csv").open())
    return {row["file"].removesuffix(".bvh"): (formats.read(data / "cmu" / row["file"]).motion, row) for row in rows}


@cache
def read_labels(data: Path) -> list[tuple[str, str, int, int]]:
    """Every reference label: take, label, start, stop."""
    rows = csv.DictReader((data / "cmu" / "labels.csv").open())
    return [(row["take"], row["label"], int(row["start"]), int(row["stop"])) for row in rows]
