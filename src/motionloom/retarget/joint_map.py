"""Joint maps: which rotations of a source body each joint of a target body takes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.motion import Skeleton, rotations
from motionloom.motion.hinges import hinged_limbs, limb_joints
from motionloom.motion.roles import SIDES
from motionloom.retarget.appendages import match_appendages
from motionloom.retarget.body_chains import (
    BodyChains,
    arc_places,
    find_chains,
    hip_joints,
    neck_base,
    shoulder_joints,
)
from motionloom.retarget.needed_roles import check_retargetable
from motionloom.retarget.neutral_pose import neutral_pose
from motionloom.retarget.sizes import size_ratio
from motionloom.retarget.twist_joints import TwistJoint, find_twist_joints

REST, CARRIED, HEADING = 0, 1, 2  # a joint stays at rest, takes rotations of the source, or the heading of its hips

LYING = np.radians(40.0)  # a rest pose that leans farther is none of a standing body

_Share = tuple[int, int, float]  # two joints of the source, and the weight of the second


@dataclass(frozen=True, eq=False)
class RetargetMap:
    """Everything about retargeting that depends on the two skeletons alone; good for many motions."""

    source: Skeleton
    target: Skeleton
    kinds: np.ndarray  # (J,) int8: REST, CARRIED or HEADING, of each joint of the target
    firsts: np.ndarray  # (J,) int: the joint of the source whose rotation it takes
    seconds: np.ndarray  # (J,) int: another one, mixed in
    weights: np.ndarray  # (J,) of the other one, 0 to 1
    first_turns: np.ndarray  # (J, 4) from the target's joint to the source's, in the neutral pose
    second_turns: np.ndarray  # (J, 4)
    trunk: np.ndarray  # (J,) bool: joints that are swung so that the trunk has the direction of the source's
    neck: np.ndarray  # (J,) bool: joints that are swung so that the neck has the direction of the source's
    ends: np.ndarray  # (2, 6) int: left and right hip, left and right shoulder, neck and head, of source and target
    spine_base: int  # the lowest joint of the target's spine; -1 if none swings
    chest: int  # of the target
    hips: int  # of the source
    from_neutral: np.ndarray  # (4,) from the neutral pose to the frame of the source's hips
    neutral: np.ndarray  # (J, 4) joint to world: the target's neutral pose, level above the hips
    source_neutral: np.ndarray  # (J', 4) joint to world: the source's neutral pose
    ratio: float  # length of the target's legs, relative to the source's
    twist_joints: tuple[TwistJoint, ...]  # of the target, that have no partner

    @property
    def is_same(self) -> bool:
        """Whether both skeletons are the same."""
        return self.source == self.target


def plan_retarget(source: Skeleton, target: Skeleton, bends: Mapping[str, np.ndarray] | None = None) -> RetargetMap:
    """Match the joints of two skeletons by their roles, and learn how their neutral poses differ.

    Args:
        source: of the motions to retarget.
        target: to retarget to.
        bends: of the limbs of the source, from `learn_bends`; None where its rest pose tells.
    """
    check_retargetable(source, target)
    ours, theirs = find_chains(target), find_chains(source)
    shares = _share_all(source) if _same_shape(source, target) else _share_by_roles(source, target, theirs, ours)
    kinds = np.full(target.n_joints, REST, np.int8)
    firsts, seconds = np.zeros(target.n_joints, int), np.zeros(target.n_joints, int)
    weights = np.zeros(target.n_joints)
    for joint, (first, second, weight) in shares.items():
        kinds[joint], firsts[joint], seconds[joint], weights[joint] = CARRIED, first, second, weight
    above = [joint for joint in ours.above if joint not in shares]
    kinds[above], firsts[above] = HEADING, theirs.hips
    before, after = neutral_pose(source, bends), neutral_pose(target)
    trunk, neck = _swung(source, target, theirs, ours)
    return RetargetMap(
        source,
        target,
        kinds,
        firsts,
        seconds,
        weights,
        rotations.multiply(rotations.inverse(before[firsts]), after),
        rotations.multiply(rotations.inverse(before[seconds]), after),
        trunk,
        neck,
        np.stack([_ends(source, theirs), _ends(target, ours)]),
        ours.spine[1] if trunk.any() else -1,
        ours.chest,
        theirs.hips,
        rotations.inverse(before[theirs.hips]),
        _level(after, ours.above),
        before,
        size_ratio(source, target),
        tuple(each for each in find_twist_joints(target) if kinds[each.joint] == REST),
    )


def _level(neutral: np.ndarray, above: tuple[int, ...]) -> np.ndarray:
    """The neutral pose with the joints above the hips level as they rest, unless the rest pose lies on its side."""
    neutral = neutral.copy()
    for joint in above:
        swing, twist = rotations.split_swing_twist(neutral[joint], np.array([0.0, 1.0, 0.0]))
        neutral[joint] = twist if rotations.angle(swing) < LYING else neutral[joint]
    return neutral


def _same_shape(source: Skeleton, target: Skeleton) -> bool:
    """Whether two skeletons differ in names and offsets at most."""
    if not np.array_equal(source.parents, target.parents):
        return False
    return {role: source.index(role) for role in source.roles} == {role: target.index(role) for role in target.roles}


def _share_all(source: Skeleton) -> dict[int, _Share]:
    return {joint: (joint, joint, 0.0) for joint in range(source.n_joints)}


def _share_by_roles(source: Skeleton, target: Skeleton, theirs: BodyChains, ours: BodyChains) -> dict[int, _Share]:
    shares = _spread(source, target, theirs.spine, ours.spine)
    shares |= _spread(source, target, theirs.neck, ours.neck)
    for side, joints in ours.clavicles.items():
        shares |= _spread_clavicles(theirs, side, joints, ours.chest)
    for side in SIDES:
        for role in ("hip", "knee", "foot", "ball", "shoulder", "elbow", "hand"):
            if source.has(f"{side}_{role}") and target.has(f"{side}_{role}"):
                shares[target.index(f"{side}_{role}")] = _alone(source.index(f"{side}_{role}"))
    shares |= _share_inner(source, target)
    return shares | match_appendages(source, target, {joint: share[0] for joint, share in shares.items()})


def _alone(joint: int) -> _Share:
    return joint, joint, 0.0


def _spread(source: Skeleton, target: Skeleton, chain: tuple[int, ...], onto: tuple[int, ...]) -> dict[int, _Share]:
    """Spread the rotations of a chain over another one by arc length; the ends take those of the ends."""
    if len(chain) == len(onto):
        return {joint: _alone(other) for joint, other in zip(onto, chain)}
    if len(onto) == 1:
        return {onto[0]: _alone(chain[0])}
    knots, places = arc_places(source, chain), arc_places(target, onto)
    return {joint: _between(chain, knots, place) for joint, place in zip(onto, places)}


def _between(chain: tuple[int, ...], knots: np.ndarray, place: float) -> _Share:
    """The rotations of a chain on both sides of a place, and the weight of the second."""
    if len(chain) == 1 or place >= 1.0:
        return _alone(chain[-1])
    upper = int(np.clip(np.searchsorted(knots, place, side="right"), 1, len(chain) - 1))
    gap = knots[upper] - knots[upper - 1]
    weight = (place - knots[upper - 1]) / gap if gap > 1e-9 else 1.0
    return chain[upper - 1], chain[upper], float(np.clip(weight, 0.0, 1.0))


def _spread_clavicles(theirs: BodyChains, side: str, onto: tuple[int, ...], chest: int) -> dict[int, _Share]:
    """Clavicles take their rotations from those of the source; without any they go with the chest."""
    chain = (theirs.chest, *theirs.clavicles.get(side, ()))
    knots = np.linspace(0.0, 1.0, len(chain))
    return {joint: _between(chain, knots, number / len(onto)) for number, joint in enumerate(onto, start=1)}


def _share_inner(source: Skeleton, target: Skeleton) -> dict[int, _Share]:
    """Bones with joints inside: as many on both are partners; else the bone takes the last one's, with its twist."""
    shares: dict[int, _Share] = {}
    for limb in set(hinged_limbs(source)) & set(hinged_limbs(target)):
        ours, theirs = limb_joints(target, limb), limb_joints(source, limb)
        for upper, lower, other_upper, other_lower in zip(ours, ours[1:], theirs, theirs[1:]):
            inside, other_inside = _inside(target, upper, lower), _inside(source, other_upper, other_lower)
            if len(inside) == len(other_inside):
                shares |= {joint: _alone(other) for joint, other in zip(inside, other_inside)}
            elif other_inside:
                shares[upper] = _alone(other_inside[-1])
    return shares


def _inside(skeleton: Skeleton, upper: int, lower: int) -> list[int]:
    chain = skeleton.chain(lower)
    return chain[chain.index(upper) + 1 : -1]


def _swung(source: Skeleton, target: Skeleton, theirs: BodyChains, ours: BodyChains) -> tuple[np.ndarray, np.ndarray]:
    """(J,) bool twice: the joints between hips and chest, and those of the neck below the head."""
    trunk, neck = np.zeros(target.n_joints, bool), np.zeros(target.n_joints, bool)
    if 1 < len(theirs.spine) != len(ours.spine):
        trunk[list(ours.spine[1:-1])] = True
    base = neck_base(target, ours)
    if base is not None and neck_base(source, theirs) is not None:
        neck[list(ours.neck[ours.neck.index(base) : -1])] = True
    return trunk, neck


def _ends(skeleton: Skeleton, chains: BodyChains) -> np.ndarray:
    head, base = chains.neck[-1], neck_base(skeleton, chains)
    return np.array([*hip_joints(skeleton), *shoulder_joints(skeleton, chains), head if base is None else base, head])
