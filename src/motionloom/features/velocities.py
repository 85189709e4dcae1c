"""Velocities, accelerations and jerks by finite differences, in world space and in the facing's frame."""

import numpy as np

from motionloom.motion.placement import turn_ground

SMOOTHING_SECONDS = 5 / 60  # over which a speed is averaged, against marker noise
ACCELERATION_SECONDS = 4 / 60  # from the first to the last of the three frames of a second difference


def velocities(positions: np.ndarray, fps: float) -> np.ndarray:
    """(F, ..., 3) metres per second: central differences, one-sided at the ends; 0 for a single frame."""
    if len(positions) < 2:
        return np.zeros_like(positions)
    return np.gradient(positions, 1.0 / fps, axis=0)


def accelerations(positions: np.ndarray, fps: float) -> np.ndarray:
    """(F, ..., 3) metres per second squared: second differences over five frames at 60 Hz, as long at other rates.

    The first and last frames repeat their neighbours', because their window is incomplete.
    """
    half = acceleration_border(fps)
    if len(positions) < 2 * half + 1:
        return np.zeros_like(positions)
    inner = (positions[2 * half :] - 2 * positions[half:-half] + positions[: -2 * half]) * (fps / half) ** 2
    return np.concatenate([np.repeat(inner[:1], half, axis=0), inner, np.repeat(inner[-1:], half, axis=0)])


def jerks(positions: np.ndarray, fps: float) -> np.ndarray:
    """(F, ..., 3) metres per second cubed: differences of accelerations over seven frames at 60 Hz, as long at others.

    The first and last frames repeat their neighbours', as those of accelerations do.
    """
    half, border = acceleration_border(fps), jerk_border(fps)
    step = border - half
    if len(positions) < 2 * border + 1:
        return np.zeros_like(positions)
    known = accelerations(positions, fps)[half:-half]  # those with a complete window
    inner = (known[2 * step :] - known[: -2 * step]) * (fps / (2 * step))
    return np.concatenate([np.repeat(inner[:1], border, axis=0), inner, np.repeat(inner[-1:], border, axis=0)])


def acceleration_border(fps: float) -> int:
    """Number of frames at either end of a motion whose acceleration is repeated from a neighbour."""
    return max(1, round(ACCELERATION_SECONDS * fps / 2))


def jerk_border(fps: float) -> int:
    """Number of frames at either end of a motion whose jerk is repeated from a neighbour."""
    return acceleration_border(fps) + max(1, round(ACCELERATION_SECONDS * fps / 4))


def speeds(positions: np.ndarray, fps: float) -> np.ndarray:
    """(F, ...) speeds in metres per second of (F, ..., 3) positions, smoothed with a Hann window."""
    raw = np.linalg.norm(velocities(positions, fps), axis=-1)
    width = max(3, 2 * round(SMOOTHING_SECONDS * fps / 2) + 1)
    weights = np.hanning(width + 2)[1:-1]
    half = width // 2
    padded = np.concatenate([np.repeat(raw[:1], half, axis=0), raw, np.repeat(raw[-1:], half, axis=0)])
    return sum(w * padded[i : i + len(raw)] for i, w in enumerate(weights / weights.sum()))


def seen_from(headings: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Rotate (F, J, 3) world vectors into the frames of the headings: x left, y up, z forwards."""
    ground = turn_ground(vectors[..., [0, 2]], -headings[:, None])
    return np.stack([ground[..., 0], vectors[..., 1], ground[..., 1]], axis=-1)


def positions_seen_from(
    headings: np.ndarray, ground: np.ndarray, floor_height: float, positions: np.ndarray
) -> np.ndarray:
    """Joint positions in the frame of the facing: (F, J, 3) metres, x left, y above the floor, z forwards.

    Args:
        headings: (F,) radians.
        ground: (F, 2) metres along x and z.
        floor_height: metres, world.
        positions: (F, J, 3) metres, world.
    """
    origin = np.stack([ground[:, 0], np.full(len(ground), floor_height), ground[:, 1]], axis=-1)
    return seen_from(headings, positions - origin[:, None])
