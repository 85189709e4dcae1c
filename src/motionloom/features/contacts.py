"""When heels and balls of the feet rest on the floor."""

from dataclasses import dataclass

import numpy as np

from motionloom.features.feet import POINTS as CONTACT_POINTS
from motionloom.features.feet import foot_points, rest_height
from motionloom.features.floor import check_floor
from motionloom.features.velocities import speeds
from motionloom.motion import Motion, check_motion, find_runs

__all__ = ["CONTACT_POINTS", "ContactSettings", "contacts_from_points", "detect_contacts", "find_runs"]


@dataclass(frozen=True)
class ContactSettings:
    """When a point of the foot rests. Speeds in metres per second, heights in metres above where that point rests."""

    slow: float = 0.2  # a resting point is slower
    slow_share: float = 0.3  # or slower than this share of the root's speed, where that is more
    low: float = 0.05  # a resting point is lower
    leave_faster: float = 1.5  # times the speed at which it came to rest ends the contact
    leave_higher: float = 0.07  # so does this height
    gap: float = 0.05  # seconds: shorter breaks are noise
    still_gap: float = 0.15  # seconds: so are breaks as short as this in which the point stays where it is
    still: float = 0.03  # metres
    shortest: float = 0.1  # seconds: shorter contacts are noise
    come_slow: float = 0.2  # borders: a point comes to rest when it gets slower than this; feet land hard
    go_slow: float = 0.1  # and leaves when it gets faster than this; feet leave softly
    slide: float = 8.0  # added to both: times the point's speed in the stillest quarter of its contact
    rest_fast: float = 0.45  # but never faster than this, or than what ends a contact, where that is more
    rest_rise: float = 0.025  # nor higher than this above its own lower quartile in the contact
    near: float = 0.25  # a point that rests farther above or below the floor than this does not rest on it
    held_up: float = 0.12  # nor does one that never rests low, and never comes as near to where the others rest


USUAL = ContactSettings()


def detect_contacts(motion: Motion, floor_height: float, settings: ContactSettings = USUAL) -> np.ndarray:
    """Find when heels and balls of both feet rest on the floor, whose height may be wrong by some centimetres.

    Args:
        motion: of a skeleton with feet; feet that it does not have never rest.
        floor_height: metres, world.
        settings: thresholds.

    Returns:
        (F, 4) bool, in the order of `CONTACT_POINTS`.
    """
    check_floor(floor_height)
    motion = check_motion(motion)
    return contacts_from_points(
        foot_points(motion, floor_height), motion.root_positions, motion.fps, floor_height, settings
    )


def contacts_from_points(
    points: np.ndarray,
    root_positions: np.ndarray,
    fps: float,
    floor_height: float,
    settings: ContactSettings = USUAL,
) -> np.ndarray:
    """Find when points rest on the floor, against their own rest heights and relative to how fast the body goes.

    Args:
        points: (F, K, 3) metres, world; NaN for points that do not exist.
        root_positions: (F, 3) metres, world.
        fps: frames per second.
        floor_height: metres, world.
        settings: thresholds.

    Returns:
        (F, K) bool.
    """
    slow = np.maximum(settings.slow, settings.slow_share * speeds(root_positions, fps))  # (F,)
    rest_heights = _rest_heights(points, fps, floor_height, settings)
    contacts = np.zeros(points.shape[:2], bool)
    for k in np.flatnonzero(~np.isnan(rest_heights)):
        height = points[:, k, 1] - floor_height - rest_heights[k]
        contacts[:, k] = _rests(points[:, k], height, slow, fps, settings)
    return contacts


def _rest_heights(points: np.ndarray, fps: float, floor_height: float, settings: ContactSettings) -> np.ndarray:
    """(K,) metres above the floor at which points rest; NaN for points that do not exist or never rest on the floor.

    Low heights stand in for the rest height of a point that never rests long enough, as in a short run, or that always
    does above the floor, because the floor is wrong. A foot that is held up all the time looks the same; what tells it
    apart is that the other points rest lower.
    """
    measured = [rest_height(points[:, k], fps, floor_height) for k in range(points.shape[1])]
    resting = np.array([np.nan if rest is None else rest for rest in measured], float)
    lowest = np.percentile(points[..., 1], 5, axis=0) - floor_height  # NaN for points that do not exist
    heights = np.where(np.isnan(resting), lowest, resting)
    held_up = np.isnan(resting) & (heights > np.fmin.reduce(heights) + settings.held_up)
    return np.where(held_up | (np.abs(heights) > settings.near), np.nan, heights)


