"""Smoothing of where cameras look."""

import numpy as np


def smooth(values: np.ndarray, spread: float) -> np.ndarray:
    """Values (F,) without shaking; `spread` is the standard deviation in frames."""
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(np.asarray(values, float), max(spread, 1e-3), mode="nearest")
