"""Variation that looks alive: slow smooth noise and small differences between repetitions, from a seeded generator."""

import numpy as np

from motionloom.performer.curves import blur


def smooth_noise(rng: np.random.Generator, n_frames: int, fps: float, period: float) -> np.ndarray:
    """Noise (F,) of size 1 (root mean square) that takes about `period` seconds from one swing to the next."""
    sigma = period / 4
    margin = int(np.ceil(4 * sigma * fps))
    raw = blur(rng.standard_normal(n_frames + 2 * margin), sigma, fps)
    return raw[margin : margin + n_frames] * np.sqrt(2 * np.sqrt(np.pi) * sigma * fps)


def vary(rng: np.random.Generator, value: float, part: float = 0.05) -> float:
    """A value like this one: up to about twice `part` more or less, never further."""
    return float(value * (1.0 + part * np.clip(rng.standard_normal(), -2.0, 2.0)))
