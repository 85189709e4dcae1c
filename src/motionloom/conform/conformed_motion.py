"""Conforming a motion to a reference skeleton, a frame rate and the floor y = 0."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.footplants import LEG_ROLES, plant_feet
from motionloom.constraints.overstretch import correct_overstretch
from motionloom.errors import BadInput
from motionloom.features.feet import POINTS
from motionloom.features.floor import check_floor, estimate_floor
from motionloom.motion import Footing, Motion, Skeleton, check_motion, resample
from motionloom.motion.arrays import check_rate
from motionloom.retarget import retarget_motion


@dataclass(frozen=True, eq=False)
class Conformed:
    """A motion on another skeleton, at another rate, on the floor y = 0, and what its feet stand on."""

    motion: Motion
    footing: Footing


def conform_motion(
    motion: Motion,
    floor_height: float,
    skeleton: Skeleton,
    fps: float,
    *,
    contacts: np.ndarray | None = None,
    footing: Footing | None = None,
) -> Motion:
    """Conform a motion to another skeleton, to the floor y = 0 and to another frame rate; arguments as in `conform`."""
    return conform(motion, floor_height, skeleton, fps, contacts=contacts, footing=footing).motion


def conform(
    motion: Motion,
    floor_height: float,
    skeleton: Skeleton,
    fps: float,
    *,
    contacts: np.ndarray | None = None,
    footing: Footing | None = None,
) -> Conformed:
    """Conform a motion to another skeleton, to the floor y = 0 and to another frame rate.

    In the same hierarchy rotations are kept and root positions are scaled by leg length, so steps keep their length
    relative to the legs; a motion of another hierarchy is retargeted. Different proportions cause foot skate and
    penetration: if the recording's contacts are given, feet are planted again, unless the skeleton is the motion's own,
    which needs no clean-up. Knees and elbows that the recording has beyond straight are brought back. What feet stand
    on is scaled as the steps are, so that it stays under them.

    Args:
        motion: to conform.
        floor_height: metres, world; of the motion.
        skeleton: to conform to.
        fps: frames per second.
        contacts: (F, 4) bool, heels and balls that rest in the frames of the motion; None for no foot-skate clean-up.
        footing: what they rest on besides the floor, in the frames of the motion; None for nothing.
    """
    motion = check_motion(motion)
    check_floor(floor_height)
    check_rate(fps)
    if motion.skeleton.hierarchy_digest != skeleton.hierarchy_digest:
        return _retarget(motion, floor_height, skeleton, fps, contacts, footing or Footing())
    carried = _conform_footing(footing or Footing(), motion, floor_height, skeleton, fps)
    settled = correct_overstretch(_settle(motion, floor_height, skeleton)).motion
    conformed = _at_rate(settled, fps)
    if contacts is None or motion.skeleton == skeleton:
        return Conformed(conformed, carried)
    return Conformed(plant_again(conformed, _contacts_at(motion, conformed, contacts), carried), carried)


def _retarget(
    motion: Motion,
    floor_height: float,
    skeleton: Skeleton,
    fps: float,
    contacts: np.ndarray | None,
    footing: Footing,
) -> Conformed:
    """Conform a motion of another hierarchy: at the rate of the view, so that feet are planted in its frames."""
    shown = _at_rate(_raise(motion, -floor_height), fps)
    rests = None if contacts is None else _contacts_at(motion, shown, contacts)
    under = _footing_at_rate(footing.raised(-floor_height), fps / motion.fps)
    made = retarget_motion(shown, skeleton, contacts=rests, footing=under)
    return Conformed(made.motion, made.footing)


def _conform_footing(footing: Footing, motion: Motion, floor_height: float, skeleton: Skeleton, fps: float) -> Footing:
    """What the feet of a motion conformed in its hierarchy stand on."""
    if footing.is_flat:
        return Footing()
    scale = size_of(skeleton) / size_of(motion.skeleton)
    settled = _settle(motion, floor_height, skeleton)
    lift = float(settled.root_positions[0, 1] - (motion.root_positions[0, 1] - floor_height) * scale)
    return _footing_at_rate(footing.raised(-floor_height).scaled(scale).raised(lift), fps / motion.fps)


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


def _at_rate(motion: Motion, fps: float) -> Motion:
    return motion if abs(motion.fps - fps) <= 1e-9 * fps else resample(motion, fps)


def _footing_at_rate(footing: Footing, ratio: float) -> Footing:
    """A footing at another frame rate: supports begin and end at the same time."""
    supports = (
        replace(support, start=round(support.start * ratio), stop=max(round(support.stop * ratio), 1))
        for support in footing.supports
        if round(support.start * ratio) < max(round(support.stop * ratio), 1)
    )
    return replace(footing, supports=tuple(supports))


def _raise(motion: Motion, height: float) -> Motion:
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, height, 0.0]))
