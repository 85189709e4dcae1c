"""Root targets: the root turned and moved to what is asked of it, with all of the body."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints import OrientationTarget, PositionTarget
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.motion import Motion, rotations

FADE = 0.5  # seconds over which the change of the root fades out
UPRIGHT = 1e-6  # parts of quaternions across the vertical that are rounding


def meet_root(motion: Motion, targets: Sequence[PositionTarget | OrientationTarget], held: Sequence[int]) -> Motion:
    """Turn and move the root so that targets of its own points are met; the change fades out around them.

    Args:
        motion: to change.
        targets: of the root: its turns first, then positions of points that are fixed to it, nan along free axes.
        held: frames of poses that must hold: there it turns about the vertical alone, and moves where it is asked to.
    """
    turned = [target for target in targets if isinstance(target, OrientationTarget)]
    placed = [target for target in targets if isinstance(target, PositionTarget)]
    root, local = np.array(motion.root_positions, float), np.array(motion.local_rotations, float)
    still = np.zeros(motion.n_frames, bool)
    still[list(held)] = True
    turns, moves = np.full_like(root, np.nan), np.full_like(root, np.nan)
    turns[still], moves[still] = 0.0, 0.0
    for orientation in turned:
        rows, wanted = np.asarray(orientation.frames), np.asarray(orientation.rotation)
        free = ~still[rows] | is_upright(rotations.multiply(wanted, rotations.inverse(local[rows, 0])))
        change = rotations.log(rotations.multiply(rotations.inverse(local[rows, 0]), wanted))
        turns[rows[free]] = change[free]
    local[:, 0] = rotations.multiply(local[:, 0], rotations.exp(_spread(motion, turns)))
    for position in placed:
        rows = np.asarray(position.frames)
        arm = rotations.rotate(local[rows, 0], np.broadcast_to(np.asarray(position.offset, float), (len(rows), 3)))
        away = np.asarray(position.position) - root[rows] - arm
        moves[rows] = np.where(np.isfinite(away), away, moves[rows])
    moved = [_spread(motion, moves[:, axis]) for axis in range(3)]
    return replace(motion, root_positions=root + np.stack(moved, axis=-1), local_rotations=local)


def is_upright(turns: np.ndarray) -> np.ndarray:
    """(n,) whether (n, 4) rotations are about the vertical."""
    return np.asarray(np.hypot(turns[:, 1], turns[:, 3]) < UPRIGHT)


def _spread(motion: Motion, change: np.ndarray) -> np.ndarray:
    """A change (F, ...) that is known in some frames, and nan in the others, in all of them."""
    known = np.flatnonzero(np.isfinite(change.reshape(motion.n_frames, -1)).all(axis=1))
    if not len(known):
        return np.zeros_like(change)
    return spread_change(change[known], known, motion.n_frames, FADE * motion.fps)
