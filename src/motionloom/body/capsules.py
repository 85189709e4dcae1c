"""The shapes of a skeleton without joint roles: a tapered capsule along every bone."""

import numpy as np

from motionloom.body.shapes import Moulding, Shapes
from motionloom.motion import Skeleton


def mould_capsules(skeleton: Skeleton) -> Shapes:
    """A capsule along every bone of the rest pose; a sphere for a skeleton without bones."""
    bones = find_bones(skeleton)
    extent = float(np.ptp(np.array([end for _, *ends in bones for end in ends] + [np.zeros(3)]), axis=0).max())
    moulding = Moulding()
    moulding.begin_group(0.006 * max(extent, 0.2))
    if not bones:
        moulding.add(0, np.zeros(3), np.zeros(3), 0.1)
    for joint, start, stop in bones:
        radius = float(np.clip(0.14 * np.linalg.norm(stop - start), 0.014 * extent, 0.04 * extent))
        moulding.add(joint, start, stop, 1.1 * radius, 0.8 * radius)
    return moulding.finish(blend=0.006 * max(extent, 0.2))


def find_bones(skeleton: Skeleton) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Every bone with a length: the joint that rotates it, and its ends in the rest pose, (3,) metres."""
    at = skeleton.rest_positions
    bones = [(int(skeleton.parents[j]), at[skeleton.parents[j]], at[j]) for j in range(1, skeleton.n_joints)]
    bones += [(int(j), at[j], at[j] + offset) for j, offset in zip(skeleton.end_parents, skeleton.end_offsets)]
    longest = max((float(np.linalg.norm(stop - start)) for _, start, stop in bones), default=0.0)
    return [bone for bone in bones if np.linalg.norm(bone[2] - bone[1]) > max(1e-6, 0.01 * longest)]
