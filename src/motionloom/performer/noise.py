"""Natural variation: smooth noise and small differences between repetitions, from a seeded random generator."""

import numpy as np

from motionloom.performer.curves import blur


def smooth_noise(rng: np.random.Generator, n_frames: int, fps: float, period: float) -> np.ndarray:
    """(F,) smooth noise with a root mean square of 1 and a period of about `period` seconds."""
    sigma = period / 4
    margin = int(np.ceil(4 * sigma * fps))
    raw = blur(rng.standard_normal(n_frames + 2 * margin), sigma, fps)
    return raw[margin : margin + n_frames] * np.sqrt(2 * np.sqrt(np.pi) * sigma * fps)


def vary(rng: np.random.Generator, value: float, part: float = 0.05) -> float:
    """A random variation of a value, by a standard deviation of `part`, clipped at two."""
    return float(value * (1.0 + part * np.clip(rng.standard_normal(), -2.0, 2.0)))
