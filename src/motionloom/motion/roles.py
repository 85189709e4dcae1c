"""Joint roles (left foot, chest, ...), recognised by the joint names of common capture systems and animation tools."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

SIDES = ("left", "right")
LIMB_ROLES = ("hip", "knee", "foot", "ball", "clavicle", "shoulder", "elbow", "hand")
ROLES = ("hips", "spine", "chest", "neck", "head") + tuple(f"{side}_{limb}" for side in SIDES for limb in LIMB_ROLES)

# Names without side, leading zeros and punctuation; the first that is present wins. "shoulder" and "leg" are different
# joints in different naming schemes, so unambiguous names come first, and the others are tried for what is left.
_CENTRE_NAMES: Mapping[str, tuple[str, ...]] = {
    "hips": ("hips", "pelvis", "hip", "root", "bip1", "bip01"),
    "spine": ("spine", "spine1", "abdomen", "ab", "lowerback", "l5", "torso", "waist", "chest"),
    "chest": ("spine3", "spine2", "upperchest", "thorax", "t8")
    + ("chest4", "chest3", "chest2", "chest", "spine1", "upperback", "spine"),
    "neck": ("neck", "neck1", "neck0", "lowerneck", "upperneck", "necktwist1"),
    "head": ("head",),
}
# Rigify numbers one chain from the hips to the head.
_NUMBERED_NAMES: Mapping[str, tuple[str, ...]] = {
    "hips": ("spine",),
    "spine": ("spine1",),
    "chest": ("spine3",),
    "neck": ("spine4",),
    "head": ("spine6",),
}
_LIMB_NAMES: Mapping[str, tuple[str, ...]] = {
    "hip": ("upleg", "thigh", "femur", "upperleg", "upperleg1", "thighbend", "hip"),
    "knee": ("knee", "calf", "shin", "tibia", "lowleg", "lowerleg", "lowerleg1", "leg"),
    "foot": ("ankle", "foot"),
    "ball": ("toebase", "toe", "ball", "toes", "toe0", "toe1", "foot"),  # a foot below an ankle is the ball
    "clavicle": ("clavicle", "collar", "collarbone", "scapula", "shoulder"),
    "shoulder": ("upperarm", "humerus", "uparm", "uarm", "arm", "shldr") + ("upperarm1", "shldrbend", "shoulder"),
    "elbow": ("elbow", "forearm", "lowerarm", "radius", "lowarm", "farm", "lowerarm1", "forearmbend"),
    "hand": ("wrist", "hand"),
}
_CHAINS = (("hip", "knee", "foot", "ball"), ("shoulder", "elbow", "hand"))


def find_roles(names: Sequence[str], parents: np.ndarray) -> dict[str, str]:
    """The joint of each role, by name; roles without a joint are left out."""
    parts = [_split_side(name) for name in _without_shared_prefix(names)]
    centre = {base for side, base in parts if side == ""}
    is_numbered = "spine6" in centre and "head" not in centre
    roles: dict[str, str] = {}
    for role, words in (_NUMBERED_NAMES if is_numbered else _CENTRE_NAMES).items():
        for word in words:
            hits = [
                n for n, (side, base) in zip(names, parts) if side == "" and base == word and n not in roles.values()
            ]
            if hits:
                roles[role] = hits[0]
                break
    if "hips" not in roles:
        roles["hips"] = names[0]
    for side in SIDES:
        for limb, joint in _find_limbs(names, parts, side).items():
            roles[f"{side}_{limb}"] = joint
        _drop_broken_chains(roles, side, list(names), parents)
    return roles


def find_namesakes(names: Sequence[str], joint: str) -> list[str]:
    """The joints whose names mean the same as that of a joint, itself included: 'LeftFoot' and 'foot_l'."""
    parts = [_split_side(name) for name in _without_shared_prefix(names)]
    own = parts[list(names).index(joint)]
    return [name for name, part in zip(names, parts) if part == own]


def pair_sides(names: Sequence[str]) -> np.ndarray:
    """(J,) int: for each joint its counterpart of the same name on the other side, or itself."""
    parts = [_split_side(name, keep_case=True) for name in _without_shared_prefix(names)]
    keys = {part: i for i, part in enumerate(parts)}
    other = {"left": "right", "right": "left", "": ""}
    return np.array([keys.get((other[side], base), i) for i, (side, base) in enumerate(parts)])


def _without_shared_prefix(names: Sequence[str]) -> list[str]:
    """Names without their common prefix, such as a subject's name: 'Anna_LFoot' -> 'LFoot'."""
    first, last = min(names), max(names)  # their common prefix is that of all names
    n_shared = next((i for i, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last)))
    shared = re.sub(r"[^:_ .|-]*$", "", first[:n_shared])  # up to a separator
    if len(names) < 2 or _plain(shared, False) in ("l", "r", *SIDES):
        return list(names)
    return [name[len(shared) :] or name for name in names]


