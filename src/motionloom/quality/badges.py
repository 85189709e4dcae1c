"""Badges: three numbers that say at a glance whether a take wants cleaning, and from where on it does."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import foot_points
from motionloom.features.spikes import find_spikes
from motionloom.motion import Motion, check_motion
from motionloom.quality.foot_skate import measure_skate
from motionloom.quality.input_checks import check_contacts

SUNK_PERCENT = 2.0  # of the frames may have feet deeper than what is told; single frames do not make a floor wrong


@dataclass(frozen=True)
class Limit:
    """From where on a number wants a look."""

    most: float  # larger ones want a look; of numbers with a sign, whatever the sign
    unit: str
    about: str  # what is measured, for people


# Why these: half of 151 takes that were recorded with markers skate by 7 cm per contact second, nine in ten by less
# than 15, and above 12 one sees it; in half of them feet are 1.5 cm below the floor now and then, in nine of ten less
# than 3.5, and from 3 cm on the toes are gone; a spike is never right.
LIMITS: Mapping[str, Limit] = {
    "skate": Limit(12.0, "cm/s", "how fast feet slide over the floor while they rest on it"),
    "floor": Limit(3.0, "cm", "how far feet are below (-) or above (+) the floor on which they should rest"),
    "spikes": Limit(0.0, "", "how often a joint jumps away for a frame or two and back"),
}


@dataclass(frozen=True)
class Badges:
    """What was measured; None for what a body without feet does not have."""

    skate: float | None  # cm per contact second
    floor: float | None  # cm; below 0 where feet sink, above where they float
    spikes: int

    def wanting(self) -> tuple[str, ...]:
        """The names of those that want a look."""
        values = {"skate": self.skate, "floor": self.floor, "spikes": self.spikes}
        return tuple(name for name, value in values.items() if value is not None and abs(value) > LIMITS[name].most)


def measure_badges(
    motion: Motion, contacts: np.ndarray, floor_height: float = 0.0, *, source: Motion | None = None
) -> Badges:
    """Measure how much feet skate, how far they are from the floor, and how often joints jump.

    Args:
        motion: any body.
        contacts: (F, 4) bool: when heels and balls rest.
        floor_height: metres, world.
        source: the motion of the same skeleton that this one was edited from; its heels are the heels.
    """
    motion = check_motion(motion)
    spikes = len(find_spikes(motion))
    points = foot_points(motion, floor_height, like=source)
    if np.isnan(points).any(axis=(0, 2)).all():
        return Badges(None, None, spikes)
    contacts = check_contacts(contacts, points)
    skate = measure_skate(motion, contacts, floor_height, points=points)
    heights = points[..., 1] - floor_height  # (F, 4)
    return Badges(skate.cm_per_second if skate.contact_seconds else None, 100 * _off_floor(heights, contacts), spikes)


def _off_floor(heights: np.ndarray, contacts: np.ndarray) -> float:
    """Metres: how deep feet sink, below 0, or how high the lowest of the resting points rests, whichever is more."""
    sunk = min(0.0, float(np.percentile(np.nanmin(heights, axis=1), SUNK_PERCENT)))
    rests = [float(np.median(heights[contacts[:, k], k])) for k in range(heights.shape[1]) if contacts[:, k].any()]
    floating = max(0.0, min(rests, default=0.0))
    return sunk if -sunk >= floating else floating
