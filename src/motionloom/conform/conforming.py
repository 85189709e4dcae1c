"""Bringing one motion onto a reference skeleton, rate and floor."""

from dataclasses import replace

import numpy as np

from motionloom.errors import SkeletonMismatch
from motionloom.features.floor import estimate_floor
from motionloom.motion import Motion, Skeleton, resample


def conform_motion(motion: Motion, floor_height: float, skeleton: Skeleton, fps: float) -> Motion:
    """Bring a motion onto another skeleton of the same hierarchy, onto the floor at y = 0 and to another rate.

    Rotations are kept and the root's path is scaled by leg length, so steps keep their length relative to the legs. On
    the whole feet keep their height above the floor; planting each step exactly is a matter of constraints, and the
    recording's contacts say where.

    Args:
        motion: to conform.
        floor_height: metres, world: where its floor is.
        skeleton: to conform to; same joint names and parents.
        fps: frames per second.
    """
    if motion.skeleton.hierarchy_digest != skeleton.hierarchy_digest:
        raise SkeletonMismatch(f"{describe_difference(motion.skeleton, skeleton)}; retarget the motion first")
    scale = size_of(skeleton) / size_of(motion.skeleton)
    floor = np.array([0.0, floor_height, 0.0])
    scaled = replace(motion, skeleton=skeleton, root_positions=(motion.root_positions - floor) * scale)
    rest_before = (estimate_floor(motion) - floor_height) * scale
    settled = _raise(scaled, rest_before - estimate_floor(scaled))
    return settled if abs(settled.fps - fps) <= 1e-9 * fps else resample(settled, fps)


def size_of(skeleton: Skeleton) -> float:
    """The length that motions are scaled by, metres: the legs', or that of all bones where no legs are known."""
    bones = float(np.linalg.norm(skeleton.offsets[1:], axis=-1).sum())
    return skeleton.leg_length or bones or 1.0


def describe_difference(one: Skeleton, other: Skeleton) -> str:
    """Say how two hierarchies differ, naming joints."""
    missing = [joint for joint in other.names if joint not in one.names]
    strange = [joint for joint in one.names if joint not in other.names]
    parts = [f"{one.n_joints} joints against {other.n_joints}"]
    parts += [f"without {some_of(missing)}"] if missing else []
    parts += [f"with {some_of(strange)} instead"] if strange else []
    if not missing and not strange:
        parts.append("the same names in another order or tree")
    return ", ".join(parts)


def some_of(names: list[str]) -> str:
    """The first few of some names, and how many more there are."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _raise(motion: Motion, height: float) -> Motion:
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, height, 0.0]))
