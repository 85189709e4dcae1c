"""Moving the root no farther than the legs need to reach their feet."""

import numpy as np

from motionloom.constraints.banded_least_squares import CLOSED, Bounds, smallest_change

HELD = 1e7  # weight of frames in which the root stays
TURNS_AT_MOST = 40  # of Newton's method; about twelve are usual
NEARLY = 0.99  # of what both legs reach together may lie between their feet
SETTLED = 3e-4  # metres: a smaller step ends it


def move_root(
    hips: np.ndarray, ankles: np.ndarray, reaches: np.ndarray, held: np.ndarray, *, fps: float, spread: float
) -> np.ndarray:
    """Find the smallest and smoothest move of the root that brings every ankle within reach of its hip.

    Args:
        hips: (F, K, 3) metres, world: where the legs start; they move with the root.
        ankles: (F, K, 3) metres, world: where the feet shall be.
        reaches: (F, K) metres: the farthest that each ankle may be from its hip.
        held: (F,) bool: frames in which the root stays.
        fps: frames per second.
        spread: seconds, over which a move fades out.

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
    for _ in range(TURNS_AT_MOST):
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
    """(F, K) metres: where two feet are farther apart than both legs reach, both reach as much farther as that takes.

    No move of the root brings such feet within reach, and a search for one would never end.
    """
    if legs.shape[1] < 2:
        return reaches
    apart = np.linalg.norm(legs[:, 0] - legs[:, 1], axis=-1)
    short = np.maximum(apart - NEARLY * reaches.sum(axis=1), 0.0)
    return reaches + short[:, None] / 2


def _gaps_of(legs: np.ndarray, reaches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How legs (F, K, 3) get shorter as the root moves (F, K, 3), and by how much they may get longer (F, K)."""
    lengths = np.linalg.norm(legs, axis=-1)
    return -legs / np.maximum(lengths, 1e-9)[..., None], reaches - lengths


def _bending(rows: np.ndarray, lengths: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """(F, 3, 3): legs that are pulled at resist being swung aside; without it the steps would be too long."""
    across = np.eye(3) - rows[..., :, None] * rows[..., None, :]  # (F, K, 3, 3)
    return ((forces / np.maximum(lengths, 1e-3))[..., None, None] * across).sum(axis=1)
