"""Appendages: fingers, toes, jaws and other joints without a role, below joints that have partners."""

import re
from collections.abc import Mapping

import numpy as np

from motionloom.motion import Skeleton
from motionloom.motion.roles import SIDES

BELOW = ("head", *(f"{side}_{role}" for side in SIDES for role in ("hand", "ball", "foot")))
FINGERS = {  # words in names of joints
    "thumb": "thumb",
    "index": "index",
    "middle": "middle",
    "ring": "ring",
    "pinky": "little",
    "little": "little",
}

_Share = tuple[int, int, float]


def match_appendages(source: Skeleton, target: Skeleton, partners: Mapping[int, int]) -> dict[int, _Share]:
    """Match what hangs below hands, feet and head: all of it where both have the same shape, else fingers by name.

    Args:
        source: of the motions.
        target: to retarget to.
        partners: joints of the target -> those of the source, that are matched already.

    Returns:
        Joint of the target -> its partner, as a share of a joint map.
    """
    shares: dict[int, _Share] = {}
    for role in BELOW:
        if not (source.has(role) and target.has(role)):
            continue
        tops = target.index(role), source.index(role)
        ours = _below(target, tops[0], set(partners) | set(shares))
        theirs = _below(source, tops[1], set(partners.values()))
        if _shape(target, ours, tops[0]) == _shape(source, theirs, tops[1]):
            shares |= {joint: (other, other, 0.0) for joint, other in zip(ours, theirs)}
        elif role.endswith("_hand"):
            shares |= _match_fingers(_fingers(target, ours), _fingers(source, theirs))
    return shares


def _match_fingers(ours: Mapping[str, list[int]], theirs: Mapping[str, list[int]]) -> dict[int, _Share]:
    """Joints of fingers of the same name, counted from the knuckles; tips beyond them stay at rest."""
    pairs = [
        (joint, other) for finger in ours if finger in theirs for joint, other in zip(ours[finger], theirs[finger])
    ]
    return {joint: (other, other, 0.0) for joint, other in pairs}


def _fingers(skeleton: Skeleton, joints: list[int]) -> dict[str, list[int]]:
    """The joints of each finger from its knuckle to its tip, by what their names say; bones in the palm are none."""
    fingers: dict[str, list[int]] = {}
    for joint in joints:
        name = skeleton.names[joint].lower()
        words = re.findall("|".join(FINGERS), name)
        if words and "carpal" not in name:
            fingers.setdefault(FINGERS[words[-1]], []).append(joint)
    return fingers


def _below(skeleton: Skeleton, top: int, taken: set[int]) -> list[int]:
    """The joints below one that nobody has taken, nor anything between; parents first."""
    found: list[int] = []
    for joint in range(top + 1, skeleton.n_joints):
        parent = int(skeleton.parents[joint])
        if joint not in taken and (parent == top or parent in found):
            found.append(joint)
    return found


def _shape(skeleton: Skeleton, joints: list[int], top: int) -> list[int]:
    """Places of the parents in the list of joints, -1 for the top one."""
    order = {top: -1} | {joint: number for number, joint in enumerate(joints)}
    return [order[int(parent)] for parent in np.asarray(skeleton.parents)[joints]]
