"""Averages of poses with velocities, and of rotations (Karcher mean)."""

from collections.abc import Sequence

import numpy as np

from motionloom.blending.moving_pose import MovingPose
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import rotations

MAX_ITERATIONS = 20  # of the mean of rotations; similar poses need two or three
TOLERANCE = 1e-13  # radians


def average_poses(poses: Sequence[MovingPose], weights: Sequence[float] | np.ndarray | None = None) -> MovingPose:
    """The mean of aligned poses, with the mean of their velocities.

    Rotations are averaged by `average_rotations`; the signs of their quaternions do not matter. Angular velocities are
    averaged in the parent's frame, which all poses share.

    Args:
        poses: N of them, of one skeleton.
        weights: (N,) not negative; None for equal ones.
    """
    shares = _shares(poses, weights)
    local = average_rotations(np.stack([pose.local_rotations for pose in poses]), shares)
    turning = np.stack([rotations.rotate(pose.local_rotations, pose.angular_velocities) for pose in poses])
    return MovingPose(
        shares @ np.stack([pose.root_position for pose in poses]),
        local,
        shares @ np.stack([pose.root_velocity for pose in poses]),
        rotations.rotate(rotations.inverse(local), np.einsum("n,njc->jc", shares, turning)),
    )


def average_rotations(q: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The (..., 4) rotations with the smallest weighted sum of squared angles to (N, ..., 4) others (Karcher mean).

    Starts at the quaternion mean by eigenvectors, which does not depend on signs, and descends to the mean of angles:
    of two rotations it is exactly their midpoint.
    """
    shares = np.asarray(weights, float) / np.sum(weights)
    mean = rotations.mean(q, shares)
    for _ in range(MAX_ITERATIONS):
        steps = rotations.log(rotations.multiply(rotations.inverse(mean), q))  # (N, ..., 3)
        step = np.einsum("n,n...c->...c", shares, steps)
        mean = rotations.normalize(rotations.multiply(mean, rotations.exp(step)))
        if np.abs(step).max(initial=0.0) < TOLERANCE:
            break
    return mean


def _shares(poses: Sequence[MovingPose], weights: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """(N,) weights that sum to 1."""
    if not poses:
        raise BadInput("no poses to average; give at least one")
    if len({pose.n_joints for pose in poses}) > 1:
        raise SkeletonMismatch(
            f"poses have {', '.join(str(pose.n_joints) for pose in poses)} joints; average poses of one skeleton"
        )
    broken = [number for number, pose in enumerate(poses) if not pose.is_finite]
    if broken:
        raise BadInput(f"pose {broken[0]} has values that are not finite; leave it out")
    shares = np.ones(len(poses)) if weights is None else np.asarray(weights, float)
    if shares.shape != (len(poses),) or not (np.isfinite(shares) & (shares >= 0)).all() or not shares.sum() > 0:
        raise BadInput(f"weights {shares} for {len(poses)} poses; expected one for each, not negative and not all 0")
    return shares / shares.sum()
