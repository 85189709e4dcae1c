"""Half-open ranges of frames: union, difference, intersection, and as flags over a take."""

from collections.abc import Iterable

import numpy as np

Range = tuple[int, int]  # [start, stop)


def join_ranges(ranges: Iterable[Range]) -> list[Range]:
    """The union of ranges: those that overlap or touch are merged; sorted."""
    joined: list[Range] = []
    for start, stop in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def cut_out(ranges: Iterable[Range], holes: Iterable[Range]) -> list[Range]:
    """The difference: the parts of each range outside the holes."""
    left = list(ranges)
    for start, stop in holes:
        parts = ((first, min(end, start), max(first, stop), end) for first, end in left)
        left = [part for a, b, c, d in parts for part in ((a, b), (c, d)) if part[0] < part[1]]
    return left


def keep_inside(ranges: Iterable[Range], windows: Iterable[Range]) -> list[Range]:
    """The intersection: the parts of each range inside the windows, which do not overlap."""
    wanted = list(windows)
    cut = ((max(start, first), min(stop, end)) for start, stop in ranges for first, end in wanted)
    return [part for part in cut if part[0] < part[1]]


def flags_of(ranges: Iterable[Range], n_frames: int) -> np.ndarray:
    """(F,) bool: true inside any of the ranges."""
    flags = np.zeros(n_frames, bool)
    for start, stop in ranges:
        flags[start:stop] = True
    return flags


def near_borders(flags: np.ndarray, reach: float) -> np.ndarray:
    """(F,) bool: within `reach` frames of a change of the (F,) flags."""
    near = np.zeros(len(flags), bool)
    for border in np.flatnonzero(flags[1:] != flags[:-1]) + 1:
        near[max(int(np.ceil(border - reach)), 0) : int(border + reach)] = True
    return near
