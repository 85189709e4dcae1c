"""Contacts on a ground that is given: points of the feet and the surface under them."""

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.supports import RaisedContact
from motionloom.motion import Ground
from motionloom.motion.ground import SUNK

SAME_FLOOR = 1e-6  # metres


def check_ground(ground: Ground | None, floor_height: float) -> Ground:
    """The given ground, or the floor alone; its floor has to be the one that is used elsewhere."""
    if ground is None:
        return Ground(floor_height)
    if abs(ground.floor - floor_height) > SAME_FLOOR:
        raise BadInput(
            f"the floor of the ground is at {ground.floor:g} m, but the floor height is {floor_height:g} m; "
            "give one height for both"
        )
    return ground


def surface_under(points: np.ndarray, ground: Ground) -> np.ndarray:
    """(F, K) metres, world: what is under each of (F, K, 3) points; NaN for points that do not exist.

    A point that is deep inside a box does not rest on it, so that the floor counts there: it may be that the box was
    measured wrong, or that the foot passed beside it.
    """
    surface = ground.supports_at(np.nan_to_num(points))
    surface = np.where(points[..., 1] < surface - SUNK, np.minimum(surface, _open_surface(points, ground)), surface)
    return np.where(np.isnan(points[..., 1]), np.nan, surface)


def _open_surface(points: np.ndarray, ground: Ground) -> np.ndarray:
    """(F, K) metres, world: the terrain, or the floor, without boxes."""
    return Ground(ground.floor, (), ground.terrain).heights(np.nan_to_num(points[..., [0, 2]]))


def rest_on_surface(
    contacts: np.ndarray, raised: list[RaisedContact], points: np.ndarray, under: np.ndarray, near: float
) -> tuple[np.ndarray, list[RaisedContact]]:
    """Contacts on the given surface, with those that were found above the floor and are on it; and the others.

    Feet that are level on a slope have their heel or their ball above it. Where the body shows that such a foot carries
    it, its points rest on the slope.

    Args:
        contacts: (F, 4) bool: points at rest on the given surface.
        raised: contacts above the floor, whatever carries them.
        points: (F, 4, 3) metres, world.
        under: (F, 4) metres, world: the given surface.
        near: metres above or below the surface up to which a contact is with it.
    """
    contacts, others = contacts.copy(), []
    for contact in raised:
        frames = slice(contact.start, contact.stop)
        is_on = abs(contact.top - float(np.median(under[frames, contact.column]))) <= near
        if is_on or contacts[frames, contact.column].any():
            contacts[frames, contact.column] |= is_on
        else:
            others.append(contact)
    return contacts, others
