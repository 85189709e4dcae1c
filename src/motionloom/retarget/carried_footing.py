"""Carried footing: what the feet of a retargeted motion stand on."""

from dataclasses import replace

import numpy as np

from motionloom.constraints.carried_supports import MARGIN, stands_on
from motionloom.constraints.ground_following import raise_feet, spread_rises
from motionloom.features.feet import foot_points
from motionloom.motion import Box, Footing, Motion


def carry_footing(footing: Footing, floor_height: float, scale: float, ratio: float) -> Footing:
    """The footing of a motion whose places are scaled over the ground, and whose heights above the floor are too.

    Args:
        footing: of the source.
        floor_height: metres, world; it stays where it is.
        scale: over the ground.
        ratio: of heights above the floor.
    """
    settled = footing.raised(-floor_height).scaled(scale)
    stretch = ratio / scale
    ground = settled.ground
    if stretch != 1.0:
        terrain = ground.terrain
        ground = replace(
            ground,
            floor=ground.floor * stretch,
            boxes=tuple(_stretched(box, stretch) for box in ground.boxes),
            terrain=None if terrain is None else replace(terrain, heights=terrain.heights * stretch),
        )
    supports = tuple(replace(support, box=_stretched(support.box, stretch)) for support in settled.supports)
    return Footing(ground, supports).raised(floor_height)


def lay_under_feet(
    footing: Footing, before: Footing, source: Motion, carried: Motion, contacts: np.ndarray, floor_height: float
) -> Footing:
    """The footing with its supports extended to where feet of other proportions stand on them.

    Args:
        footing: of the carried motion.
        before: of the source, with as many supports.
        source: F frames.
        carried: the same frames on another skeleton.
        contacts: (F, 4) bool: when heels and balls rest.
        floor_height: metres, world.
    """
    if not before.supports:
        return footing
    points, moved = (foot_points(motion, floor_height) for motion in (source, carried))
    margin = MARGIN * carried.skeleton.leg_length / source.skeleton.leg_length
    supports = []
    for own, support in zip(before.supports, footing.supports):
        frames = slice(max(own.start, 0), min(own.stop, len(points)))
        stands = stands_on(own, points[frames], contacts[frames])
        box = support.box.extended(moved[frames][stands][:, [0, 2]], margin)
        supports.append(replace(support, box=box))
    return replace(footing, supports=tuple(supports))


def raise_to_kept_heights(
    source: Motion, carried: Motion, contacts: np.ndarray, footing: Footing, floor_height: float, ratio: float
) -> Motion:
    """Raise a carried motion to supports that keep their heights: a child on a full-sized step.

    Args:
        source: F frames.
        carried: the same frames, in their own size, as if supports were scaled too.
        contacts: (F, 4) bool: when heels and balls rest.
        footing: of the source.
        floor_height: metres, world.
        ratio: of the heights of the carried motion.
    """
    points = np.nan_to_num(foot_points(source, floor_height, ground=footing.ground))
    heights = footing.under(points, contacts) - floor_height  # (F, 4)
    if not contacts.any() or not np.any(heights[contacts]):
        return carried
    return raise_feet(carried, spread_rises((1.0 - ratio) * heights, contacts, np.zeros(contacts.shape, bool)))


def _stretched(box: Box, factor: float) -> Box:
    return replace(box, top=box.top * factor, bottom=box.bottom * factor)
