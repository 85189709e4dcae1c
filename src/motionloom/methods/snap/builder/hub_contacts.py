"""Hub contacts: which points of the feet are planted in a common pose, and how takes gain or lose these contacts."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from motionloom.motion import find_runs

BRIDGE_SECONDS = 0.1  # a contact within this distance of a match frame is extended to it
LOST_SECONDS = 0.1  # a contact that the hub does not have is removed for this long on each side of a match frame
ROLLING_SECONDS = 0.1  # a foot that rolls from one planted point to another between two hubs is released for this long
SHORTEST_SECONDS = 0.05  # shorter remainders of a contact that was cut are removed


def majority_contacts(flags: np.ndarray) -> np.ndarray:
    """(4,) bool: the contacts in a strict majority of (N, 4) match frames."""
    return 2 * np.asarray(flags).sum(axis=0) > len(flags)


def impose_contacts(contacts: np.ndarray, frame: int, planted: np.ndarray, fps: float) -> None:
    """Make contacts (F, 4) of a take equal to those of its hub (4,) at a match frame; changes them in place."""
    for column in range(4):
        if planted[column]:
            _gain(contacts[:, column], frame, fps)
        else:
            _lose(contacts[:, column], frame, fps)


def _gain(track: np.ndarray, frame: int, fps: float) -> None:
    """Extend a nearby contact to the match frame; without one, add a contact over the three frames of the hub."""
    reach = round(BRIDGE_SECONDS * fps)
    start, stop = frame - 1, frame + 2
    near = np.flatnonzero(track[max(frame - reach, 0) : frame + reach + 1]) + max(frame - reach, 0)
    if len(near):
        start, stop = min(start, int(near.min())), max(stop, int(near.max()) + 1)
    track[max(start, 0) : stop] = True


def _lose(track: np.ndarray, frame: int, fps: float) -> None:
    """Remove a contact around the match frame, long enough for the foot to move to its position in the hub."""
    free, shortest = max(2, round(LOST_SECONDS * fps)), max(2, round(SHORTEST_SECONDS * fps))
    start, stop = max(frame - free, 0), min(frame + free + 1, len(track))
    if not track[max(frame - 1, 0) : frame + 2].any():
        return
    track[start:stop] = False
    begin = start
    while begin > 0 and track[begin - 1]:
        begin -= 1
    if start - begin < shortest:
        track[begin:start] = False
    end = stop
    while end < len(track) and track[end]:
        end += 1
    if end - stop < shortest:
        track[stop:end] = False


def release_rolling_feet(
    contacts: np.ndarray, frames: Sequence[int], planted: Sequence[np.ndarray], fps: float
) -> None:
    """Release a foot for a moment if it rolls from one planted point to another between two hubs.

    A foot that never leaves the ground between two match frames, but is planted on its heel in one hub and on its ball
    in the other, has both positions fixed; it can only reach them if it may move in between.

    Args:
        contacts: (F, 4) bool of a take, with those of its hubs imposed; changed in place.
        frames: match frames of the take, ascending.
        planted: (4,) bool of the hub of each match frame.
        fps: frames per second.
    """
    half = max(1, round(ROLLING_SECONDS * fps / 2))
    for (start, first), (stop, second) in pairwise(zip(frames, planted)):
        for columns in (slice(0, 2), slice(2, 4)):
            part = contacts[start : stop + 1, columns]
            if not (first[columns].any() and second[columns].any() and part.any(axis=1).all()):
                continue
            if (part.all(axis=0) & first[columns] & second[columns]).any():
                continue  # linked: both hubs have it in the same place
            middle = start + _hand_over(part)
            free = slice(max(middle - half, start + 2), min(middle + half + 1, stop - 1))
            contacts[free, columns] = False


def _hand_over(part: np.ndarray) -> int:
    """The middle frame of the shortest overlap of heel and ball contacts, of (N, 2) contacts of a foot."""
    runs = sorted((start, stop) for column in range(2) for start, stop in find_runs(part[:, column]))
    overlaps = [(min(stop, last) - begin, begin) for (_, stop), (begin, last) in pairwise(runs)]
    length, begin = min(overlaps, default=(0, len(part) // 2))
    return int(begin + length // 2)
