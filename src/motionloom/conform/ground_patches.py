"""Patches of a ground: the pieces of it that feet rest on, as supports that travel with their frames.

A motion that is made of several recordings cannot stand on the terrains of all of them. What each foot stood on goes
with its frames instead: the box that it is, or a patch of the terrain under half of the foot.
"""

import numpy as np

from motionloom.features.feet import POINTS, foot_points
from motionloom.motion import Box, Footing, Ground, Motion, Support, find_runs
from motionloom.motion.placement import heading_of

FLOOR = 0.005  # metres: what is lower than this is the floor of a view
HALF = 0.45  # of the length from heel to ball: a patch begins so far from the point, towards the middle of the foot
AROUND = 0.12  # metres of a patch on its other sides: feet are moved a little where motions are joined and bent
SMALLEST = 0.03  # metres from heel to ball of the shortest foot
EDGE = 0.01  # metres of a patch around the places at which a point rests
SAME_TOP = 1e-6  # metres


def lay_patches(motion: Motion, contacts: np.ndarray, footing: Footing) -> Footing:
    """The footing of a motion on the floor y = 0, with what feet rest on of its ground as supports.

    A patch is no higher than the point that rests on it, so that a recording whose feet are somewhat inside of the
    ground that was given for it is still carried.

    Args:
        motion: F frames.
        contacts: (F, 4) bool: when heels and balls rest.
        footing: of the motion; without boxes and terrain in its ground it is returned with its supports alone.
    """
    if footing.ground.is_flat:
        return Footing(supports=footing.supports)
    points = foot_points(motion, 0.0, ground=footing.ground)
    surface = footing.under(np.nan_to_num(points), contacts)
    patches = list(footing.supports)
    for column in range(len(POINTS)):
        for start, stop in find_runs(contacts[:, column] & ~np.isnan(points[:, column]).any(axis=1)):
            box = _patch(points[start:stop], surface[start:stop, column], column, footing.ground)
            if box is not None and not _is_there(footing, box, start, stop):
                patches.append(Support(box, start, stop))
    return Footing(supports=tuple(sorted(patches, key=lambda support: (support.start, support.stop))))


def _patch(points: np.ndarray, surface: np.ndarray, column: int, ground: Ground) -> Box | None:
    """What one point rests on over (N, 4, 3) points of its contact; None for the floor."""
    places, top = points[:, column][:, [0, 2]], float(np.median(surface))
    if top < FLOOR:
        return None
    x, z = np.median(places, axis=0).tolist()
    for box in ground.boxes:
        if abs(box.top - top) < SAME_TOP and box.covers(np.array([x, z])):
            return box
    top = max(min(top, float(np.median(points[:, column, 1]))), FLOOR)
    heel, ball = np.median(points[:, 2 * (column // 2) : 2 * (column // 2) + 2][..., [0, 2]], axis=0)
    if np.isnan(heel).any() or np.isnan(ball).any() or np.linalg.norm(ball - heel) < SMALLEST:
        return Box((x, z), (AROUND, AROUND), 0.0, top, 0.0).extended(places, EDGE)
    end = ball - heel if column % 2 else heel - ball  # from the middle of the foot outwards
    length = float(np.linalg.norm(end)) * HALF + AROUND
    x, z = ((heel + ball) / 2 + end * (0.5 - HALF) + end / np.linalg.norm(end) * length / 2).tolist()
    return Box((x, z), (AROUND, length / 2), float(heading_of(end)), top, 0.0)


def _is_there(footing: Footing, box: Box, start: int, stop: int) -> bool:
    """Whether a support of the motion carries the point already."""
    return any(
        support.start <= start and stop <= support.stop and abs(support.box.top - box.top) < SAME_TOP
        for support in footing.supports
        if support.box.covers(np.array(box.centre))
    )
