"""Agreeing on contacts: what stands in a common pose, and how takes gain or lose it around their match frames."""

import numpy as np

BRIDGE_SECONDS = 0.1  # a contact that is so near a match frame reaches to it
STANDS_SECONDS = 0.05  # on each side of a match frame a gained contact holds, and a lost one is gone
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
    reach, least = round(BRIDGE_SECONDS * fps), max(2, round(STANDS_SECONDS * fps))
    start, stop = frame - least, frame + least + 1
    near = np.flatnonzero(track[max(frame - reach, 0) : frame + reach + 1]) + max(frame - reach, 0)
    if len(near):
        start, stop = min(start, int(near.min())), max(stop, int(near.max()) + 1)
    track[max(start, 0) : stop] = True


def _lose(track: np.ndarray, frame: int, fps: float) -> None:
    least, shortest = max(2, round(STANDS_SECONDS * fps)), max(2, round(SHORTEST_SECONDS * fps))
    start, stop = max(frame - least, 0), min(frame + least + 1, len(track))
    if not track[start:stop].any():
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
