"""Quality of points on a head: how near they are to recorded frames, and how often they move harder than recordings."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.velocities import accelerations, speeds

PERCENTILE = 99.9  # % of the frames of a recorded point that stay below its bars
LEAST_SPEED, LEAST_ACCELERATION = 0.002, 0.1  # m/s and m/s2; lower bounds of bars, for points that never move
CHUNK = 512  # frames that are compared with all recorded ones at a time


@dataclass(frozen=True, eq=False)
class PointBars:
    """Speeds and accelerations that are rare in recordings of some points, in the frame of the head."""

    speeds: np.ndarray  # (M,) m/s
    accelerations: np.ndarray  # (M,) m/s2


@dataclass(frozen=True, eq=False)
class NearestFrames:
    """For each frame of points the most similar recorded one."""

    distances: np.ndarray  # (F,) metres: root mean square over the points
    frames: np.ndarray  # (F,) int, of all recorded ones


def learn_point_bars(takes: list[np.ndarray], fps: float) -> PointBars:
    """The bars of recordings (F, M, 3) of the same points, metres in the frame of the head, NaN in gaps."""
    if not takes:
        raise BadInput("no recordings of points to learn bars from; give at least one")
    fast = np.concatenate([speeds(take, fps) for take in takes])
    hard = np.concatenate([np.linalg.norm(accelerations(take, fps), axis=-1) for take in takes])
    return PointBars(_rare(fast, LEAST_SPEED), _rare(hard, LEAST_ACCELERATION))


def shares_above(positions: np.ndarray, fps: float, bars: PointBars) -> tuple[float, float]:
    """0 to 1: the frames (F, M, 3) in which some point is faster than its bar, and in which it accelerates more."""
    fast = speeds(positions, fps) > bars.speeds  # what is not known is not above
    hard = np.linalg.norm(accelerations(positions, fps), axis=-1) > bars.accelerations
    return float(fast.any(axis=1).mean()), float(hard.any(axis=1).mean())


def find_nearest_frames(positions: np.ndarray, recorded: np.ndarray) -> NearestFrames:
    """The recorded frame (N, M, 3) most similar to each of (F, M, 3), metres in the frame of the head.

    Points that are missing in a frame are left out of its distances; recorded frames with missing points are compared
    only if all have some, by the points that they have in common with a frame.
    """
    whole = np.isfinite(recorded).all(axis=(1, 2))
    known = np.flatnonzero(whole) if whole.any() else np.arange(len(recorded))
    if not len(known):
        raise BadInput("no recorded frames to compare points with; give at least one")
    distances, frames = np.empty(len(positions)), np.empty(len(positions), int)
    for start in range(0, len(positions), CHUNK):
        part = slice(start, start + CHUNK)
        found = _squares(positions[part], recorded[known])
        nearest = found.argmin(axis=1)
        distances[part] = np.sqrt(np.maximum(found[np.arange(len(found)), nearest], 0.0))
        frames[part] = known[nearest]
    return NearestFrames(distances, frames)


def _squares(positions: np.ndarray, recorded: np.ndarray) -> np.ndarray:
    """(F, N) mean squared distance over the points that both frames have, square metres; infinite without any."""
    own, other = np.isfinite(positions).all(axis=-1), np.isfinite(recorded).all(axis=-1)
    a = np.where(own[..., None], positions, 0.0).reshape(len(positions), -1)
    b = np.where(other[..., None], recorded, 0.0).reshape(len(recorded), -1)
    own_there, other_there = (np.repeat(seen, 3, axis=1).astype(float) for seen in (own, other))
    sums = (a**2) @ other_there.T + own_there @ (b**2).T - 2 * a @ b.T
    count = own.astype(float) @ other.T.astype(float)
    return np.where(count > 0, sums / np.maximum(count, 1), np.inf)


def _rare(values: np.ndarray, least: float) -> np.ndarray:
    """(M,) the percentile of (F, M) values that are known, at least `least`."""
    found = [np.percentile(own[np.isfinite(own)], PERCENTILE) if np.isfinite(own).any() else least for own in values.T]
    return np.maximum(found, least)
