"""Gaps of points: runs of frames in which a point is missing, and short ones filled from the frames beside them."""

from dataclasses import replace

import numpy as np

from motionloom.motion.points import PointMotion

POINT, START, STOP = range(3)  # columns of gaps: index of the point, first frame, frame after it


def find_gaps(motion: PointMotion) -> np.ndarray:
    """All gaps (G, 3) of all points, by point and frame; a point that is never there is one gap."""
    missing = np.isnan(motion.positions).any(axis=2).T
    border = np.zeros((len(missing), 1), np.int8)
    steps = np.diff(np.hstack([border, missing.astype(np.int8), border]), axis=1)
    points, starts = np.nonzero(steps == 1)
    return np.stack([points, starts, np.nonzero(steps == -1)[1]], axis=1)


def fill_gaps(motion: PointMotion, longest: float) -> tuple[PointMotion, np.ndarray]:
    """The motion with short gaps filled, and the gaps (G, 3) that were.

    A gap is filled by the cubic curve that leaves the frame before and meets the frame after with their velocities; a
    velocity is that between the frame and its neighbour away from the gap, and that across the gap where it has none.
    Gaps at the beginning or end of a motion have one side only and stay.

    Args:
        motion: with points that are missing in some frames.
        longest: seconds; longer gaps stay.
    """
    gaps = find_gaps(motion)
    is_inside = (gaps[:, START] > 0) & (gaps[:, STOP] < motion.n_frames)
    filled = gaps[is_inside & (gaps[:, STOP] - gaps[:, START] <= longest * motion.fps + 1e-6)]
    if not len(filled):
        return motion, filled
    positions = motion.positions.copy()
    for point, start, stop in filled.tolist():
        positions[start:stop, point] = _bridge(motion.positions[:, point], start, stop)
    return replace(motion, positions=positions), filled


def _bridge(track: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Positions (G, 3) in a gap of a track (F, 3)."""
    before, after = start - 1, stop
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
