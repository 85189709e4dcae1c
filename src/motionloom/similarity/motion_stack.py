"""Stack: motions of one skeleton concatenated in arrays, the input of measures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Skeleton, kinematics


@dataclass(frozen=True, eq=False)
class Stack:
    """F frames of M concatenated motions."""

    skeleton: Skeleton
    fps: float
    starts: np.ndarray  # (M + 1,) int: motion m has the frames [starts[m], starts[m + 1])
    positions: np.ndarray  # (F, J, 3) metres, world
    local_rotations: np.ndarray  # (F, J, 4) joint to parent; the root's to the world


def stack(motions: Sequence[Motion]) -> Stack:
    """Concatenate motions of one skeleton and frame rate."""
    if not motions:
        raise BadInput("no motions to compare; give at least one")
    first = motions[0]
    for number, motion in enumerate(motions):
        if motion.skeleton != first.skeleton:
            raise SkeletonMismatch(
                f"skeleton '{motion.skeleton.name}' of motion {number} ({motion.skeleton.n_joints} joints) differs "
                f"from '{first.skeleton.name}' of motion 0 ({first.skeleton.n_joints}); conform the motions first"
            )
        if abs(motion.fps - first.fps) > 1e-6 * first.fps:
            raise BadInput(
                f"frame rate {motion.fps:g} fps of motion {number} differs from {first.fps:g} fps of motion 0; "
                "resample one first"
            )
        if motion.n_frames == 0:
            raise BadInput(f"motion {number} has no frames; leave it out")
    return Stack(
        skeleton=first.skeleton,
        fps=first.fps,
        starts=np.cumsum([0, *[motion.n_frames for motion in motions]]),
        positions=np.concatenate([kinematics.world_positions(motion) for motion in motions]),
        local_rotations=np.concatenate([motion.local_rotations for motion in motions]),
    )
