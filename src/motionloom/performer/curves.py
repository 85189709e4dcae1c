"""Smooth curves over time: eases, ramps, splines through knots, and Gaussian smoothing."""

from collections.abc import Sequence

import numpy as np

GRAVITY = 9.81  # metres per second squared


def ease(u: np.ndarray | float) -> np.ndarray:
    """Minimum-jerk ease: from 0 at u <= 0 to 1 at u >= 1, with zero velocity and acceleration at both ends."""
    u = np.clip(u, 0.0, 1.0)
    return u * u * u * (10.0 + u * (6.0 * u - 15.0))


def travel(u: np.ndarray, rise: np.ndarray | float = 0.3, fall: float = 0.18) -> np.ndarray:
    """Go from 0 to 1 for u in [0, 1], speeding up during a part `rise` of the time, braking during `fall`."""
    u = np.clip(u, 0.0, 1.0)
    top = 1.0 / (1.0 - (rise + fall) / 2)

    def begin(x: np.ndarray, ramp: np.ndarray | float) -> np.ndarray:
        x = np.minimum(x, ramp)
        return top * (x / 2 - ramp / (2 * np.pi) * np.sin(np.pi * x / ramp))

    middle = top * (u - rise / 2)
    return np.where(u < rise, begin(u, rise), np.where(u > 1 - fall, 1 - begin(1 - u, fall), middle))


def bump(u: np.ndarray, peak: float | np.ndarray = 0.5) -> np.ndarray:
    """Rise from 0 to 1 at u = peak and fall back to 0 at u = 1, softly at the ends and at the top."""
    u = np.clip(u, 0.0, 1.0)
    return np.where(u < peak, ease(u / np.maximum(peak, 1e-6)), ease((1 - u) / np.maximum(1 - peak, 1e-6)))


def throw(times: np.ndarray, off: float, land: float) -> np.ndarray:
    """(F,) metres, height of a ballistic flight that starts at `off` and ends at `land`, with short smooth ends."""
    u = np.clip((times - off) / (land - off), 0.0, 1.0)
    soft = 0.03 / (land - off)
    return GRAVITY / 2 * (land - off) ** 2 * u * (1 - u) * ease(u / soft) * ease((1 - u) / soft)


def pulse(times: np.ndarray, start: float, stop: float, rise: float, fall: float) -> np.ndarray:
    """Be 1 between start + rise and stop - fall, 0 outside [start, stop], with eases between; (F,) times in seconds."""
    rise, fall = max(rise, 1e-3), max(fall, 1e-3)
    return ease((times - start) / rise) * (1.0 - ease((times - stop + fall) / fall))


def through_knots(times: np.ndarray, knots: Sequence[tuple[float, float, float, float]]) -> np.ndarray:
    """A curve (F,) through knots (time, value, slope, curvature), fifth order between them and constant outside."""
    t, y, v, a = np.array(sorted(knots)).T
    i = np.clip(np.searchsorted(t, times, side="right") - 1, 0, max(len(t) - 2, 0))
    j = np.minimum(i + 1, len(t) - 1)
    h = np.maximum(t[j] - t[i], 1e-9)
    u = np.clip((times - t[i]) / h, 0.0, 1.0)
    y0, y1, v0, v1, a0, a1 = y[i], y[j], v[i] * h, v[j] * h, a[i] * h * h, a[j] * h * h
    gap = y1 - y0
    c3 = 10 * gap - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
    c4 = -15 * gap + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
    c5 = 6 * gap - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1
    return y0 + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))))


def through_stops(times: np.ndarray, stops: Sequence[float], points: np.ndarray) -> np.ndarray:
    """A path (F, 3) that comes to rest at (K, 3) points at K times and moves with minimum jerk between them."""
    return np.stack(
        [through_knots(times, [(t, p, 0.0, 0.0) for t, p in zip(stops, column)]) for column in points.T], -1
    )


def through_points(times: np.ndarray, stops: Sequence[float], points: np.ndarray) -> np.ndarray:
    """A path (F, 3) through (K, 3) points at K times that comes to rest only at the first and the last."""
    t = np.asarray(stops, float)
    slopes = np.zeros_like(points, dtype=float)
    before, after = np.diff(points, axis=0)[:-1], np.diff(points, axis=0)[1:]
    first, second = np.diff(t)[:-1, None], np.diff(t)[1:, None]
    slopes[1:-1] = (before / first * second + after / second * first) / (first + second)
    columns = zip(points.T, slopes.T)
    return np.stack([through_knots(times, [(*k, 0.0) for k in zip(t, *column)]) for column in columns], -1)


def blur(values: np.ndarray, sigma: float, fps: float) -> np.ndarray:
    """Smooth (F, ...) values over time with a Gaussian of `sigma` seconds."""
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, sigma * fps, axis=0, mode="nearest")
