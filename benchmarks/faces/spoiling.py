"""What optical systems do to markers: noise, gaps, limbs that nobody sees, and labels that are mixed up."""

import numpy as np

from motionloom.motion import PointMotion

NOISE, MISSING, GAP = 0.002, 0.1, (0.5, 2.0)  # metres along each axis, share of samples, seconds
LONG = 2.0  # seconds
SWAPPED, SWAPS = 0.5, 10  # seconds, times a take
ARM = ("LSHO", "LUPA", "LELB", "LFRM", "LWRA", "LWRB", "LFIN")


def spoil(points: PointMotion, rng: np.random.Generator) -> PointMotion:
    """Markers with noise and gaps."""
    positions = _noisy(points, rng)
    n_frames, n_markers = positions.shape[:2]
    missing = rng.random((n_frames, n_markers)) < MISSING / 2
    while missing.mean() < MISSING:
        length = max(1, round(rng.uniform(*GAP) * points.fps))
        start, marker = int(rng.integers(-length, n_frames)), int(rng.integers(n_markers))
        missing[max(start, 0) : max(start + length, 0), marker] = True
    positions[missing] = np.nan
    return PointMotion(points.names, positions, points.fps)


def with_a_gap_of_each(points: PointMotion, rng: np.random.Generator) -> PointMotion:
    """Markers with noise; each is missing once, for two seconds, at any time."""
    positions, length = _noisy(points, rng), round(LONG * points.fps)
    for marker, start in enumerate(rng.integers(0, len(positions) - length, len(points.names))):
        positions[start : start + length, marker] = np.nan
    return PointMotion(points.names, positions, points.fps)


def without_an_arm(points: PointMotion, rng: np.random.Generator) -> PointMotion:
    """Markers with noise; those of the left arm are all missing for two seconds in the middle."""
    positions, length = _noisy(points, rng), round(LONG * points.fps)
    start = (len(positions) - length) // 2
    positions[start : start + length, [points.names.index(name) for name in ARM]] = np.nan
    return PointMotion(points.names, positions, points.fps)


def with_swaps(points: PointMotion, rng: np.random.Generator) -> PointMotion:
    """Markers with noise; ten times, one after another, any two have each other's label for half a second."""
    positions, length = _noisy(points, rng), round(SWAPPED * points.fps)
    for start in np.linspace(0, len(positions) - length, SWAPS).astype(int):
        pair = rng.choice(len(points.names), 2, replace=False)
        positions[start : start + length, pair] = positions[start : start + length, pair[::-1]]
    return PointMotion(points.names, positions, points.fps)


def _noisy(points: PointMotion, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(points.positions + NOISE * rng.normal(size=points.positions.shape))
