"""Conforming a motion to a reference skeleton, a frame rate and the floor y = 0."""

from dataclasses import replace

import numpy as np

from motionloom.constraints.footplants import LEG_ROLES, plant_feet
from motionloom.constraints.overstretch import correct_overstretch
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.feet import POINTS
from motionloom.features.floor import check_floor, estimate_floor
from motionloom.motion import Footing, Motion, Skeleton, check_motion, resample
from motionloom.motion.arrays import check_rate


def conform_motion(
    motion: Motion,
    floor_height: float,
    skeleton: Skeleton,
    fps: float,
    *,
    contacts: np.ndarray | None = None,
    footing: Footing | None = None,
) -> Motion:
    """Conform a motion to another skeleton of the same hierarchy, to the floor y = 0 and to another frame rate.

    Rotations are kept and root positions are scaled by leg length, so steps keep their length relative to the legs.
    Different proportions still cause foot skate and penetration: if the recording's contacts are given, feet are
    planted again, unless the skeleton is the motion's own, which needs no clean-up. Knees and elbows that the recording
    has beyond straight are brought back.

    Args:
        motion: to conform.
        floor_height: metres, world; of the motion.
        skeleton: to conform to; same joint names and parents.
        fps: frames per second.
        contacts: (F, 4) bool, heels and balls that rest in the frames of the motion; None for no foot-skate clean-up.
        footing: what they rest on besides the floor, from `conform_footing`; None for nothing.
    """
    motion = check_motion(motion)
    check_floor(floor_height)
    check_rate(fps)
    if motion.skeleton.hierarchy_digest != skeleton.hierarchy_digest:
        raise SkeletonMismatch(f"{describe_difference(motion.skeleton, skeleton)}; retarget the motion first")
    settled = correct_overstretch(_settle(motion, floor_height, skeleton)).motion
    conformed = settled if abs(settled.fps - fps) <= 1e-9 * fps else resample(settled, fps)
    if contacts is None or motion.skeleton == skeleton:
        return conformed
    return plant_again(conformed, _contacts_at(motion, conformed, contacts), footing)


def conform_footing(footing: Footing, motion: Motion, floor_height: float, skeleton: Skeleton, fps: float) -> Footing:
    """What the feet of the conformed motion stand on: arguments as in `conform_motion`.

    Supports are scaled as the steps are, so that they stay under the feet.
    """
    if footing.is_flat:
        return Footing()
    scale = size_of(skeleton) / size_of(motion.skeleton)
    settled = _settle(motion, floor_height, skeleton)
    lift = float(settled.root_positions[0, 1] - (motion.root_positions[0, 1] - floor_height) * scale)
    return _at_rate(footing.raised(-floor_height).scaled(scale).raised(lift), fps / motion.fps)


def plant_again(motion: Motion, contacts: np.ndarray, footing: Footing | None = None) -> Motion:
    """Plant the feet of a motion on the floor y = 0 or its footing; feet without a full leg are left unchanged."""
    has_leg = [motion.skeleton.has(*(f"{point.split('_')[0]}_{role}" for role in LEG_ROLES)) for point in POINTS]
    contacts = contacts & np.array(has_leg)
    return plant_feet(motion, contacts, footing=footing).motion if contacts.any() else motion


def nearest_frames(motion: Motion, conformed: Motion) -> tuple[np.ndarray, np.ndarray]:
    """The source frame of each frame of a conformed motion: (F,) fractional, and (F,) rounded to the nearest."""
    frames = np.arange(conformed.n_frames) * (motion.fps / conformed.fps)
    return frames, np.minimum(np.round(frames).astype(int), motion.n_frames - 1)


def size_of(skeleton: Skeleton) -> float:
    """The length that root positions are scaled by, metres: of a leg, or of all bones if the legs are unknown."""
    bones = float(np.linalg.norm(skeleton.offsets[1:], axis=-1).sum())
    return skeleton.leg_length or bones or 1.0


def describe_difference(skeleton: Skeleton, expected: Skeleton) -> str:
    """Describe how two hierarchies differ, with joint names."""
    missing = [joint for joint in expected.names if joint not in skeleton.names]
    unexpected = [joint for joint in skeleton.names if joint not in expected.names]
    parts = [f"{skeleton.n_joints} joints, expected {expected.n_joints}"]
    parts += [f"missing: {some_of(missing)}"] if missing else []
    parts += [f"unexpected: {some_of(unexpected)}"] if unexpected else []
    if not missing and not unexpected:
        parts.append("the same names in another order or hierarchy")
    return ", ".join(parts)


def some_of(names: list[str]) -> str:
    """The first five of a list of names, and how many more there are."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _contacts_at(motion: Motion, conformed: Motion, contacts: np.ndarray) -> np.ndarray:
    if np.shape(contacts) != (motion.n_frames, len(POINTS)):
        raise BadInput(f"contacts have shape {np.shape(contacts)}, expected {(motion.n_frames, len(POINTS))}")
    return np.asarray(contacts, bool)[nearest_frames(motion, conformed)[1]]


def _settle(motion: Motion, floor_height: float, skeleton: Skeleton) -> Motion:
    """The motion on another skeleton, its steps scaled by leg length, with its feet as high as they were."""
    scale = size_of(skeleton) / size_of(motion.skeleton)
    floor = np.array([0.0, floor_height, 0.0])
    scaled = replace(motion, skeleton=skeleton, root_positions=(motion.root_positions - floor) * scale)
    rest_before = (estimate_floor(motion) - floor_height) * scale
    return _raise(scaled, rest_before - estimate_floor(scaled))


def _at_rate(footing: Footing, ratio: float) -> Footing:
    """A footing at another frame rate: supports begin and end at the same time."""
    supports = (
        replace(support, start=round(support.start * ratio), stop=max(round(support.stop * ratio), 1))
        for support in footing.supports
        if round(support.start * ratio) < max(round(support.stop * ratio), 1)
    )
    return replace(footing, supports=tuple(supports))


def _raise(motion: Motion, height: float) -> Motion:
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, height, 0.0]))
