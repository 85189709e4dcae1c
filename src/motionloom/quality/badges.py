"""Badges: foot skate, floor offset and spikes of a take, with the limits above which it needs clean-up."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import foot_points
from motionloom.features.spikes import find_spikes
from motionloom.motion import Footing, Motion, check_motion
from motionloom.quality.foot_skate import measure_skate
from motionloom.quality.input_checks import check_contacts

SUNK_PERCENT = 2.0  # percentile of foot heights that is reported: single deep frames do not make a floor wrong


@dataclass(frozen=True)
class Limit:
    """The limit of a badge, above which a take needs clean-up."""

    most: float  # upper limit of the absolute value
    unit: str
    about: str  # what is measured, as shown to users


# Chosen from 151 optical recordings: the median foot skate is 7 cm per contact second, the 90th percentile 15, and
# above 12 it is visible; the median floor penetration is 1.5 cm, the 90th percentile 3.5, and from 3 cm on toes
# disappear in the floor; a spike is always an error.
LIMITS: Mapping[str, Limit] = {
    "skate": Limit(12.0, "cm/s", "how fast feet slide over the floor while they rest on it"),
    "floor": Limit(3.0, "cm", "how far feet are below (-) or above (+) the floor on which they should rest"),
    "spikes": Limit(0.0, "", "how often a joint jumps away for a frame or two and back"),
}


@dataclass(frozen=True)
class Badges:
    """The badges of a take; None for those that need feet if the skeleton has none."""

    skate: float | None  # cm per contact second
    floor: float | None  # cm; negative for penetration, positive for floating feet
    spikes: int


def measure_badges(
    motion: Motion,
    contacts: np.ndarray,
    floor_height: float = 0.0,
    *,
    source: Motion | None = None,
    footing: Footing | None = None,
) -> Badges:
    """Measure foot skate, floor offset and the number of spikes.

    Args:
        motion: any body.
        contacts: (F, 4) bool, heels and balls.
        floor_height: metres, world.
        source: the motion of the same skeleton that this one was edited from; heel offsets are taken from it.
        footing: what feet stand on besides the floor; None for nothing.
    """
    motion = check_motion(motion)
    spikes = len(find_spikes(motion))
    points = foot_points(motion, floor_height, like=source, ground=None if footing is None else footing.ground)
    if np.isnan(points).any(axis=(0, 2)).all():
        return Badges(None, None, spikes)
    contacts = check_contacts(contacts, points)
    skate = measure_skate(motion, contacts, floor_height, points=points)
    is_flat = footing is None or footing.is_flat
    under = floor_height if is_flat or footing is None else footing.under(np.nan_to_num(points), contacts)
    heights = points[..., 1] - under  # (F, 4)
    return Badges(skate.cm_per_second if skate.contact_seconds else None, 100 * _off_floor(heights, contacts), spikes)


def _off_floor(heights: np.ndarray, contacts: np.ndarray) -> float:
    """Metres: floor penetration, negative, or height of the lowest resting point, whichever is larger in size."""
    sunk = min(0.0, float(np.percentile(np.nanmin(heights, axis=1), SUNK_PERCENT)))
    rests = [float(np.median(heights[contacts[:, k], k])) for k in range(heights.shape[1]) if contacts[:, k].any()]
    floating = max(0.0, min(rests, default=0.0))
    return sunk if -sunk >= floating else floating
