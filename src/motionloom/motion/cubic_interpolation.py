"""Catmull-Rom interpolation of values over frames, with gaps that stay gaps."""

import numpy as np

from motionloom.motion.arrays import check_rate


def times_at_rate(n_frames: int, from_fps: float, fps: float) -> np.ndarray:
    """(N,) fractional frames of F frames that are shown at another rate, at the same speed."""
    check_rate(fps)
    n_out = int(np.floor((n_frames - 1) * fps / from_fps + 1e-6)) + 1
    return np.arange(n_out) * (from_fps / fps)


def cubic_at(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Catmull-Rom interpolation of (F, ...) values at (N,) fractional frames between 0 and F - 1.

    What coincides with a frame equals it. NaN is a gap: what lies between frames of which one is in a gap is in the gap
    too, and beside a gap, as at the ends, slopes are one-sided, so that gaps neither grow nor shrink by more.
    """
    last = len(values) - 1
    before = np.clip(np.floor(times + 1e-9).astype(int), 0, last)
    u = np.clip(times - before, 0.0, 1.0).reshape(-1, *[1] * (values.ndim - 1))
    p0, p1 = values[np.clip(before - 1, 0, last)], values[before]
    p2, p3 = values[np.clip(before + 1, 0, last)], values[np.clip(before + 2, 0, last)]
    shape = (-1, *[1] * (values.ndim - 1))
    inside_left = (before > 0).reshape(shape) & ~np.isnan(p0)
    inside_right = (before + 2 <= last).reshape(shape) & ~np.isnan(p3)
    m1 = np.where(inside_left, (p2 - p0) / 2, p2 - p1)  # one-sided slopes at the ends
    m2 = np.where(inside_right, (p3 - p1) / 2, p2 - p1)
    u2, u3 = u * u, u * u * u
    mixed = (2 * u3 - 3 * u2 + 1) * p1 + (u3 - 2 * u2 + u) * m1 + (3 * u2 - 2 * u3) * p2 + (u3 - u2) * m2
    return np.where((u < 1e-9) & np.isnan(mixed), p1, mixed)
