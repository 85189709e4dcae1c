"""Bringing one motion onto a reference skeleton, rate and floor."""

from dataclasses import replace

import numpy as np

from motionloom.constraints.footplants import LEG_ROLES, plant_feet
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.feet import POINTS
from motionloom.features.floor import check_floor, estimate_floor
from motionloom.motion import Motion, Skeleton, check_motion, resample
from motionloom.motion.arrays import check_rate


def conform_motion(
    motion: Motion, floor_height: float, skeleton: Skeleton, fps: float, *, contacts: np.ndarray | None = None
) -> Motion:
    """Bring a motion onto another skeleton of the same hierarchy, onto the floor at y = 0 and to another rate.

    Rotations are kept and the root's path is scaled by leg length, so steps keep their length relative to the legs.
    Other proportions make feet slide and sink even so: where the recording's contacts are given, feet are planted again
    on a skeleton that is not the motion's own. A motion on its own skeleton stays as it was recorded.

    Args:
        motion: to conform.
        floor_height: metres, world: where its floor is.
        skeleton: to conform to; same joint names and parents.
        fps: frames per second.
        contacts: (F, 4) bool, heels and balls that rest in the frames of the motion; None to leave feet as they fall.
    """
    motion = check_motion(motion)
    check_floor(floor_height)
    check_rate(fps)
    if motion.skeleton.hierarchy_digest != skeleton.hierarchy_digest:
        raise SkeletonMismatch(f"{describe_difference(motion.skeleton, skeleton)}; retarget the motion first")
    scale = size_of(skeleton) / size_of(motion.skeleton)
    floor = np.array([0.0, floor_height, 0.0])
    scaled = replace(motion, skeleton=skeleton, root_positions=(motion.root_positions - floor) * scale)
    rest_before = (estimate_floor(motion) - floor_height) * scale
    settled = _raise(scaled, rest_before - estimate_floor(scaled))
    conformed = settled if abs(settled.fps - fps) <= 1e-9 * fps else resample(settled, fps)
    if contacts is None or motion.skeleton == skeleton:
        return conformed
    return plant_again(conformed, _contacts_at(motion, conformed, contacts))


def plant_again(motion: Motion, contacts: np.ndarray) -> Motion:
    """Plant the feet of a motion on the floor at y = 0; feet that hang on no leg are left as they are."""
    has_leg = [motion.skeleton.has(*(f"{point.split('_')[0]}_{role}" for role in LEG_ROLES)) for point in POINTS]
    contacts = contacts & np.array(has_leg)
    return plant_feet(motion, contacts).motion if contacts.any() else motion


def nearest_frames(motion: Motion, conformed: Motion) -> tuple[np.ndarray, np.ndarray]:
    """The frames of a motion that its conformed copy shows: (F,) fractional, and the nearest whole ones."""
    frames = np.arange(conformed.n_frames) * (motion.fps / conformed.fps)
    return frames, np.minimum(np.round(frames).astype(int), motion.n_frames - 1)


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


def _contacts_at(motion: Motion, conformed: Motion, contacts: np.ndarray) -> np.ndarray:
    if np.shape(contacts) != (motion.n_frames, len(POINTS)):
        raise BadInput(f"contacts {np.shape(contacts)}; this motion needs {(motion.n_frames, len(POINTS))}")
    return np.asarray(contacts, bool)[nearest_frames(motion, conformed)[1]]


def _raise(motion: Motion, height: float) -> Motion:
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, height, 0.0]))
