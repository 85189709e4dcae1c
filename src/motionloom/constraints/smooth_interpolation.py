"""Smooth interpolation of changes that are known in some frames, fading out around them."""

import numpy as np

TENSION = 200.0  # weight of slopes relative to third derivatives, for a window of length 1: against overshoot


def spread_change(known: np.ndarray, frames: np.ndarray, n_frames: int, window: float) -> np.ndarray:
    """Interpolate changes to all frames: (n_frames, ...), 0 farther than a window from every known frame.

    The curve through all known values that minimizes third derivatives and slopes: value, slope and curvature fade to
    zero at the ends of the windows, and its slope is continuous in the known frames. Windows are clipped at the ends of
    the motion.

    Args:
        known: (N, ...) changes.
        frames: (N,) int, increasing: the frames of the changes.
        n_frames: of the motion.
        window: frames over which a change fades; with 1 or less only the known frames change.
    """
    beyond = int(np.ceil(window)) + 3  # padding frames on either side
    n_all = n_frames + 2 * beyond
    change = np.zeros((n_all, *known.shape[1:]))
    change[frames + beyond] = known
    is_known = np.zeros(n_all, bool)
    is_known[frames + beyond] = True
    is_open = ~is_known & (_distances(n_all, frames + beyond) < window)
    if is_open.any():
        change[is_open] = _fill(change.reshape(n_all, -1), is_known, is_open, window).reshape(-1, *known.shape[1:])
    return change[beyond : beyond + n_frames]


def _fill(change: np.ndarray, is_known: np.ndarray, is_open: np.ndarray, window: float) -> np.ndarray:
    """The (n_open, C) values of open frames that minimize the quadratic form, given all the others."""
    from scipy.linalg import solveh_banded

    bands = _stiffness(is_known, window)
    values = np.where(is_open[:, None], 0.0, change)
    right = -_product(bands, values)[is_open]
    places = np.flatnonzero(is_open)
    inner = np.zeros((len(bands), len(places)))  # as many rows apart as frames, or fewer: those between are not open
    for apart in range(len(bands)):
        for nearer in range(min(apart, len(places) - 1) + 1):
            is_so = places[nearer:] - places[: len(places) - nearer] == apart
            inner[nearer, : len(is_so)] += np.where(is_so, bands[apart, places[: len(is_so)]], 0.0)
    return np.asarray(solveh_banded(inner, right, lower=True, overwrite_b=True, check_finite=False))


def _stiffness(is_known: np.ndarray, window: float) -> np.ndarray:
    """(4, F) lower bands of the quadratic form of third differences and slopes over all frames.

    Third differences over three known frames are left out: they would extrapolate the noise in the curvature of known
    values into the open frames.
    """
    n = len(is_known)
    counted = np.convolve(is_known, np.ones(4), mode="valid") < 3  # (F - 3,)
    bands = np.zeros((4, n))
    for weights, parts in (
        (np.full(n - 1, TENSION * window**2), (-1.0, 1.0)),
        (window**6 * counted, (-1.0, 3.0, -3.0, 1.0)),
    ):
        for apart in range(len(parts)):
            for first in range(len(parts) - apart):
                bands[apart, first : first + len(weights)] += weights * parts[first] * parts[first + apart]
    return bands


def _product(bands: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(F, C) the symmetric matrix of lower bands times (F, C) values."""
    found = bands[0, :, None] * values
    for apart in range(1, len(bands)):
        beside = bands[apart, :-apart, None]
        found[apart:] += beside * values[:-apart]
        found[:-apart] += beside * values[apart:]
    return found


def _distances(n_frames: int, frames: np.ndarray) -> np.ndarray:
    """(n_frames,) distance in frames to the nearest of some frames."""
    every = np.arange(n_frames)
    after = np.searchsorted(frames, every)
    right, left = frames[np.minimum(after, len(frames) - 1)], frames[np.maximum(after - 1, 0)]
    return np.minimum(np.abs(right - every), np.abs(left - every))
