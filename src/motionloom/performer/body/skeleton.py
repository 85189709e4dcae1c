"""The performer's body: bones of an average adult, and where they weigh."""

from functools import cache

import numpy as np

from motionloom.motion import Skeleton

THIGH, SHIN, ANKLE = 0.425, 0.405, 0.08  # metres; the ankle's height above the floor with the foot flat
HIP_DROP = 0.065  # metres from the hips joint down to the hip joints
HIP_HALF_WIDTH = 0.092  # metres from the middle to each hip joint
LEG = THIGH + SHIN
BALL_REACH, BALL_DROP, TOE_REACH = 0.13, 0.07, 0.07  # metres: ankle to ball forwards and down, ball to toe tip
UPPER_ARM, FOREARM = 0.285, 0.25
GRIP = np.array([0.09, -0.02, 0.0])  # metres from the left wrist to the middle of the palm, in the hand's frame
STANDING_HEIGHT = ANKLE + 0.992 * LEG + HIP_DROP  # metres from the floor to the hips, knees a little bent
SEAT_TO_HIPS = 0.11  # metres from the top of a seat up to the hips joint of a sitting body

_CENTRE = (
    ("Hips", "", (0.0, 0.0, 0.0)),
    ("Spine", "Hips", (0.0, 0.09, -0.01)),
    ("Chest", "Spine", (0.0, 0.13, -0.01)),
    ("UpperChest", "Chest", (0.0, 0.13, 0.0)),
    ("Neck", "UpperChest", (0.0, 0.17, -0.005)),
    ("Head", "Neck", (0.0, 0.10, 0.02)),
)
_LEFT = (
    ("Clavicle", "UpperChest", (0.03, 0.115, 0.015)),
    ("UpperArm", "LeftClavicle", (0.145, 0.0, -0.025)),
    ("Forearm", "LeftUpperArm", (UPPER_ARM, 0.0, 0.0)),
    ("Hand", "LeftForearm", (FOREARM, 0.0, 0.0)),
    ("Fingers", "LeftHand", (0.085, 0.0, 0.0)),
    ("Thigh", "Hips", (HIP_HALF_WIDTH, -HIP_DROP, 0.0)),
    ("Shin", "LeftThigh", (0.0, -THIGH, 0.0)),
    ("Foot", "LeftShin", (0.0, -SHIN, 0.0)),
    ("Toes", "LeftFoot", (0.0, -BALL_DROP, BALL_REACH)),
)
_ENDS = (("Head", (0.0, 0.19, 0.0)), ("LeftFingers", (0.09, 0.0, 0.0)), ("LeftToes", (0.0, 0.0, TOE_REACH)))

# Part of the body's weight that lies at the middle of the bone from the first joint to the second.
_WEIGHTS = (
    ("Hips", "Spine", 0.13),
    ("Spine", "Chest", 0.13),
    ("Chest", "Neck", 0.22),
    ("Head", "Head", 0.08),
    ("LeftUpperArm", "LeftForearm", 0.027),
    ("LeftForearm", "LeftHand", 0.016),
    ("LeftHand", "LeftFingers", 0.006),
    ("LeftThigh", "LeftShin", 0.11),
    ("LeftShin", "LeftFoot", 0.0465),
    ("LeftFoot", "LeftToes", 0.0145),
)


@cache
def build_skeleton() -> Skeleton:
    """The performer's skeleton: 24 joints, resting in a T that faces +z."""
    flip = np.array([-1.0, 1.0, 1.0])
    rows = [(name, parent, np.array(offset)) for name, parent, offset in _CENTRE]
    for side, sign in (("Left", np.ones(3)), ("Right", flip)):
        rows += [(side + name, parent.replace("Left", side), sign * offset) for name, parent, offset in _LEFT]
    names = [name for name, _, _ in rows]
    ends = [(joint, np.array(offset)) for joint, offset in _ENDS]
    ends += [(joint.replace("Left", "Right"), flip * offset) for joint, offset in ends if joint.startswith("Left")]
    return Skeleton(
        names=tuple(names),
        parents=np.array([names.index(parent) if parent else -1 for _, parent, _ in rows]),
        offsets=np.array([offset for _, _, offset in rows]),
        end_parents=np.array([names.index(joint) for joint, _ in ends]),
        end_offsets=np.array([offset for _, offset in ends]),
        name="performer",
    )


def centre_of_mass(positions: np.ndarray) -> np.ndarray:
    """The centre of mass, (..., 3) metres, from (..., J, 3) joint positions of the performer's skeleton."""
    skeleton = build_skeleton()
    total = np.zeros(positions[..., 0, :].shape)
    for start, end, part in _WEIGHTS:
        for side in ("Left", "Right") if start.startswith("Left") else ("Left",):
            pair = [skeleton.index(joint.replace("Left", side)) for joint in (start, end)]
            total = total + part * (positions[..., pair[0], :] + positions[..., pair[1], :]) / 2
    return total
