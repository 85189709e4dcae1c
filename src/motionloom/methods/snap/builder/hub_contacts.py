"""Agreeing on contacts: what stands in a common pose, and how takes gain or lose it around their match frames."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from motionloom.motion import find_runs

BRIDGE_SECONDS = 0.1  # a contact that is so near a match frame reaches to it
LOST_SECONDS = 0.1  # on each side of a match frame a lost contact is gone
ROLLING_SECONDS = 0.1  # a foot that rolls from one hub's place to another's is free for so long
SHORTEST_SECONDS = 0.05  # what is left of a contact that was cut apart is at least so long, or goes


def majority(flags: np.ndarray) -> np.ndarray:
    """(4,) bool: what holds in a strict majority of (N, 4) match frames."""
    return 2 * np.asarray(flags).sum(axis=0) > len(flags)


def agree(contacts: np.ndarray, frame: int, planted: np.ndarray, fps: float) -> None:
    """Let contacts (F, 4) of a take have in a frame what its hub has: gained or lost around it, in place."""
    for column in range(4):
        if planted[column]:
            _gain(contacts[:, column], frame, fps)
        else:
            _lose(contacts[:, column], frame, fps)


def _gain(track: np.ndarray, frame: int, fps: float) -> None:
    """A contact nearby reaches to the match frame; where there is none the foot rests for the hub's three frames."""
    reach = round(BRIDGE_SECONDS * fps)
    start, stop = frame - 1, frame + 2
    near = np.flatnonzero(track[max(frame - reach, 0) : frame + reach + 1]) + max(frame - reach, 0)
    if len(near):
        start, stop = min(start, int(near.min())), max(stop, int(near.max()) + 1)
    track[max(start, 0) : stop] = True


def _lose(track: np.ndarray, frame: int, fps: float) -> None:
    """A contact is gone around the match frame, long enough for the foot to go to where the hub has it."""
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


def loosen(contacts: np.ndarray, frames: Sequence[int], planted: Sequence[np.ndarray], fps: float) -> None:
    """Free feet that roll over from where one hub has them to where the next one does, for a moment, in place.

    A foot that never leaves the ground between two match frames, but stands on its heel here and on its ball there, is
    held by both hubs; it cannot be where each wants it unless it may move between.

    Args:
        contacts: (F, 4) bool of a take, agreed with its hubs.
        frames: its match frames, in order.
        planted: (4,) bool of the hub of each.
        fps: frames per second.
    """
    half = max(1, round(ROLLING_SECONDS * fps / 2))
    for (start, first), (stop, second) in pairwise(zip(frames, planted)):
        for columns in (slice(0, 2), slice(2, 4)):
            part = contacts[start : stop + 1, columns]
            if not (first[columns].any() and second[columns].any() and part.any(axis=1).all()):
                continue
            if (part.all(axis=0) & first[columns] & second[columns]).any():
                continue  # linked: the hubs have it in one place
            middle = start + _hand_over(part)
            free = slice(max(middle - half, start + 2), min(middle + half + 1, stop - 1))
            contacts[free, columns] = False


def _hand_over(part: np.ndarray) -> int:
    """The frame of (N, 2) contacts of a foot in the middle of the shortest stretch in which both points rest."""
    runs = sorted((start, stop) for column in range(2) for start, stop in find_runs(part[:, column]))
    overlaps = [(min(one[1], other[1]) - other[0], other[0]) for one, other in pairwise(runs)]
    length, begin = min(overlaps, default=(0, len(part) // 2))
    return int(begin + length // 2)
