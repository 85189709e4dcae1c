"""Moving the root no farther than the legs need to reach their feet."""

import numpy as np

from motionloom.constraints.smallest_change import smallest_change

ROUNDS = 300  # of alternating projections at most; where nothing is out of reach there is none
PULL = 30.0  # weight of the projections against the size of the move; only how fast they settle depends on it
SETTLED = 1e-5  # metres: a smaller change ends them
HELD = 1e7  # weight of frames in which the root stays


def move_root(
    hips: np.ndarray, ankles: np.ndarray, reaches: np.ndarray, held: np.ndarray, *, fps: float, spread: float
) -> np.ndarray:
    """Find the smallest and smoothest move of the root that brings every ankle within reach of its hip.

    Within reach means within a ball about where the hip must be, one for each leg and frame: the least squares over
    frames and the projections onto the balls take turns (alternating direction method of multipliers), which always
    converges because balls are convex.

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
    from scipy.linalg import cho_solve_banded

    n_frames, n_legs = reaches.shape
    centres = ankles - hips  # (F, K, 3): the moves that put the hip onto the ankle
    move = np.zeros((n_frames, 3))
    if (np.linalg.norm(centres, axis=-1) <= reaches).all():
        return move
    factor = _factor(n_frames, n_legs, held, fps, spread)
    projected, owed = np.zeros_like(centres), np.zeros_like(centres)
    for _ in range(ROUNDS):
        right = PULL * (projected - owed).sum(axis=1)
        before, move = move, cho_solve_banded((factor, True), right, check_finite=False)
        wanted = move[:, None] + owed
        projected = _into_balls(wanted, centres, reaches)
        owed = wanted - projected
        if max(np.abs(move - before).max(), np.abs(move[:, None] - projected)[~held].max(initial=0)) < SETTLED:
            break
    move[held] = 0.0
    return move


def _factor(n_frames: int, n_legs: int, held: np.ndarray, fps: float, spread: float) -> np.ndarray:
    """The banded Cholesky factor of one coordinate's least squares; all three have the same."""
    from scipy.linalg import cholesky_banded

    equations = smallest_change(np.zeros((n_frames, 1)), spread, fps)
    equations.diagonal[:, 0, 0] += n_legs * PULL + HELD * held
    return cholesky_banded(equations.bands(), lower=True, check_finite=False)


def _into_balls(points: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """The nearest (..., 3) points within balls."""
    away = points - centres
    distances = np.linalg.norm(away, axis=-1)
    shrink = np.minimum(1.0, radii / np.maximum(distances, 1e-12))
    return centres + away * shrink[..., None]
