"""Nearness: how near the bodies of characters come to each other, and how much bending changes the steps of one."""

from dataclasses import dataclass

import numpy as np

from motionloom.body.capsules import mould_capsules
from motionloom.constraints.bend_limits import BendLimits, Distortion, measure_distortion
from motionloom.constraints.path_deformation import DEFAULT, BentPath, average
from motionloom.features.facing import find_facing
from motionloom.motion import Motion, kinematics, rotations
from motionloom.motion.placement import direction_of, turn_ground

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


def measure_steps(before: Motion, after: Motion) -> Distortion:
    """How much the steps of a motion were changed, averaged over single steps: longer, shorter, to the side.

    Args:
        before: joined, but not yet bent.
        after: finished.
    """
    (headings, ground), (turned, bent) = (
        find_facing(motion.skeleton, kinematics.world_positions(motion)) for motion in (before, after)
    )
    turns, fps, gait = turned - headings, before.fps, DEFAULT.gait * before.fps
    own = np.diff(ground, axis=0)
    change = average(turn_ground(np.diff(bent, axis=0), -(turns[1:] + turns[:-1]) / 2) - own, gait)
    smooth = average(own, gait)
    speeds = np.linalg.norm(smooth, axis=1)
    along = np.where(speeds[:, None] > 1e-9, smooth / np.maximum(speeds, 1e-9)[:, None], direction_of(headings[:-1]))
    aside = np.column_stack([along[:, 1], -along[:, 0]])
    travel = speeds + DEFAULT.creep / fps
    strains = (change * along).sum(axis=1) / travel, (change * aside).sum(axis=1) / travel
    path = BentPath(bent, turns, *strains, np.zeros(len(own)))
    return measure_distortion(ground, headings, fps, path, before.skeleton.leg_length, BendLimits(), DEFAULT)


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
