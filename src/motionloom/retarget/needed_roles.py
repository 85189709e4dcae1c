"""Needed roles: which skeletons a motion can be carried between, and what is missing where it cannot."""

from collections import defaultdict

import numpy as np

from motionloom.errors import SkeletonMismatch
from motionloom.motion import Skeleton
from motionloom.motion.roles import SIDES, find_namesakes, find_roles

NEEDED = ("hips", "head", *(f"{side}_{role}" for side in SIDES for role in ("hip", "knee", "foot")))
FOUND_BY_SHAPE = ("spine", "chest")  # their joints are those between hips and neck, whatever has the role
SHORTEST = 1e-3  # metres: a shorter leg has no direction
CHAINS = tuple((f"{side}_hip", f"{side}_knee", f"{side}_foot") for side in SIDES)


def check_retargetable(source: Skeleton, target: Skeleton) -> None:
    """Raise `SkeletonMismatch`, in one sentence, unless a motion of one skeleton can be carried to the other.

    Both need hips, a head and two legs of hip, knee and foot, each role a joint of its own; arms, neck, spine,
    clavicles and balls of the feet are carried where both have them.
    """
    for skeleton, whose in ((source, "the motion's skeleton"), (target, "the skeleton to retarget to")):
        problem = _missing(skeleton) or _doubled(skeleton) or _broken(skeleton)
        problem = problem or _too_short(skeleton) or _sideless(skeleton)
        if problem:
            raise SkeletonMismatch(f"{whose} '{skeleton.name}' {problem}")


def _missing(skeleton: Skeleton) -> str:
    missing = [role for role in NEEDED if not skeleton.has(role)]
    if not missing:
        return ""
    no_legs = not any(role.endswith(("_hip", "_knee", "_foot")) for role in skeleton.roles)
    what = "has no legs" if no_legs else f"has no joint for {', '.join(missing)}"
    return f"{what} (roles found: {', '.join(sorted(skeleton.roles)) or 'none'}); assign roles, or choose another one"


def _doubled(skeleton: Skeleton) -> str:
    """Two roles in one joint, or two joints whose names say that they have the same role."""
    by_name = find_roles(skeleton.names, skeleton.parents)
    for role in NEEDED:
        alike = find_namesakes(skeleton.names, skeleton.roles[role])
        if len(alike) > 1 and by_name.get(role) == skeleton.roles[role]:
            return f"has two joints in the role {role}, '{alike[0]}' and '{alike[1]}'; rename or remove one of them"
    roles_of = defaultdict(list)
    for role, joint in skeleton.roles.items():
        if role not in FOUND_BY_SHAPE:
            roles_of[joint].append(role)
    shared = next(((joint, roles) for joint, roles in roles_of.items() if len(roles) > 1), None)
    if shared is None:
        return ""
    return f"has the joint '{shared[0]}' in the roles {' and '.join(shared[1])}; give each role a joint of its own"


def _broken(skeleton: Skeleton) -> str:
    for chain in CHAINS:
        for upper, lower in zip(chain, chain[1:]):
            if skeleton.index(upper) not in skeleton.chain(skeleton.index(lower))[:-1]:
                return (
                    f"has '{skeleton.roles[lower]}' ({lower}) not below '{skeleton.roles[upper]}' ({upper}); "
                    "correct its roles"
                )
    return ""


def _too_short(skeleton: Skeleton) -> str:
    for side in SIDES:
        for lower, upper in (("knee", "hip"), ("foot", "knee")):
            if np.linalg.norm(skeleton.bone(f"{side}_{lower}", f"{side}_{upper}")) < SHORTEST:
                return f"has a leg of zero length from {side}_{upper} to {side}_{lower}; correct its offsets or roles"
    return ""


def _sideless(skeleton: Skeleton) -> str:
    """Hips, in the rest pose, that are one above the other: nobody knows which way the body faces."""
    rest = skeleton.rest_positions
    left, right, head = (rest[skeleton.index(role)] for role in ("left_hip", "right_hip", "head"))
    up = head - (left + right) / 2
    if np.linalg.norm(np.cross(left - right, up)) >= SHORTEST * np.linalg.norm(up):
        return ""
    return (
        "has hips and head in one line in its rest pose, so that nobody knows which way it faces; give it a rest pose "
        "with hips beside each other"
    )
