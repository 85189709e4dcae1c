"""The performer beside recordings: the same measures of the same kind of walks and runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.performer.gait import MEASURES, Gait, measure_gaits
from motionloom import formats
from motionloom.motion import Motion, rotations
from motionloom.performer import Performance

SETS = ("walking", "locomotion_optim", "football_like")  # folders of CMU recordings
SEEN = {"walk": ("walk/",), "run": ("run/",)}  # demo takes to measure
UNITS = {
    "speed": "m/s",
    "cadence": "steps/s",
    "step_length": "m",
    "bounce": "m",
    "sway": "m",
    "counter_turn": "",
    "arm_with_leg": "",
}


@dataclass(frozen=True)
class Row:
    """One measure of recorded and performed stretches: 5 %, median and 95 %."""

    measure: str
    unit: str
    recorded: tuple[float, float, float]
    performed: tuple[float, float, float]
    n_recorded: int
    n_performed: int

    @property
    def is_inside(self) -> bool:
        """The performer's median lies within what recordings do."""
        return self.recorded[0] <= self.performed[1] <= self.recorded[2]

    @property
    def is_wholly_inside(self) -> bool:
        """So do the performer's 5 % and 95 %."""
        return self.recorded[0] <= self.performed[0] and self.performed[2] <= self.recorded[2]


def compare(data: Path, performances: Iterable[Performance], gait: str) -> list[Row]:
    """Measure recorded and performed walks or runs.

    Args:
        data: the folder of recordings.
        performances: takes of the performer.
        gait: walk or run.
    """
    recorded = measure_recordings(data, gait)
    performed = [g for p in performances if p.name.startswith(SEEN[gait]) for g in measure_gaits(p.motion, gait)]
    return [_row(name, recorded, performed) for name in MEASURES]


def measure_recordings(data: Path, gait: str) -> list[Gait]:
    """Measure every steady walk or run of the CMU sets."""
    return [measured for motion in read_recordings(data) for measured in measure_gaits(motion, gait)]


def read_recordings(data: Path) -> list[Motion]:
    """Every recording of the CMU sets."""
    paths = [path for name in SETS for path in sorted((data / "cmu" / name).glob("*.bvh"))]
    return [motion for path in paths if isinstance(motion := formats.read(path).motion, Motion)]


def knee_jerkiness(motions: Iterable[Motion]) -> np.ndarray:
    """The largest angular acceleration of a knee in each motion, radians per second squared."""
    peaks = []
    for motion in motions:
        knees = motion.local_rotations[:, [motion.skeleton.index(f"{side}_knee") for side in ("left", "right")]]
        speeds = rotations.log(rotations.multiply(rotations.inverse(knees[:-1]), knees[1:])) * motion.fps
        peaks.append(np.linalg.norm(np.diff(speeds, axis=0), axis=-1).max() * motion.fps)
    return np.array(peaks)


def as_markdown(rows: list[Row]) -> str:
    """The table as it stands in docs/performer.md."""
    counts = f"recorded ({rows[0].n_recorded})", f"performed ({rows[0].n_performed})"
    spans = [f"{count} {part}" for count in counts for part in ("5 %", "median", "95 %")]
    lines = ["| " + " | ".join(["measure", *spans, "inside"]) + " |", "|---" * 8 + "|"]
    for row in rows:
        name = row.measure.replace("_", " ") + (f" ({row.unit})" if row.unit else "")
        numbers = " | ".join(_plain(value, row.unit) for value in (*row.recorded, *row.performed))
        lines.append(f"| {name} | {numbers} | {'yes' if row.is_inside else 'no'} |")
    return "\n".join(lines)


def _row(name: str, recorded: list[Gait], performed: list[Gait]) -> Row:
    unit = UNITS.get(name, "deg/s" if name.endswith("_speed") else "deg")
    low, middle, high = zip(
        *(np.percentile([getattr(g, name) for g in gaits], [5, 50, 95]) for gaits in (recorded, performed))
    )
    spans = [(float(a), float(b), float(c)) for a, b, c in zip(low, middle, high)]
    return Row(name, unit, spans[0], spans[1], len(recorded), len(performed))


def _plain(value: float, unit: str) -> str:
    return f"{value:.0f}" if unit.startswith("deg") else f"{value:.2f}" if unit != "m" else f"{value:.3f}"
