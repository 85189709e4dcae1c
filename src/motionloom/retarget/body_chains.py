"""Chains of a body: spine, neck and clavicles, however many joints a skeleton has for them."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Skeleton
from motionloom.motion.roles import SIDES


@dataclass(frozen=True)
class BodyChains:
    """Joints of a body by their place in it; chains include both ends."""

    above: tuple[int, ...]  # joints above the hips, from the root down
    hips: int
    spine: tuple[int, ...]  # from the hips to the chest; the hips alone if the arms and the head begin there
    neck: tuple[int, ...]  # from the chest to the head
    clavicles: dict[str, tuple[int, ...]]  # side -> joints between chest and shoulder, without those

    @property
    def chest(self) -> int:
        return self.spine[-1]


def find_chains(skeleton: Skeleton) -> BodyChains:
    """The chains of a skeleton with hips and head: the chest is where the arms branch off, whatever it is called."""
    to_head = skeleton.chain(skeleton.index("head"))
    hips = _find_hips(skeleton, to_head)
    chest = _find_chest(skeleton, to_head, hips)
    spine = tuple(to_head[to_head.index(hips) : to_head.index(chest) + 1])
    neck = tuple(to_head[to_head.index(chest) :])
    clavicles = {}
    for side in SIDES:
        if skeleton.has(f"{side}_shoulder"):
            chain = skeleton.chain(skeleton.index(f"{side}_shoulder"))
            clavicles[side] = tuple(chain[chain.index(chest) + 1 : -1]) if chest in chain else ()
    return BodyChains(tuple(skeleton.chain(hips)[:-1]), hips, spine, neck, clavicles)


def neck_base(skeleton: Skeleton, chains: BodyChains) -> int | None:
    """The joint from which the neck points to the head; None if the head is on the chest."""
    inner = chains.neck[1:-1]
    if skeleton.has("neck") and skeleton.index("neck") in inner:
        return skeleton.index("neck")
    return inner[0] if inner else None


def shoulder_joints(skeleton: Skeleton, chains: BodyChains) -> tuple[int, int]:
    """The joints whose middle is the upper end of the trunk: the shoulders, or twice what the neck begins with."""
    if skeleton.has("left_shoulder", "right_shoulder"):
        return skeleton.index("left_shoulder"), skeleton.index("right_shoulder")
    top = neck_base(skeleton, chains)
    top = chains.neck[-1] if top is None else top
    return top, top


def hip_joints(skeleton: Skeleton) -> tuple[int, int]:
    """The joints whose middle is the lower end of the trunk."""
    return skeleton.index("left_hip"), skeleton.index("right_hip")


def arc_places(skeleton: Skeleton, chain: tuple[int, ...]) -> np.ndarray:
    """Where along a chain the rotation of each of its joints is, from 0 to 1.

    A joint turns the bone below it, so its place is the middle of that bone; the ends are at 0 and 1.
    """
    lengths = np.linalg.norm(skeleton.offsets[list(chain[1:])], axis=-1)  # (n - 1,) of the bones
    if lengths.sum() < 1e-9:
        return np.linspace(0.0, 1.0, len(chain))
    begins = np.concatenate([[0.0], np.cumsum(lengths)])
    places = begins + np.concatenate([lengths / 2, [0.0]])
    places[0] = 0.0
    return np.asarray(places / begins[-1])


def _find_hips(skeleton: Skeleton, to_head: list[int]) -> int:
    """The joint that carries spine and legs: the hips, or the one above, where a pelvis carries the legs alone."""
    hips = skeleton.index("hips")
    legs = [skeleton.chain(joint) for joint in hip_joints(skeleton)]
    carries = [joint for joint in to_head if all(joint in leg for leg in legs)]
    return hips if hips in carries else carries[-1]


def _find_chest(skeleton: Skeleton, to_head: list[int], hips: int) -> int:
    """The last joint on the way to the head that carries both arms; without arms, the one with the role."""
    below_hips = to_head[to_head.index(hips) :]
    if skeleton.has("left_shoulder", "right_shoulder"):
        arms = [skeleton.chain(skeleton.index(f"{side}_shoulder")) for side in SIDES]
        return next((joint for joint in below_hips[-2::-1] if all(joint in arm for arm in arms)), hips)
    for role in ("chest", "spine"):
        if skeleton.has(role) and skeleton.index(role) in below_hips[:-1]:
            return skeleton.index(role)
    return hips
