"""Performed faces beside recorded ones: amplitudes, speeds, what moves together, heads; measured in the same way.

Both at 60 Hz, with the head's motion taken off as it would be of any markers: aligned on those that move least.
"""

import csv
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.motion.rigid_alignment import align_rigidly
from motionloom.performer import demo_face_scores, perform_face

RECORDED_FPS = 60.0
RECORDED = ("eyebrows", "nose", "cheeks", "jaw")
LEAST_MOVING = 12  # markers that frames are aligned on
MEASURES = (  # name, unit, decimals
    ("95 % of speeds", "cm/s", 2),
    ("99 % of speeds", "cm/s", 2),
    ("fastest marker", "cm/s", 1),
    ("largest way from the median", "mm", 1),
    ("components that hold 95 %", "", 0),
    ("components that hold 99 %", "", 0),
    ("part held by 20 components", "", 4),
    ("95 % of head turning", "deg/s", 1),
    ("head turned from its mean", "deg", 1),
)


@dataclass(frozen=True)
class Ranges:
    """Measures of several takes."""

    recorded: np.ndarray  # (T, measures)
    performed: np.ndarray  # (T', measures)


def compare_faces(data: Path, performed: Iterable[np.ndarray]) -> Ranges:
    """Measure recorded takes and performed ones, (F, M, 3) metres at 60 Hz with the head's motion."""
    recorded = [measure(read_markers(data / "face" / f"{take}.csv")) for take in RECORDED]
    return Ranges(np.array(recorded), np.array([measure(points) for points in performed]))


def read_markers(path: Path) -> np.ndarray:
    """(F, M, 3) metres of the columns `name.x`, `name.y`, `name.z` in centimetres."""
    with path.open() as file:
        header = next(csv.reader(file))
        values = np.loadtxt(file, delimiter=",")
    first = [column for column, name in enumerate(header) if name.endswith(".x")]
    return values[:, [[column, column + 1, column + 2] for column in first]] / 100


def perform_at_recorded_rate(seed: int = 1) -> dict[str, np.ndarray]:
    """The faces of the demo corpus, by their names: (F, 40, 3) metres at the rate of the recordings."""
    performed = {}
    for score in demo_face_scores():
        rng = np.random.default_rng([seed, zlib.crc32(score.name.encode())])
        performed[score.name] = perform_face(score, rng, RECORDED_FPS).motion.positions
    return performed


def measure(points: np.ndarray) -> np.ndarray:
    """(measures,) of a take (F, M, 3) metres at 60 Hz."""
    still, turns = take_head_off(points)
    speeds = np.linalg.norm(np.gradient(still, 1 / RECORDED_FPS, axis=0), axis=-1) * 100
    away = np.linalg.norm(still - np.median(still, axis=0), axis=-1) * 1000
    energy = np.linalg.svd((still - still.mean(axis=0)).reshape(len(still), -1), compute_uv=False) ** 2
    held = np.cumsum(energy) / energy.sum()
    vectors = _rotation_vectors(turns)
    turning = np.linalg.norm(np.gradient(vectors, 1 / RECORDED_FPS, axis=0), axis=-1)
    angles = np.linalg.norm(vectors - vectors.mean(axis=0), axis=-1)
    dims = [int(np.searchsorted(held, part)) + 1 for part in (0.95, 0.99)]
    quantiles = np.percentile(speeds, [95, 99])
    return np.array([*quantiles, speeds.max(), away.max(), *dims, held[19], np.percentile(turning, 95), angles.max()])


def take_head_off(points: np.ndarray, rounds: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """The points (F, M, 3) aligned on their first frame by those that move least, and its rotations (F, 3, 3)."""
    steady, still = np.arange(points.shape[1]), points
    for _ in range(rounds):
        turns, shifts = align_rigidly(points[:, steady], points[0, steady])
        still = points @ np.swapaxes(turns, -1, -2) + shifts[:, None]
        steady = np.argsort(still.std(axis=0).sum(axis=-1))[:LEAST_MOVING]
    return still, turns


def _rotation_vectors(turns: np.ndarray) -> np.ndarray:
    """(F, 3) degrees of small rotations (F, 3, 3)."""
    skew = np.stack([turns[:, i, j] - turns[:, j, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=-1) / 2
    size = np.linalg.norm(skew, axis=-1, keepdims=True)
    return np.degrees(skew / np.maximum(size, 1e-12) * np.arcsin(np.clip(size, 0.0, 1.0)))


def as_markdown(ranges: Ranges) -> str:
    """A table of the least, the median and the largest value over the takes of both."""
    head = "least | median | most"
    lines = [
        f"| measure | recorded ({len(ranges.recorded)}): {head} | performed ({len(ranges.performed)}): {head} |",
        "|---|---|---|---|---|---|---|",
    ]
    for column, (name, unit, decimals) in enumerate(MEASURES):
        cells = [name + (f" ({unit})" if unit else "")]
        for values in (ranges.recorded[:, column], ranges.performed[:, column]):
            cells += [f"{value:.{decimals}f}" for value in (values.min(), np.median(values), values.max())]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
