"""The smallest root translation that brings the feet within reach of the legs."""

import numpy as np

from motionloom.constraints.banded_least_squares import CLOSED, Bounds, smallest_change

HELD = 1e7  # weight of frames in which the root does not move
MAX_ITERATIONS = 40  # of Newton's method; about twelve are typical
NEARLY = 0.99  # maximum distance of both feet, relative to the reach of both legs together
SETTLED = 3e-4  # metres: tolerance of the step


def move_root(
    hips: np.ndarray, ankles: np.ndarray, reaches: np.ndarray, held: np.ndarray, *, fps: float, spread: float
) -> np.ndarray:
    """Find the smallest and smoothest translation of the root that brings every ankle within reach of its hip.

    Args:
        hips: (F, K, 3) metres, world; they move with the root.
        ankles: (F, K, 3) metres, world: targets.
        reaches: (F, K) metres: maximum distance of each ankle from its hip.
        held: (F,) bool: frames in which the root does not move.
        fps: frames per second.
        spread: seconds over which a translation fades out.

    Returns:
        (F, 3) metres, world.
    """
    move = np.zeros((len(hips), 3))
    reaches = _reaches_that_meet(hips - ankles, reaches)
    if (np.linalg.norm(hips - ankles, axis=-1) <= reaches).all():
        return move
    frames = np.flatnonzero(held)
    rows, gaps = _gaps_of(hips - ankles, reaches)
    within = Bounds.of(gaps, np.tile(~held[:, None], gaps.shape[1]))
    for _ in range(MAX_ITERATIONS):
        equations = smallest_change(move, spread, fps)
        equations.hold(frames, -move[frames], HELD)
        equations.diagonal += _bending(rows, reaches - gaps, within.forces)
        within.push(equations, rows, gaps)
        step = equations.solve()
        step *= within.follow(rows, gaps, step)
        move = move + step
        rows, gaps = _gaps_of(hips + move[:, None] - ankles, reaches)
        if np.abs(step).max() < SETTLED and within.openness < CLOSED:
            break
    move[held] = 0.0
    return move


def _reaches_that_meet(legs: np.ndarray, reaches: np.ndarray) -> np.ndarray:
    """(F, K) metres: reaches, extended where two feet are farther apart than both legs reach together.

    No translation of the root brings such feet within reach: the constraints would be infeasible.
    """
    if legs.shape[1] < 2:
        return reaches
    apart = np.linalg.norm(legs[:, 0] - legs[:, 1], axis=-1)
    short = np.maximum(apart - NEARLY * reaches.sum(axis=1), 0.0)
    return reaches + short[:, None] / 2


def _gaps_of(legs: np.ndarray, reaches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gradient (F, K, 3) of the gaps by the root's translation, and gaps (F, K): reach minus length of the legs."""
    lengths = np.linalg.norm(legs, axis=-1)
    return -legs / np.maximum(lengths, 1e-9)[..., None], reaches - lengths


def _bending(rows: np.ndarray, lengths: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """(F, 3, 3) second-order terms of the leg lengths; without them the steps would overshoot."""
    across = np.eye(3) - rows[..., :, None] * rows[..., None, :]  # (F, K, 3, 3)
    return ((forces / np.maximum(lengths, 1e-3))[..., None, None] * across).sum(axis=1)