def _rests(
    point: np.ndarray, height: np.ndarray, slow: np.ndarray, fps: float, settings: ContactSettings
) -> np.ndarray:
    """(F,) bool for one (F, 3) point: firm contacts first, then mended, then each brought to its own borders."""
    speed = speeds(point, fps)
    fast = settings.leave_faster * slow
    comes = (speed < slow) & (height < settings.low)
    leaves = (speed > fast) | (height > settings.leave_higher)
    firm = _mend(_hold(comes, leaves), point, speed, fps, settings)
    return _set_borders(firm, speed, height, np.maximum(settings.rest_fast, fast), settings)


def _hold(comes: np.ndarray, leaves: np.ndarray) -> np.ndarray:
    """True from a frame that comes until one that leaves; the last of either decides."""
    frames = np.arange(len(comes))
    last_start = np.maximum.accumulate(np.where(comes & ~leaves, frames, -1))
    last_end = np.maximum.accumulate(np.where(leaves, frames, -1))
    return last_start > last_end


def _mend(firm: np.ndarray, point: np.ndarray, speed: np.ndarray, fps: float, settings: ContactSettings) -> np.ndarray:
    """Close breaks that are short, or short and without a move, and drop contacts that are too short to be any."""
    mended = firm.copy()
    for start, stop in find_runs(~firm):
        if start == 0 or stop == len(firm):
            continue
        moved = np.linalg.norm(point[stop] - point[start - 1])
        stayed = moved < settings.still and stop - start <= settings.still_gap * fps
        mended[start:stop] = stayed or stop - start <= settings.gap * fps + 0.5
    for start, stop in find_runs(mended):
        at_an_end = start == 0 or stop == len(firm)  # how long it really was is not known
        if stop - start < settings.shortest * fps and not at_an_end:
            mended[start:stop] = False
    return mended


def _set_borders(
    firm: np.ndarray, speed: np.ndarray, height: np.ndarray, fastest: np.ndarray, settings: ContactSettings
) -> np.ndarray:
    """Begin and end each contact where its point rests, measured by how still that very contact is.

    An exact foot stands still until it leaves; a recorded one creeps and rolls. What counts as rest therefore follows
    the contact: its borders move outwards, or inwards, to the outermost frame that is about as still and as low as its
    stillest and lowest quarter. Two contacts stay apart at the fastest frame between them.
    """
    settled = np.zeros_like(firm)
    runs = find_runs(firm)
    for (start, stop), (first, last) in zip(runs, _room(runs, speed)):
        slide = settings.slide * np.percentile(speed[start:stop], 25)
        low = height < min(np.percentile(height[start:stop], 25) + settings.rest_rise, settings.leave_higher)
        come = low & (speed < np.minimum(settings.come_slow + slide, fastest))
        go = low & (speed < np.minimum(settings.go_slow + slide, fastest))
        begins = 0 if start == 0 else first + _border(come[first:stop], start - first)
        ends = len(firm) if stop == len(firm) else last - _border(go[start:last][::-1], last - stop)
        settled[begins:ends] = True
    return settled


def _border(rests: np.ndarray, start: int) -> int:
    """Where a contact found from frame `start` on begins: outwards while the point rests, (F,) bool, else inwards."""
    if not rests[start]:
        inside = np.flatnonzero(rests[start:])
        return start + (int(inside[0]) if len(inside) else 0)
    moving = np.flatnonzero(~rests[:start])
    return int(moving[-1]) + 1 if len(moving) else 0


def _room(runs: list[tuple[int, int]], speed: np.ndarray) -> list[tuple[int, int]]:
    """How far each contact may reach, half-open: to the ends of the take, or to the fastest frame before the next."""
    between = [stop + int(speed[stop:start].argmax()) for (_, stop), (start, _) in zip(runs, runs[1:])]
    return list(zip([0, *(frame + 1 for frame in between)], [*between, len(speed)]))
