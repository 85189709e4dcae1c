"""Reach: how high a point of the body can be; what is asked of higher ones is missed, instead of bodies that fly."""

import numpy as np

from motionloom.methods.dynamics.demands.body_setting import BodySetting
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.methods.dynamics.demands.setting import Setting
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Skeleton

USUAL = 4.0  # deviations of the height of the root above its mean
LEAP = 0.1  # metres beyond these


def is_fixed_to_root(skeleton: Skeleton, spot: Spot) -> bool:
    """Whether a point moves with the root alone: of the root itself, or where a joint is that is fixed to it."""
    return spot.joint == 0 or (spot.is_position and not any(spot.offset) and bool(skeleton.parents[spot.joint] == 0))


def is_fixed(setting: Setting, spot: Spot) -> bool:
    """Whether a point moves with the root of a body alone."""
    return isinstance(setting, BodySetting) and is_fixed_to_root(setting.codec.skeleton, spot)


def is_of_root(skeleton: Skeleton, demand: Demand) -> bool:
    """Whether only the root can meet a demand: it is about the root, or where a joint is that is fixed to it."""
    fixed = bool(demand.spots) and all(is_fixed_to_root(skeleton, spot) for spot in demand.spots)
    return demand.joints == {0} or fixed


def held_distance(setting: Setting, one: Spot, other: Spot) -> float | None:
    """Metres between two points of a body that no joint moves against each other; None if some joint does."""
    return rigid_distance(setting.model.skeleton, one, other) if isinstance(setting, BodySetting) else None


def rigid_distance(skeleton: Skeleton, one: Spot, other: Spot) -> float | None:
    """The same of two points on a skeleton."""
    chains = [skeleton.chain(spot.joint) for spot in (one, other)]
    shared = set(chains[0]) & set(chains[1])
    places = []
    for spot, chain in zip((one, other), chains):
        below = [joint for joint in chain if joint not in shared]
        if len(below) > 1 or (below and any(spot.offset)):
            return None
        places.append(skeleton.offsets[below[0]] if below else np.array(spot.offset, float))
        if not below and spot.joint != max(shared, key=chain.index):
            return None
    return float(np.linalg.norm(places[0] - places[1]))


def too_high(most: float) -> str:
    """Why a point is missed that is asked to be higher than that."""
    return (
        f"it is out of reach: with all limbs stretched it gets no higher than {most:.2f} m; ask for a lower place, or "
        "for a `height` of the root or of contacts too"
    )


def highest(setting: Setting, spot: Spot) -> float:
    """Metres above the floor that a point reaches with all limbs stretched up from the highest usual place of the root.

    Where a request asks for heights of the root or of contacts, or edits a motion, these count too. Points on a head
    are as high as the head is.
    """
    if not isinstance(setting, BodySetting):
        return np.inf
    subspace, asked = setting.model.prior.subspace, setting.request
    spread = subspace.directions[HEIGHT_AT] ** 2 @ subspace.variances[: subspace.size]
    root = float(subspace.middle[HEIGHT_AT] + USUAL * np.sqrt(spread)) / HEIGHT
    if setting.source is not None:
        root = max(root, float(setting.source.root_positions[:, 1].max()))
    root = max([root, *(each.height for each in asked.root if each.height is not None)])
    on = max([0.0, *(contact.height for contact in asked.contacts if contact.height is not None)])
    skeleton = setting.model.skeleton
    limbs = sum(float(np.linalg.norm(skeleton.offsets[joint])) for joint in skeleton.chain(spot.joint)[1:])
    return root + on + limbs + float(np.linalg.norm(spot.offset)) + LEAP
