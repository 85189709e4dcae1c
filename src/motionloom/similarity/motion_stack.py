"""Stacking: motions of one skeleton, one after the other in arrays, as measures want them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Skeleton, kinematics


@dataclass(frozen=True, eq=False)
class Stack:
    """F frames of M motions."""

    skeleton: Skeleton
    fps: float
    starts: np.ndarray  # (M + 1,) int: motion m has the frames [starts[m], starts[m + 1])
    positions: np.ndarray  # (F, J, 3) metres, world
    local_rotations: np.ndarray  # (F, J, 4) joint to parent; the root's to the world


def stack(motions: Sequence[Motion]) -> Stack:
    """Put motions of one skeleton and rate one after the other."""
    if not motions:
        raise BadInput("no motions to compare; give at least one")
    first = motions[0]
    for number, motion in enumerate(motions):
        if motion.skeleton != first.skeleton:
            raise SkeletonMismatch(
                f"motion {number} has the skeleton '{motion.skeleton.name}' of {motion.skeleton.n_joints} joints, "
                f"motion 0 has '{first.skeleton.name}' of {first.skeleton.n_joints}, and they differ; "
                f"conform the motions to one skeleton first"
            )
        if abs(motion.fps - first.fps) > 1e-6 * first.fps:
            raise BadInput(
                f"motion {number} has {motion.fps:g} frames per second, motion 0 has {first.fps:g}; resample one first"
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
