"""Gaps of points: runs of frames in which a point is missing, and short ones filled from the frames beside them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from motionloom.motion.points import PointMotion
from motionloom.motion.runs import find_runs


class Gap(NamedTuple):
    """A run of frames, half-open, in which a point is missing."""

    point: int  # index
    start: int
    stop: int

    @property
    def n_frames(self) -> int:
        return self.stop - self.start


def find_gaps(motion: PointMotion) -> list[Gap]:
    """All gaps of all points, by point and frame; a point that is never there is one gap."""
    missing = np.isnan(motion.positions).any(axis=2)
    return [
        Gap(point, *run)
        for point in np.flatnonzero(missing.any(axis=0)).tolist()
        for run in find_runs(missing[:, point])
    ]


def fill_gaps(motion: PointMotion, longest: float) -> tuple[PointMotion, list[Gap]]:
    """The motion with short gaps filled, and the gaps that were.

    A gap is filled by the cubic curve that leaves the frame before and meets the frame after with their velocities; a
    velocity is that between the frame and its neighbour away from the gap, and that across the gap where it has none.
    Gaps at the beginning or end of a motion have one side only and stay.

    Args:
        motion: with points that are missing in some frames.
        longest: seconds; longer gaps stay.
    """
    filled = [
        gap
        for gap in find_gaps(motion)
        if gap.start > 0 and gap.stop < motion.n_frames and gap.n_frames <= longest * motion.fps + 1e-6
    ]
    positions = motion.positions.copy()
    for gap in filled:
        positions[gap.start : gap.stop, gap.point] = _bridge(motion.positions[:, gap.point], gap)
    return (replace(motion, positions=positions) if filled else motion), filled


def _bridge(track: np.ndarray, gap: Gap) -> np.ndarray:
    """Positions (G, 3) in a gap of a track (F, 3)."""
    before, after = gap.start - 1, gap.stop
    span = after - before
    across = (track[after] - track[before]) / span
    leaving = _velocity(track, before, -1, across)
    meeting = _velocity(track, after, 1, across)
    t = (np.arange(1, span) / span)[:, None]
    return (
        (1 + 2 * t) * (1 - t) ** 2 * track[before]
        + t**2 * (3 - 2 * t) * track[after]
        + span * t * (1 - t) * ((1 - t) * leaving - t * meeting)
    )


def _velocity(track: np.ndarray, frame: int, side: int, across: np.ndarray) -> np.ndarray:
    """Metres per frame (3,) at a frame beside a gap, on its side away from the gap; `across` where that is unknown."""
    neighbour = frame + side
    if not 0 <= neighbour < len(track) or np.isnan(track[neighbour]).any():
        return across
    return (track[neighbour] - track[frame]) * side
