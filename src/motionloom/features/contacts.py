"""Contact detection: when heels and balls of the feet rest on the floor."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.features.body_size import size_factor
from motionloom.features.feet import POINTS as CONTACT_POINTS
from motionloom.features.feet import foot_points, rest_height
from motionloom.features.floor import check_floor
from motionloom.features.velocities import speeds
from motionloom.motion import Motion, Skeleton, check_motion, find_runs

__all__ = ["CONTACT_POINTS", "ContactSettings", "contacts_from_points", "detect_contacts", "find_runs"]


SCALED = ("slow", "low", "leave_higher", "still", "come_slow", "go_slow", "rest_fast", "rest_rise", "held_up")


@dataclass(frozen=True)
class ContactSettings:
    """Thresholds of contacts. Speeds in metres per second, heights in metres above the point's rest height.

    They are for adults; those of smaller bodies are smaller in proportion.
    """

    slow: float = 0.2  # a contact begins below this speed
    slow_share: float = 0.3  # or below this share of the root's speed, if that is larger
    low: float = 0.05  # and below this height
    leave_faster: float = 1.5  # hysteresis: it ends above this multiple of that speed
    leave_higher: float = 0.07  # or above this height
    gap: float = 0.05  # seconds: shorter gaps are closed
    still_gap: float = 0.15  # seconds: so are gaps up to this long in which the point moves less than `still`
    still: float = 0.03  # metres
    shortest: float = 0.1  # seconds: shorter contacts are dropped
    come_slow: float = 0.2  # borders: speed below which a contact begins; feet land hard
    go_slow: float = 0.1  # speed above which it ends; feet lift off softly
    slide: float = 8.0  # added to both: this multiple of the lower quartile of the point's speed in the contact
    rest_fast: float = 0.45  # upper limit of both, or the speed that ends a contact, if that is larger
    rest_rise: float = 0.025  # height above the lower quartile of the contact up to which the point rests
    near: float = 0.25  # a rest height farther from the floor than this is not on the floor
    held_up: float = 0.12  # a point without resting frames this far above the others is lifted throughout

    def for_body(self, skeleton: Skeleton) -> "ContactSettings":
        """The thresholds for a body: lengths and speeds are scaled for those smaller than adults.

        They are not for larger ones, which rest as still as adults do, nor is the uncertainty of the floor.
        """
        factor = min(size_factor(skeleton), 1.0)
        return self if factor == 1.0 else replace(self, **{name: factor * getattr(self, name) for name in SCALED})


DEFAULT = ContactSettings()


def detect_contacts(motion: Motion, floor_height: float, settings: ContactSettings = DEFAULT) -> np.ndarray:
    """Detect contacts of heels and balls of both feet; robust to some centimetres of error in the floor height.

    Args:
        motion: of a skeleton with feet; missing feet have no contacts.
        floor_height: metres, world.
        settings: thresholds.

    Returns:
        (F, 4) bool, in the order of `CONTACT_POINTS`.
    """
    check_floor(floor_height)
    motion, own = check_motion(motion), settings.for_body(motion.skeleton)
    return contacts_from_points(foot_points(motion, floor_height), motion.root_positions, motion.fps, floor_height, own)


def contacts_from_points(
    points: np.ndarray,
    root_positions: np.ndarray,
    fps: float,
    floor_height: float | np.ndarray,
    settings: ContactSettings = DEFAULT,
) -> np.ndarray:
    """Detect contacts of points, by height above their own rest heights and by speed relative to the root's.

    Args:
        points: (F, K, 3) metres, world; NaN for points that do not exist.
        root_positions: (F, 3) metres, world.
        fps: frames per second.
        floor_height: metres, world; or (F, K) of what is under each point.
        settings: thresholds.

    Returns:
        (F, K) bool.
    """
    slow = np.maximum(settings.slow, settings.slow_share * speeds(root_positions, fps))  # (F,)
    rest_heights = point_rest_heights(points, fps, floor_height, settings)
    contacts = np.zeros(points.shape[:2], bool)
    for k in np.flatnonzero(~np.isnan(rest_heights)):
        under = floor_height[:, k] if isinstance(floor_height, np.ndarray) else floor_height
        height = points[:, k, 1] - under - rest_heights[k]
        contacts[:, k] = find_rests(points[:, k], height, slow, fps, settings)
    return contacts


def point_rest_heights(
    points: np.ndarray, fps: float, floor_height: float | np.ndarray, settings: ContactSettings
) -> np.ndarray:
    """(K,) rest heights in metres above the floor; NaN for points that are missing or never rest on the floor.

    The 5th percentile of the height replaces the rest height of a point that never rests long enough, as in a short
    run, or that rests above a wrong floor height. A foot that is lifted throughout looks the same, except that the
    other points rest lower.
    """
    if isinstance(floor_height, np.ndarray):
        measured = [rest_height(points[:, k], fps, floor_height[:, k]) for k in range(points.shape[1])]
        lowest = np.percentile(points[..., 1] - floor_height, 5, axis=0)
    else:
        measured = [rest_height(points[:, k], fps, floor_height) for k in range(points.shape[1])]
        lowest = np.percentile(points[..., 1], 5, axis=0) - floor_height  # NaN for points that do not exist
    resting = np.array([np.nan if rest is None else rest for rest in measured], float)
    heights = np.where(np.isnan(resting), lowest, resting)
    held_up = np.isnan(resting) & (heights > np.fmin.reduce(heights) + settings.held_up)
    return np.where(held_up | (np.abs(heights) > settings.near), np.nan, heights)


def find_rests(
    point: np.ndarray, height: np.ndarray, slow: np.ndarray, fps: float, settings: ContactSettings
) -> np.ndarray:
    """(F,) bool for one (F, 3) point: hysteresis thresholds, then gaps closed, then borders refined."""
    speed = speeds(point, fps)
    fast = settings.leave_faster * slow
    comes = (speed < slow) & (height < settings.low)
    leaves = (speed > fast) | (height > settings.leave_higher)
    firm = _close_gaps(_hysteresis(comes, leaves), point, speed, fps, settings)
    return _set_borders(firm, speed, height, np.maximum(settings.rest_fast, fast), settings)


def _hysteresis(comes: np.ndarray, leaves: np.ndarray) -> np.ndarray:
    """True from a frame of `comes` until one of `leaves`."""
    frames = np.arange(len(comes))
    last_start = np.maximum.accumulate(np.where(comes & ~leaves, frames, -1))
    last_end = np.maximum.accumulate(np.where(leaves, frames, -1))
    return last_start > last_end


def _close_gaps(
    firm: np.ndarray, point: np.ndarray, speed: np.ndarray, fps: float, settings: ContactSettings
) -> np.ndarray:
    """Close gaps that are short, longer ones if the point hardly moves, and drop contacts that are too short."""
    closed = firm.copy()
    for start, stop in find_runs(~firm):
        if start == 0 or stop == len(firm):
            continue
        moved = np.linalg.norm(point[stop] - point[start - 1])
        stayed = moved < settings.still and stop - start <= settings.still_gap * fps
        closed[start:stop] = stayed or stop - start <= settings.gap * fps + 0.5
    for start, stop in find_runs(closed):
        at_an_end = start == 0 or stop == len(firm)  # its true length is unknown
        if stop - start < settings.shortest * fps and not at_an_end:
            closed[start:stop] = False
    return closed


def _set_borders(
    firm: np.ndarray, speed: np.ndarray, height: np.ndarray, fastest: np.ndarray, settings: ContactSettings
) -> np.ndarray:
    """Refine the borders of each contact with thresholds adapted to that contact.

    A synthetic foot stands still until it lifts off; a recorded one creeps and rolls. Thresholds of speed and height
    are therefore relative to the lower quartiles of the contact: its borders move outwards, or inwards, to the
    outermost frame below them. Two contacts stay separate at the fastest frame between them.
    """
    settled = np.zeros_like(firm)
    runs = find_runs(firm)
    for (start, stop), (first, last) in zip(runs, _room(runs, speed)):
        slide = settings.slide * np.percentile(speed[start:stop], 25)
        rise = min(np.percentile(height[start:stop], 25) + settings.rest_rise, settings.leave_higher)
        before, after = slice(first, stop), slice(start, last)
        come = (height[before] < rise) & (speed[before] < np.minimum(settings.come_slow + slide, fastest[before]))
        go = (height[after] < rise) & (speed[after] < np.minimum(settings.go_slow + slide, fastest[after]))
        begins = 0 if start == 0 else first + _border(come, start - first)
        ends = len(firm) if stop == len(firm) else last - _border(go[::-1], last - stop)
        settled[begins:ends] = True
    return settled


def _border(rests: np.ndarray, start: int) -> int:
    """The first frame of a contact detected at `start`: outwards while the point rests, (F,) bool, else inwards."""
    if not rests[start]:
        inside = np.flatnonzero(rests[start:])
        return start + (int(inside[0]) if len(inside) else 0)
    moving = np.flatnonzero(~rests[:start])
    return int(moving[-1]) + 1 if len(moving) else 0


def _room(runs: list[tuple[int, int]], speed: np.ndarray) -> list[tuple[int, int]]:
    """The half-open range that each contact may extend to: the motion's ends, or the fastest frame between contacts."""
    between = [stop + int(speed[stop:start].argmax()) for (_, stop), (start, _) in zip(runs, runs[1:])]
    return list(zip([0, *(frame + 1 for frame in between)], [*between, len(speed)]))
