"""Neutral poses: one pose that every skeleton can take, so that rotations relative to it mean the same on all.

The neutral pose is the T-pose, whatever pose the skeleton rests in: legs down, arms sideways, the middle of the
shoulders above that of the hips, neck and head up, feet pointing ahead at the angle to the shin that they rest with.
"""

from collections.abc import Mapping

import numpy as np

from motionloom.motion import Motion, Skeleton, hinges, rotations
from motionloom.motion.rest_pose import aim_bones, is_folded, limb_aims, upright_turn
from motionloom.motion.roles import SIDES
from motionloom.retarget.body_chains import BodyChains, find_chains, hip_joints, neck_base, shoulder_joints

UP = np.array([0.0, 1.0, 0.0])
CROWN = np.radians(40.0)  # radians from up within which something above the head joint is the top of the head
STRETCHED = np.cos(np.radians(10.0))  # of a foot's length, downwards: it is stretched along the shin
RESTING_FOOT = np.array([0.0, -0.5, 0.87])  # from ankle to ball while a foot rests flat
STRANGE = np.radians(60.0)  # by which a limb may bend otherwise than in the neutral pose
LIMB_AXES = {  # where a limb points in the neutral pose, and the axis about which it bends then
    "left_leg": (np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])),
    "right_leg": (np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])),
    "left_arm": (np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])),
    "right_arm": (np.array([-1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])),
}
POINTING = 0.3  # of the length from ankle to ball: the least that is horizontal in a foot that points somewhere


def neutral_pose(skeleton: Skeleton, bends: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
    """The (J, 4) joint-to-world rotations of a skeleton's neutral pose, upright and facing +z.

    Args:
        skeleton: J joints.
        bends: of `learn_bends`, if motions of it show more than its rest pose; None for the rest pose alone.
    """
    chains = find_chains(skeleton)
    aims = limb_aims(skeleton) | _trunk_aim(skeleton, chains) | _neck_aims(skeleton, chains)
    turned = aim_bones(skeleton, aims)
    for limb, axis in (bends or {}).items():
        turned = _twist_limb(skeleton, turned, limb, axis)
    return _point_feet(skeleton, turned)


def learn_bends(motion: Motion) -> dict[str, np.ndarray]:
    """The axes (3,), in the frame of the upper bone, about which limbs bend whose rest pose cannot tell, by limb.

    That is of all limbs where legs are folded up: a rest pose of bones that are all along one axis of their joints.
    """
    skeleton = motion.skeleton
    aims = limb_aims(skeleton)
    legs = [aims[skeleton.index(f"{side}_hip")] for side in SIDES]
    turn = upright_turn(skeleton)
    if not any(is_folded(rotations.rotate(turn, bone), down) for bone, down in legs):
        return {}
    axes = {limb: hinges.hinge_axis(skeleton, motion.local_rotations, limb) for limb in hinges.hinged_limbs(skeleton)}
    return {limb: axis for limb, axis in axes.items() if axis is not None}


def _twist_limb(skeleton: Skeleton, turned: np.ndarray, limb: str, axis: np.ndarray) -> np.ndarray:
    """The pose with a limb twisted so that it bends as people do, if it does not even nearly: knees back, elbows ahead.

    Args:
        skeleton: J joints.
        turned: (J, 4) joint to world.
        limb: of the skeleton.
        axis: (3,) about which it bends, in the frame of its upper bone.
    """
    upper, middle, _ = hinges.limb_joints(skeleton, limb)
    bone, wanted = LIMB_AXES[limb]
    own = rotations.rotate(turned[int(skeleton.parents[middle])], axis)
    angle = float(np.arctan2(np.cross(own, wanted) @ bone, own @ wanted))
    return turned if abs(angle) < STRANGE else _turn_below(skeleton, turned, upper, rotations.about_axis(bone, angle))


def _turn_below(skeleton: Skeleton, turned: np.ndarray, top: int, turn: np.ndarray) -> np.ndarray:
    below = [joint for joint in range(top, skeleton.n_joints) if top in skeleton.chain(joint)]
    turned = turned.copy()
    turned[below] = rotations.multiply(turn, turned[below])
    return turned


def _trunk_aim(skeleton: Skeleton, chains: BodyChains) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """The aim of the lowest joint of the spine that brings the middle of the shoulders above that of the hips."""
    if len(chains.spine) < 2:
        return {}
    rest, lowest = skeleton.rest_positions, chains.spine[1]
    bone = rest[list(shoulder_joints(skeleton, chains))].mean(axis=0) - rest[lowest]
    fixed = rest[lowest] - rest[list(hip_joints(skeleton))].mean(axis=0)  # turns with the hips
    aside = rotations.rotate(upright_turn(skeleton), fixed) * np.array([1.0, 0.0, 1.0])
    height = bone @ bone - aside @ aside
    return {lowest: (bone, UP * np.sqrt(height) - aside)} if height > 0 else {}


def _neck_aims(skeleton: Skeleton, chains: BodyChains) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Aims of the neck, and of the head if something shows where its top is."""
    aims: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    rest, head, base = skeleton.rest_positions, skeleton.index("head"), neck_base(skeleton, chains)
    if base is not None:
        aims[base] = (rest[head] - rest[base], UP)
    crown = _crown(skeleton, head)
    if crown is not None:
        aims[head] = (crown, UP)
    return aims


def _crown(skeleton: Skeleton, head: int) -> np.ndarray | None:
    """From the head joint to the top of the head: (3,) metres in the rest pose; None if nothing is there."""
    rest = skeleton.rest_positions
    children = np.flatnonzero(skeleton.parents == head)
    tips = [*(rest[children] - rest[head]), *skeleton.end_offsets[skeleton.end_parents == head]]
    turn = upright_turn(skeleton)
    heights = {
        number: float(rotations.rotate(turn, tip)[1] / np.linalg.norm(tip))
        for number, tip in enumerate(tips)
        if np.linalg.norm(tip) > 1e-6
    }
    best = max(heights, key=lambda number: heights[number], default=None)
    return None if best is None or heights[best] < np.cos(CROWN) else tips[best]


def _point_feet(skeleton: Skeleton, turned: np.ndarray) -> np.ndarray:
    """Turn feet about the vertical so that they point ahead, and all below the ankles with them.

    Feet that are stretched along the shin are bent as those of people who stand are.
    """
    for side in SIDES:
        if not skeleton.has(f"{side}_ball"):
            continue
        ankle, ball = skeleton.index(f"{side}_foot"), skeleton.index(f"{side}_ball")
        bone = skeleton.rest_positions[ball] - skeleton.rest_positions[ankle]
        ahead = rotations.rotate(turned[ankle], bone)
        if -ahead[1] > STRETCHED * np.linalg.norm(ahead):  # along the shin
            turned = _turn_below(skeleton, turned, ankle, rotations.between_vectors(ahead, RESTING_FOOT))
        elif np.hypot(ahead[0], ahead[2]) >= POINTING * np.linalg.norm(ahead):
            turn = rotations.about_y(-np.arctan2(ahead[0], ahead[2]))
            turned = _turn_below(skeleton, turned, ankle, turn)
    return turned
