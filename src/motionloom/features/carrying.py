"""Carrying: the frames in which a foot could bear the weight of the body above the floor.

A foot that hangs, kicks or is held up is often as still as one that stands. What tells them apart is the body: with
both feet off the floor and nothing else on it, a body that does not fall stands on something, and the foot below it
is what it stands on.
"""

from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import SIDES
from motionloom.features.velocities import accelerations
from motionloom.motion import Motion, Skeleton, kinematics

GRAVITY = 9.81  # metres per second squared
_NOT_ON_FLOOR = ("hips", "head", "left_hand", "right_hand", "left_elbow", "right_elbow", "left_knee", "right_knee")


@dataclass(frozen=True)
class CarryingSettings:
    """What a body looks like that a foot carries. Lengths are relative to the length of the leg."""

    fall: float = 0.6  # of gravity: a body that accelerates downwards by more is not carried
    body_clear: float = 0.2  # a hand, knee, hip or head lower than this above the floor may carry the body
    shin: float = 0.5  # of the shin's length: least height of the knee above the ankle
    crouched: float = 0.4  # least height of the hip above the ankle
    beside: float = 0.6  # farthest horizontal distance of the hips from the ankle


DEFAULT = CarryingSettings()


@dataclass(frozen=True, eq=False)
class Posture:
    """The legs of a body, seen from its feet."""

    leg: float  # metres from hip to ankle along the bones
    drops: np.ndarray  # (F, 2) metres from the hip down to the ankle, left and right; NaN without that foot
    below: np.ndarray  # (F, 2) bool: the foot is below the body, as one that stands is
    held: np.ndarray  # (F,) bool: the body does not fall, and no other part of it is on the floor
    hips: np.ndarray  # (F, 3) metres, world: where the body is


def find_posture(motion: Motion, floor_height: float, settings: CarryingSettings = DEFAULT) -> Posture:
    """Find out in which frames each foot could carry the body.

    Args:
        motion: of a skeleton with feet; what else it lacks is not asked for.
        floor_height: metres, world.
        settings: thresholds.
    """
    skeleton, positions = motion.skeleton, kinematics.world_positions(motion)
    leg = _leg_length(skeleton, positions)
    drops, below = np.full((motion.n_frames, 2), np.nan), np.zeros((motion.n_frames, 2), bool)
    hips = positions[:, skeleton.index("hips")] if skeleton.has("hips") else positions[:, 0]
    for number, side in enumerate(SIDES):
        if skeleton.has(f"{side}_foot"):
            ankle = positions[:, skeleton.index(f"{side}_foot")]
            hip = positions[:, skeleton.index(f"{side}_hip")] if skeleton.has(f"{side}_hip") else hips
            drops[:, number] = hip[:, 1] - ankle[:, 1]
            beside = np.linalg.norm((hips - ankle)[:, [0, 2]], axis=-1)
            below[:, number] = (drops[:, number] > settings.crouched * leg) & (beside < settings.beside * leg)
            below[:, number] &= _shin_stands(skeleton, positions, side, settings)
    held = ~_falls(skeleton, positions, motion.fps, settings) & ~_lies(skeleton, positions, floor_height, leg, settings)
    return Posture(leg, drops, below, held, hips)


def _leg_length(skeleton: Skeleton, positions: np.ndarray) -> float:
    """Metres; without full legs, the farthest that a foot gets from the hips."""
    if skeleton.leg_length > 0:
        return float(skeleton.leg_length)
    feet = [skeleton.index(f"{side}_foot") for side in SIDES if skeleton.has(f"{side}_foot")]
    if not feet:
        return 1.0
    return max(float(np.linalg.norm(positions[:, feet] - positions[:, :1], axis=-1).max()), 1e-3)


def _shin_stands(skeleton: Skeleton, positions: np.ndarray, side: str, settings: CarryingSettings) -> np.ndarray:
    """(F,) bool: the knee is well above the ankle; true without a knee."""
    if not skeleton.has(f"{side}_knee"):
        return np.ones(len(positions), bool)
    shin = positions[:, skeleton.index(f"{side}_knee")] - positions[:, skeleton.index(f"{side}_foot")]
    return np.asarray(shin[:, 1] > settings.shin * np.linalg.norm(shin, axis=-1))


def _falls(skeleton: Skeleton, positions: np.ndarray, fps: float, settings: CarryingSettings) -> np.ndarray:
    """(F,) bool: the trunk, which is half of the body's mass, accelerates downwards almost as freely as it could."""
    ends = [f"{side}_{joint}" for side in SIDES for joint in ("hip", "shoulder")]
    joints = [skeleton.index(role) for role in ends if skeleton.has(role)] or [0]
    return accelerations(positions[:, joints].mean(axis=1), fps)[:, 1] < -settings.fall * GRAVITY


def _lies(
    skeleton: Skeleton, positions: np.ndarray, floor_height: float, leg: float, settings: CarryingSettings
) -> np.ndarray:
    """(F,) bool: a part of the body other than a foot is as low as the floor, and may lie, sit, kneel or lean on it."""
    joints = [skeleton.index(role) for role in _NOT_ON_FLOOR if skeleton.has(role)]
    return np.asarray((positions[:, joints, 1] - floor_height < settings.body_clear * leg).any(axis=1))
