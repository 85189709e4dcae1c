"""Neutral poses: one pose that every skeleton can take, so that rotations relative to it mean the same on all.

The neutral pose is the T-pose, whatever pose the skeleton rests in: legs down, arms sideways, the middle of the
shoulders above that of the hips, neck and head up, feet pointing ahead at the angle to the shin that they rest with.
"""

import numpy as np

from motionloom.motion import Skeleton, rotations
from motionloom.motion.rest_pose import aim_bones, limb_aims, upright_turn
from motionloom.motion.roles import SIDES
from motionloom.retarget.body_chains import BodyChains, find_chains, hip_joints, neck_base, shoulder_joints

UP = np.array([0.0, 1.0, 0.0])
CROWN = np.radians(40.0)  # radians from up within which something above the head joint is the top of the head
POINTING = 0.3  # of the length from ankle to ball: the least that is horizontal in a foot that points somewhere


def neutral_pose(skeleton: Skeleton) -> np.ndarray:
    """The (J, 4) joint-to-world rotations of a skeleton's neutral pose, upright and facing +z."""
    chains = find_chains(skeleton)
    aims = limb_aims(skeleton) | _trunk_aim(skeleton, chains) | _neck_aims(skeleton, chains)
    return _point_feet(skeleton, aim_bones(skeleton, aims))


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
    """Turn feet about the vertical so that they point ahead, and all below the ankles with them."""
    turned = turned.copy()
    for side in SIDES:
        if not skeleton.has(f"{side}_ball"):
            continue
        ankle, ball = skeleton.index(f"{side}_foot"), skeleton.index(f"{side}_ball")
        bone = skeleton.rest_positions[ball] - skeleton.rest_positions[ankle]
        ahead = rotations.rotate(turned[ankle], bone)
        if np.hypot(ahead[0], ahead[2]) < POINTING * np.linalg.norm(ahead):
            continue
        turn = rotations.about_y(-np.arctan2(ahead[0], ahead[2]))
        below = [joint for joint in range(ankle, skeleton.n_joints) if ankle in skeleton.chain(joint)]
        turned[below] = rotations.multiply(turn, turned[below])
    return turned
