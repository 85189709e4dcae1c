"""Knee steps: feet in the air follow more slowly where the knee of a nearly straight leg would jump.

A leg is singular when straight: an ankle that comes 3 cm nearer to the hip takes the knee 8 cm out of line. So where a
correction of the foot begins or ends at once, such as beside a locked frame, frames in which the foot is free share it.
"""

import numpy as np

FARTHEST = 0.085  # of the leg's length: step of the knee out of line in a frame at 60 Hz
BESIDE_SOURCE = 0.03  # of the leg's length: by so much it may be faster than the source


def slow_ankles(
    hips: np.ndarray, ankles: np.ndarray, bones: tuple[float, float], free: np.ndarray, own: np.ndarray, fps: float
) -> np.ndarray:
    """Move ankles of free feet along their legs so that knees make no larger steps than allowed.

    Args:
        hips: (F, 3) metres, world.
        ankles: (F, 3) metres, world: targets.
        bones: lengths of thigh and shank, metres.
        free: (F,) bool: frames in which the foot is neither planted nor locked.
        own: (F,) metres: distances of the source's knee from the line through hip and ankle.
        fps: frames per second.

    Returns:
        (F, 3) metres, world; the same array where nothing has to move.
    """
    legs = ankles - hips
    lengths = np.linalg.norm(legs, axis=-1)
    a, b = bones
    is_open = lengths > np.sqrt(abs(a * a - b * b)) + 1e-6  # nearer ankles bring the knee back into line
    reached = np.clip(lengths, abs(a - b) + 1e-9, a + b - 1e-9)
    along = (a * a - b * b + reached * reached) / (2 * reached)
    offsets = np.sqrt(np.maximum(a * a - along * along, 0.0))
    own_steps = np.abs(np.diff(own)) + BESIDE_SOURCE * (a + b)
    limits = np.maximum(FARTHEST * (a + b) * max(1.0, 60.0 / fps), own_steps)
    wanted = _limit_steps(offsets, limits, free & is_open & is_open[np.maximum(np.arange(len(free)) - 1, 0)])
    moved = np.flatnonzero(wanted != offsets)
    if not len(moved):
        return ankles
    distances = np.sqrt(np.maximum(a * a - wanted**2, 0.0)) + np.sqrt(np.maximum(b * b - wanted**2, 0.0))
    result = ankles.copy()
    result[moved] = hips[moved] + (distances / np.maximum(lengths, 1e-9))[moved, None] * legs[moved]
    return result


def _limit_steps(values: np.ndarray, limits: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Values of free frames, clipped to the limits (F - 1,) of their steps from both sides."""
    if not (np.abs(np.diff(values)) > limits).any():
        return values
    result = values.copy()
    for frame in range(1, len(values)):
        if free[frame]:
            step = limits[frame - 1]
            result[frame] = np.clip(result[frame], result[frame - 1] - step, result[frame - 1] + step)
    for frame in range(len(values) - 2, -1, -1):
        if free[frame]:
            step = limits[frame]
            result[frame] = np.clip(result[frame], result[frame + 1] - step, result[frame + 1] + step)
    return result
