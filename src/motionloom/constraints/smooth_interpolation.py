"""Changes that are known in some frames, carried smoothly to the frames around."""

import numpy as np

TENSION = 200.0  # weight of slopes beside third derivatives, for a window of length 1: keeps curves from overshooting


def spread_change(known: np.ndarray, frames: np.ndarray, n_frames: int, window: float) -> np.ndarray:
    """Spread changes over neighbouring frames: (n_frames, ...), 0 farther than a window from every known frame.

    In between, the curve with the smallest third derivative and slope goes through all known values: its value, slope
    and curvature fade to zero at the ends of the windows, and its slope runs on through the known frames. A window that
    reaches beyond the motion is cut off there.

    Args:
        known: (N, ...) changes.
        frames: (N,) int, in rising order: the frames that the changes belong to.
        n_frames: of the motion.
        window: frames over which a change fades; with 1 or less only the known frames change.
    """
    beyond = int(np.ceil(window)) + 3  # frames on either side, as if the motion went on
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
    """The (n_open, C) values of open frames that make the whole curve smoothest, given all the others."""
    from scipy.sparse.linalg import splu

    stiff = _stiffness(is_known, window)
    inner = stiff[is_open][:, is_open].tocsc()
    return splu(inner).solve(-(stiff[is_open][:, ~is_open] @ change[~is_open]))


def _stiffness(is_known: np.ndarray, window: float):  # type: ignore[no-untyped-def]  # a sparse matrix of scipy
    """(F, F) the quadratic form of third differences and slopes over all frames.

    Third differences that reach three known frames are left out: they would carry the noise in the curvature of known
    values out into the open frames, where it grows.
    """
    from scipy.sparse import diags_array

    n = len(is_known)
    slopes = diags_array([-1.0, 1.0], offsets=[0, 1], shape=(n - 1, n))
    thirds = diags_array([-1.0, 3.0, -3.0, 1.0], offsets=[0, 1, 2, 3], shape=(n - 3, n))
    n_known = np.convolve(is_known, np.ones(4), mode="valid")  # (F - 3,)
    bends = thirds.T @ diags_array(np.where(n_known < 3, 1.0, 0.0)) @ thirds
    return (TENSION * window**2 * (slopes.T @ slopes) + window**6 * bends).tocsr()


def _distances(n_frames: int, frames: np.ndarray) -> np.ndarray:
    """(n_frames,) how many frames away the nearest of some frames is."""
    every = np.arange(n_frames)
    after = np.searchsorted(frames, every)
    right, left = frames[np.minimum(after, len(frames) - 1)], frames[np.maximum(after - 1, 0)]
    return np.minimum(np.abs(right - every), np.abs(left - every))
