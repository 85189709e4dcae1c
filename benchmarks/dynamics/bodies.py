"""Bodies of other proportions: the skeleton of a recording with longer or shorter legs and arms."""

from dataclasses import replace

import numpy as np

from motionloom.motion import Skeleton

SIDES = ("left", "right")


def with_limbs(skeleton: Skeleton, legs: float = 1.0, arms: float = 1.0) -> Skeleton:
    """A skeleton whose bones below hips and shoulders are so many times as long, feet and hands among them."""
    factors = np.ones(skeleton.n_joints)
    for limb, factor in (("hip", legs), ("shoulder", arms)):
        tops = {skeleton.index(f"{side}_{limb}") for side in SIDES}
        factors[[joint for joint in range(skeleton.n_joints) if tops & set(skeleton.chain(joint))]] = factor
    ends = factors[skeleton.end_parents][:, None]
    above = factors[np.maximum(skeleton.parents, 0)][:, None]  # a bone belongs to the joint above it
    return replace(skeleton, offsets=skeleton.offsets * above, end_offsets=skeleton.end_offsets * ends)