def _find_limbs(names: Sequence[str], parts: list[tuple[str, str]], side: str) -> dict[str, str]:
    of_side = {base: name for name, (s, base) in reversed(list(zip(names, parts))) if s == side}
    found: dict[str, str] = {}
    # shoulders before clavicles: "LeftShoulder" is the clavicle only where another joint is the shoulder
    for limb in ("hip", "knee", "foot", "ball", "shoulder", "elbow", "hand", "clavicle"):
        for word in _LIMB_NAMES[limb]:
            if word in of_side and of_side[word] not in found.values():
                found[limb] = of_side[word]
                break
    return found


def _drop_broken_chains(roles: dict[str, str], side: str, names: list[str], parents: np.ndarray) -> None:
    """Remove roles that contradict the hierarchy: a knee that is not a descendant of its hip was misnamed."""
    for chain in _CHAINS:
        present = [f"{side}_{limb}" for limb in chain if f"{side}_{limb}" in roles]
        for upper, lower in zip(present, present[1:]):
            ancestor, joint = names.index(roles[upper]), names.index(roles[lower])
            while joint > ancestor:
                joint = int(parents[joint])
            if joint != ancestor:
                roles.pop(lower)
                break


# what tools write before all names, around those of the middle, and after all names
_DECORATION = re.compile(
    r"^(mixamorig\d*|character\d*_|(valvebiped\.)?bip\d+[ _]|def-|j_bip_(c_)?|cc_base_)|[ _.-](jnt|joint|bone|bind|m)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)  # the same names occur in many skeletons
def _split_side(name: str, keep_case: bool = False) -> tuple[str, str]:
    """'mixamorig:LeftUpLeg' -> ('left', 'upleg'); 'thigh_l' -> ('left', 'thigh'); 'Spine' -> ('', 'spine')."""
    name = name.split(":")[-1]
    name = _DECORATION.sub("", name) or name
    for side in SIDES:
        letter, capital = side[0], side[0].upper()
        patterns = (
            rf"^{side}[ _.-]?(?=[A-Za-z])|[ _.-]?{side}$",  # LeftFoot, foot_left
            rf"^{letter}[ _.-](?=[a-z])|[ _.-]{letter}$",  # l_foot, foot.L
            rf"[ _.-]{letter}(?=[ _.-]\d+$)",  # thigh.L.001, a second joint of the thigh
        )
        for pattern in patterns:
            base, hits = re.subn(pattern, "", name, flags=re.IGNORECASE)
            if hits and base:
                return side, _plain(base, keep_case)
        # lFoot, LHipJoint, LThumb, and all-lower-case names of ASF files: lfemur
        if re.match(rf"^[{letter}{capital}](?=[A-Z])", name):
            return side, _plain(name[1:], keep_case)
        if re.match(rf"^{letter}({_LOWER_WORDS})", name):
            return side, _plain(name[1:], keep_case)
    return "", _plain(name, keep_case)


_LOWER_WORDS = "|".join(
    ["hipjoint", "femur", "tibia", "foot", "toe", "clavicle", "humerus", "radius", "wrist", "hand", "finger", "thumb"]
    + [
        "hip",
        "knee",
        "ankle",
        "thigh",
        "shin",
        "shoulder",
        "shldr",
        "elbow",
        "collar",
        "forearm",
        "upleg",
        "leg",
        "arm",
    ]
)


def _plain(base: str, keep_case: bool) -> str:
    if keep_case:
        return base
    base = re.sub(r"[^a-z0-9]", "", base.lower())
    return re.sub(r"0+(?=\d)", "", base)
