"""Trajectory: centres, headings and direction of a motion and the floor under it, for placing the camera."""

from dataclasses import dataclass

import numpy as np

from motionloom import body
from motionloom.motion import Motion, PointMotion, kinematics

SHORT_WAY = 0.8  # metres: shorter displacements count as standing
N_LOOKED_AT = 48  # frames sampled for the floor


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Where a motion goes, for placing the camera and drawing plans."""

    centres: np.ndarray  # (F, 3) metres, of the figure
    headings: np.ndarray  # (F,) radians, of the figure
    direction: float  # radians, the main heading of travel, or of the figure if it stands
    floor: float  # metres, the height of the ground


def find_trajectory(
    motion: Motion | PointMotion, floor: float | None = None, neutral: body.NeutralPose | None = None
) -> Trajectory:
    """The trajectory of a motion; the floor is estimated if it is not given."""
    centres, headings = find_centres(motion), find_headings(motion)
    floor = find_floor(motion, neutral) if floor is None else floor
    return Trajectory(centres, headings, find_direction(centres, headings), floor)


def find_floor(motion: Motion | PointMotion, neutral: body.NeutralPose | None = None) -> float:
    """Estimate the height of the ground in metres: a percentile of the lowest vertex of the body."""
    frames = np.unique(np.linspace(0, motion.n_frames - 1, N_LOOKED_AT).astype(int))
    if isinstance(motion, PointMotion):
        heights = motion.positions[frames][..., 1]
        seen = np.isfinite(heights).any(axis=1)
        return float(np.percentile(np.nanmin(heights[seen], axis=1), 10)) if seen.any() else 0.0
    skin = body.build_for(motion, neutral)
    positions, turned = kinematics.forward(
        motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames]
    )
    return float(np.percentile(body.skin(skin, positions, turned)[..., 1].min(axis=1), 20))


def find_centres(motion: Motion | PointMotion) -> np.ndarray:
    """The centre of the figure in each frame, (F, 3) metres: the hips, or the centroid of the visible points."""
    if isinstance(motion, Motion):
        hips = motion.skeleton.index("hips") if motion.skeleton.has("hips") else 0
        return np.asarray(kinematics.world_positions(motion)[:, hips], float)
    seen = np.isfinite(motion.positions).all(axis=-1)
    count = seen.sum(axis=1)
    sums = np.where(seen[..., None], motion.positions, 0.0).sum(axis=1)
    frames = np.flatnonzero(count)
    if not len(frames):
        return np.zeros((motion.n_frames, 3))
    centres = sums[frames] / count[frames, None]
    return np.stack([np.interp(np.arange(motion.n_frames), frames, centres[:, c]) for c in range(3)], axis=-1)


def find_headings(motion: Motion | PointMotion) -> np.ndarray:
    """The heading of the figure in each frame, (F,) radians, unwrapped; 0 for points and skeletons without sides."""
    if isinstance(motion, PointMotion):
        return np.zeros(motion.n_frames)
    for role in ("hip", "shoulder"):
        if motion.skeleton.has(f"left_{role}", f"right_{role}"):
            positions = kinematics.world_positions(motion)
            joints = (motion.skeleton.index(f"left_{role}"), motion.skeleton.index(f"right_{role}"))
            left = np.asarray(positions[:, joints[0]] - positions[:, joints[1]], float)
            return np.unwrap(np.arctan2(-left[:, 2], left[:, 0]))
    return np.zeros(motion.n_frames)


def find_direction(centres: np.ndarray, headings: np.ndarray) -> float:
    """The main heading of travel in radians, or of the figure if it stands."""
    way = centres[-1, [0, 2]] - centres[0, [0, 2]]
    facing = np.array([np.sin(headings).mean(), np.cos(headings).mean()])
    if np.linalg.norm(way) > SHORT_WAY:
        return float(np.arctan2(way[0], way[1]))
    return float(np.arctan2(facing[0], facing[1])) if np.linalg.norm(facing) > 0.05 else float(headings[0])
