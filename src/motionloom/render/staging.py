"""Staging: where the floor is, which way a motion goes, and from where it is seen best."""

import numpy as np

from motionloom import body
from motionloom.motion import Motion, PointMotion, kinematics

N_LOOKED_AT = 48  # frames that are enough to tell where the floor is


def find_floor(motion: Motion | PointMotion) -> float:
    """Guess the height of the ground, metres: where the lowest part of the body mostly is."""
    frames = np.unique(np.linspace(0, motion.n_frames - 1, N_LOOKED_AT).astype(int))
    if isinstance(motion, PointMotion):
        heights = motion.positions[frames][..., 1]
        seen = np.isfinite(heights).any(axis=1)
        return float(np.percentile(np.nanmin(heights[seen], axis=1), 10)) if seen.any() else 0.0
    skin = body.build(motion.skeleton)
    positions, turned = kinematics.forward(
        motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames]
    )
    return float(np.percentile(body.skin(skin, positions, turned)[..., 1].min(axis=1), 20))


def find_centres(motion: Motion | PointMotion) -> np.ndarray:
    """Where the figure is in each frame, (F, 3) metres: the root, or the middle of the points that are seen."""
    if isinstance(motion, Motion):
        return np.asarray(motion.root_positions, float)
    seen = np.isfinite(motion.positions).all(axis=-1)
    count = seen.sum(axis=1)
    sums = np.where(seen[..., None], motion.positions, 0.0).sum(axis=1)
    frames = np.flatnonzero(count)
    if not len(frames):
        return np.zeros((motion.n_frames, 3))
    centres = sums[frames] / count[frames, None]
    return np.stack([np.interp(np.arange(motion.n_frames), frames, centres[:, c]) for c in range(3)], axis=-1)


def find_headings(motion: Motion | PointMotion) -> np.ndarray:
    """Which way the figure faces in each frame, (F,) radians, unwrapped; 0 for points and skeletons without sides."""
    if isinstance(motion, PointMotion):
        return np.zeros(motion.n_frames)
    for role in ("hip", "shoulder"):
        if motion.skeleton.has(f"left_{role}", f"right_{role}"):
            positions = kinematics.world_positions(motion)
            joints = (motion.skeleton.index(f"left_{role}"), motion.skeleton.index(f"right_{role}"))
            left = np.asarray(positions[:, joints[0]] - positions[:, joints[1]], float)
            return np.unwrap(np.arctan2(-left[:, 2], left[:, 0]))
    return np.zeros(motion.n_frames)


def find_direction(motion: Motion | PointMotion) -> float:
    """The heading, radians, that a motion mostly goes to, or looks to if it stays where it is."""
    centres = find_centres(motion)[:, [0, 2]]
    way = centres[-1] - centres[0]
    headings = find_headings(motion)
    facing = np.array([np.sin(headings).mean(), np.cos(headings).mean()])
    if np.linalg.norm(way) > 0.8:
        return float(np.arctan2(way[0], way[1]))
    return float(np.arctan2(facing[0], facing[1])) if np.linalg.norm(facing) > 0.05 else float(headings[0])
