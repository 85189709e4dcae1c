"""Root targets: the root turned and moved to what is asked of it, with all of the body."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.constraints import OrientationTarget, PositionTarget
from motionloom.constraints.smooth_interpolation import spread_change
from motionloom.motion import Motion, rotations

FADE = 0.5  # seconds over which the change of the root fades out


def meet_root(motion: Motion, targets: Sequence[PositionTarget | OrientationTarget], held: Sequence[int]) -> Motion:
    """Turn and move the root so that targets of its own points are met; the change fades out around them.

    Args:
        motion: to change.
        targets: of the root: its turns first, then positions of points that are fixed to it.
        held: frames in which it does not change.
    """
    turned = [target for target in targets if isinstance(target, OrientationTarget)]
    placed = [target for target in targets if isinstance(target, PositionTarget)]
    root, local = np.array(motion.root_positions, float), np.array(motion.local_rotations, float)
    turns, moves = np.zeros_like(root), np.zeros_like(root)
    for orientation in turned:
        rows = np.asarray(orientation.frames)
        turns[rows] = rotations.log(
            rotations.multiply(rotations.inverse(local[rows, 0]), np.asarray(orientation.rotation))
        )
    turns[list(held)] = 0.0
    local[:, 0] = rotations.multiply(local[:, 0], rotations.exp(_spread(motion, turns, turned, held)))
    for position in placed:
        rows = np.asarray(position.frames)
        arm = rotations.rotate(local[rows, 0], np.broadcast_to(np.asarray(position.offset, float), (len(rows), 3)))
        moves[rows] = np.asarray(position.position) - root[rows] - arm
    moves[list(held)] = 0.0
    return replace(motion, root_positions=root + _spread(motion, moves, placed, held), local_rotations=local)


def _spread(
    motion: Motion,
    change: np.ndarray,
    targets: Sequence[PositionTarget | OrientationTarget],
    held: Sequence[int],
) -> np.ndarray:
    if not targets:
        return np.zeros_like(change)
    known = np.unique(np.concatenate([np.asarray(target.frames) for target in targets] + [np.array(held, int)]))
    return spread_change(change[known], known, motion.n_frames, FADE * motion.fps)
