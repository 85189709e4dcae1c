"""Nearness: how near the bodies of characters come to each other."""

from dataclasses import dataclass

import numpy as np

from motionloom.body.capsules import mould_capsules
from motionloom.motion import Motion, kinematics, rotations

CHUNK = 64  # frames at a time


@dataclass(frozen=True)
class Nearest:
    """The frame in which two bodies are nearest."""

    distance: float  # metres between their surfaces; negative where they are in each other
    frame: int


def find_nearest(first: Motion, second: Motion) -> Nearest | None:
    """Where the capsules around the bones of two bodies come nearest; None where they are never there together.

    Args:
        first: motion.
        second: motion, on the same clock.
    """
    n_frames = min(first.n_frames, second.n_frames)
    found: Nearest | None = None
    for start in range(0, n_frames, CHUNK):
        frames = slice(start, min(start + CHUNK, n_frames))
        ends = [_capsules(motion, frames) for motion in (first, second)]
        gaps = segment_distances(*(part[:2] for part in ends))  # (F, A, B)
        gaps = gaps - ends[0][2][:, None] - ends[1][2]
        each = gaps.min(axis=(1, 2))
        if found is None or each.min() < found.distance:
            found = Nearest(float(each.min()), start + int(each.argmin()))
    return found


def segment_distances(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """(F, A, B) metres between A and B line segments.

    Args:
        first: (F, A, 3) starts and (F, A, 3) ends.
        second: (F, B, 3) starts and (F, B, 3) ends.
    """
    start, along = first[0][:, :, None], (first[1] - first[0])[:, :, None]
    other, beside = second[0][:, None], (second[1] - second[0])[:, None]
    between = start - other
    a, b, e = ((u * v).sum(-1) for u, v in ((along, along), (along, beside), (beside, beside)))
    c, f = (along * between).sum(-1), (beside * between).sum(-1)
    a, e, cross = np.maximum(a, 1e-12), np.maximum(e, 1e-12), a * e - b * b
    s = np.where(cross > 1e-12, np.clip((b * f - c * e) / np.maximum(cross, 1e-12), 0.0, 1.0), 0.0)
    t = np.clip((b * s + f) / e, 0.0, 1.0)
    s = np.clip((b * t - c) / a, 0.0, 1.0)
    return np.asarray(np.linalg.norm(between + s[..., None] * along - t[..., None] * beside, axis=-1))


def _capsules(motion: Motion, frames: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(F, A, 3) starts and ends, metres, world, and (A,) radii of the capsules of a body."""
    shapes, rest = mould_capsules(motion.skeleton), motion.skeleton.rest_positions
    positions, turned = kinematics.forward(
        motion.skeleton, motion.root_positions[frames], motion.local_rotations[frames]
    )
    radii = np.maximum(shapes.start_radii, shapes.stop_radii)
    return (
        *(
            _carried(shapes.joints, ends - rest[shapes.joints], positions, turned)
            for ends in (shapes.starts, shapes.stops)
        ),
        radii,
    )


def _carried(joints: np.ndarray, offsets: np.ndarray, positions: np.ndarray, turned: np.ndarray) -> np.ndarray:
    own = np.broadcast_to(offsets, (len(positions), *offsets.shape))
    return np.asarray(positions[:, joints] + rotations.rotate(turned[:, joints], own))
