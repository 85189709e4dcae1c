"""Twist joints beside the bones of limbs, which carry skin: each takes its share of the twist of its bone."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Motion, Skeleton, rotations
from motionloom.motion.angles import wrap_angles
from motionloom.motion.hinges import hinged_limbs, limb_joints

BESIDE = 0.1  # of the bone's length: farther from it, or nearer to its beginning, a joint is another kind of helper


@dataclass(frozen=True, eq=False)
class TwistJoint:
    """A joint on a bone that nothing hangs on."""

    joint: int
    turns: int  # the joint whose twist it shares: that of the bone, or the one at its end
    axis: np.ndarray  # (3,) unit, of the bone
    share: float  # of that twist; negative to take back what is not yet twisted so near to the body


def find_twist_joints(skeleton: Skeleton) -> tuple[TwistJoint, ...]:
    """The twist joints of a skeleton: those that lie on a bone of a limb, with nothing below them.

    Along an upper arm or a thigh the twist of the shoulder or the hip comes in from the body outwards; along a forearm
    or a shank that of the hand or the foot does.
    """
    found = []
    carries = {*skeleton.parents.tolist(), *skeleton.end_parents.tolist()}
    for limb in hinged_limbs(skeleton):
        upper, middle, end = limb_joints(skeleton, limb)
        for begin, stop in ((upper, middle), (middle, end)):
            bone = skeleton.rest_positions[stop] - skeleton.rest_positions[begin]
            for joint in np.flatnonzero(skeleton.parents == begin).tolist():
                along = float(skeleton.offsets[joint] @ bone / (bone @ bone))
                beside = np.linalg.norm(skeleton.offsets[joint] - along * bone) / np.linalg.norm(bone)
                if joint in carries or not BESIDE < along < 1.0 or beside > BESIDE:
                    continue
                axis, is_upper = bone / np.linalg.norm(bone), begin == upper
                found.append(TwistJoint(joint, upper if is_upper else end, axis, along - 1.0 if is_upper else along))
    return tuple(found)


def spread_twists(motion: Motion, joints: tuple[TwistJoint, ...], neutral: np.ndarray) -> Motion:
    """The motion with its twist joints turned.

    Args:
        motion: of the skeleton of the joints.
        joints: from `find_twist_joints`.
        neutral: (J, 4) joint to world: the pose in which nothing is twisted.
    """
    if not joints:
        return motion
    skeleton, local = motion.skeleton, np.array(motion.local_rotations)
    for twist in joints:
        parent = int(skeleton.parents[twist.turns])
        rest = rotations.multiply(rotations.inverse(neutral[parent]), neutral[twist.turns])
        relative = rotations.multiply(local[:, twist.turns], rotations.inverse(rest))
        if twist.share < 0:  # about the bone below the joint, in its own frame
            relative = rotations.multiply(rotations.inverse(rest), local[:, twist.turns])
        angles = 2 * np.arctan2(relative[:, 1:] @ twist.axis, relative[:, 0])
        local[:, twist.joint] = rotations.about_axis(twist.axis, twist.share * wrap_angles(angles))
    return replace(motion, local_rotations=local)
