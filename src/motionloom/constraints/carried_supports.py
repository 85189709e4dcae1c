"""Supports of a motion whose frames are moved over the ground: each goes with the feet that stand on it."""

from dataclasses import replace

import numpy as np

from motionloom.features.facing import find_facing
from motionloom.features.feet import foot_points
from motionloom.motion import Footing, Motion, Placement, Support, kinematics
from motionloom.motion.placement import turn_ground

MARGIN = 0.05  # metres of a support around the points that stand on it
NEAR = 0.1  # metres beside a support, and above or below its top, within which a point stands on it


def carry(
    footing: Footing, points: np.ndarray, contacts: np.ndarray, ground: np.ndarray, turns: np.ndarray, moved: np.ndarray
) -> Footing:
    """The footing of a motion after each of its frames was moved over the ground.

    A support is moved as the frame in the middle of its frames is. Feet that stand on it in other frames are moved
    otherwise, so it is extended to be under them too. The ground, which does not belong to the frames, stays.

    Args:
        footing: of the motion before.
        points: (F, 4, 3) metres, world: heels and balls before; NaN for those that do not exist.
        contacts: (F, 4) bool: when they rest.
        ground: (F, 2) metres along x and z: where each frame is.
        turns: (F,) radians about y by which it is turned there.
        moved: (F, 2) metres: where it is moved to.
    """
    places = turn_ground(points[..., [0, 2]] - ground[:, None], turns[:, None]) + moved[:, None]  # (F, 4, 2) after
    supports = (_carry(support, points, contacts, ground, turns, moved, places) for support in footing.supports)
    return replace(footing, supports=tuple(supports))


def carry_to(footing: Footing, before: Motion, after: Motion, contacts: np.ndarray) -> Footing:
    """The footing of a motion that was moved and bent frame by frame.

    Args:
        footing: of the motion before.
        before: F frames.
        after: the same frames, elsewhere.
        contacts: (F, 4) bool: when heels and balls rest.
    """
    (headings, ground), (new_headings, moved) = (
        find_facing(motion.skeleton, kinematics.world_positions(motion)) for motion in (before, after)
    )
    return carry(footing, foot_points(before, 0.0), contacts, ground, new_headings - headings, moved)


def lay_under_planted(footing: Footing, before: Motion, after: Motion, contacts: np.ndarray) -> Footing:
    """The footing of a motion whose feet were planted: supports that are no longer below them go along.

    A foot that rests through a cut is planted at one place, which may be beside the step that it stood on before or
    after the cut.

    Args:
        footing: of the motion before.
        before: F frames.
        after: the same frames with planted feet.
        contacts: (F, 4) bool: when heels and balls rest.
    """
    if not footing.supports:
        return footing
    points, moved = foot_points(before, 0.0), foot_points(after, 0.0, like=before)
    surface = footing.under(np.nan_to_num(points), contacts)
    supports = []
    for support in footing.supports:
        frames = slice(max(support.start, 0), min(support.stop, len(points)))
        stands = stands_on(support, points[frames], contacts[frames]) & (surface[frames] == support.box.top)
        own, new = (each[frames][stands][:, [0, 2]] for each in (points, moved))
        box = support.box
        if not box.covers(new).all():
            box = box.moved(Placement(0.0, np.median(new - own, axis=0))).extended(new, MARGIN)
        supports.append(replace(support, box=box))
    return replace(footing, supports=tuple(supports))


def stands_on(support: Support, points: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """(n, 4) bool: which of (n, 4, 3) points that rest stand on a support."""
    stands = contacts & (np.abs(points[..., 1] - support.box.top) < NEAR)
    return stands & support.box.covers(points[..., [0, 2]], NEAR)


def _carry(
    support: Support,
    points: np.ndarray,
    contacts: np.ndarray,
    ground: np.ndarray,
    turns: np.ndarray,
    moved: np.ndarray,
    places: np.ndarray,
) -> Support:
    frames = slice(max(support.start, 0), min(support.stop, len(points)))
    middle = min(max((support.start + support.stop) // 2, 0), len(points) - 1)
    slide = moved[middle] - turn_ground(ground[middle], turns[middle])
    box = support.box.moved(Placement(float(turns[middle]), slide))
    stands = stands_on(support, points[frames], contacts[frames])
    return replace(support, box=box.extended(places[frames][stands], MARGIN))
