"""Packed frames: a motion as one array, as in files and bulk arrays.

A row is the root's position in metres, then the local rotation of every joint, wxyz: (..., 3 + 4 J).
"""

import numpy as np

from motionloom.motion.motion import Motion
from motionloom.motion.skeleton import Skeleton


def packed_width(n_joints: int) -> int:
    """Number of values in a row."""
    return 3 + 4 * n_joints


def pack_frames(motion: Motion) -> np.ndarray:
    """(F, 3 + 4 J) float32: the frames of a motion."""
    return pack_arrays(motion.root_positions, motion.local_rotations)


def pack_arrays(root_positions: np.ndarray, local_rotations: np.ndarray) -> np.ndarray:
    """(..., 3 + 4 J) float32: frames of (..., 3) root positions and (..., J, 4) local rotations."""
    frames = np.empty((*root_positions.shape[:-1], packed_width(local_rotations.shape[-2])), np.float32)
    packed_roots(frames)[:] = root_positions
    packed_rotations(frames)[:] = local_rotations
    return frames


def unpack_frames(frames: np.ndarray, skeleton: Skeleton, fps: float) -> Motion:
    """The motion of (F, 3 + 4 J) frames, as float64."""
    roots, rotations = (np.array(part, dtype=float) for part in (packed_roots(frames), packed_rotations(frames)))
    return Motion(skeleton, roots, rotations, fps)


def packed_roots(frames: np.ndarray) -> np.ndarray:
    """(..., 3) metres: the root's positions in (..., 3 + 4 J) frames."""
    return frames[..., :3]


def packed_root_transforms(frames: np.ndarray) -> np.ndarray:
    """(..., 7): the root's position in metres and its rotation, wxyz, in (..., 3 + 4 J) frames; a view of them."""
    return frames[..., : packed_width(1)]


def packed_rotations(frames: np.ndarray) -> np.ndarray:
    """(..., J, 4): the local rotations in (..., 3 + 4 J) frames."""
    rotations = frames[..., 3:]
    return rotations.reshape(*rotations.shape[:-1], rotations.shape[-1] // 4, 4)
