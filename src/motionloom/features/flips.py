"""Flips: joints that turn over in one frame, such as swapped markers and angles interpolated through a singularity.

A fast movement has a speed before and after its fastest frame; a flip has not. A flip is short if the joint is back
soon afterwards, in one frame or gradually; else it stays.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.features.body_size import size_factor
from motionloom.motion import Motion, check_motion, kinematics, rotations


@dataclass(frozen=True)
class FlipSettings:
    """Thresholds of a joint's rotation in one frame. Those in metres are for adults, and scaled for other bodies."""

    times: float = 4.0  # multiple of the rotations in the frames before and after, the largest of them left out
    beside: int = 3  # frames before and after that are compared
    turn: float = np.radians(45.0)  # minimum rotation in one frame ...
    turn_speed: float = np.radians(3000.0)  # ... and per second; no joint is that fast for one frame only
    reach: float = 0.10  # metres at 60 Hz: minimum distance by which it moves something ...
    fast: float = 15.0  # ... or metres per second, with any rotation
    longest: float = 0.20  # seconds; a joint that is back by then flips for a short time
    smear: float = 0.04  # share of the flip: the frames beside it that turn by more belong to it
    aside: float = np.radians(5.0)  # minimum rotation of a joint that makes up for the flip of another
    back: float = 0.5  # share of the flip: a joint that differs by less from before is back


DEFAULT = FlipSettings()


@dataclass(frozen=True)
class Flip:
    """A joint turns over from frame `frame` to the next."""

    joint: int  # index into the skeleton's joints
    frame: int  # the last frame before it
    radians: float  # rotation in one frame
    speed: float  # metres per second of what hangs on it, as it is seen from the root
    start: int  # frames [start, stop) in which the joint is elsewhere; stop is the last frame + 1 if it stays
    stop: int
    is_short: bool  # the joint is back at `stop`


def find_flips(motion: Motion, settings: FlipSettings = DEFAULT) -> tuple[Flip, ...]:
    """Detect joints that turn over in one frame, in the order of frames.

    Args:
        motion: any.
        settings: thresholds.
    """
    motion = check_motion(motion)
    if motion.n_frames < 2 * settings.beside + 2:
        return ()
    factor = size_factor(motion.skeleton)
    settings = replace(settings, reach=factor * settings.reach, fast=factor * settings.fast)
    turns = _turns(motion.local_rotations)  # (F - 1, J)
    is_candidate = _is_alone(turns, settings) & (turns > _least_turn(motion, settings))
    found = []
    for frame, joint in np.argwhere(is_candidate).tolist():
        own, seen = _moved(motion, frame, joint)
        wide = turns[frame, joint] > max(settings.turn, settings.turn_speed / motion.fps)
        far = own > settings.reach * max(1.0, 60.0 / motion.fps)
        if far and (wide or seen * motion.fps > settings.fast):
            away = _extent(motion.local_rotations[:, joint], turns[:, joint], frame, motion.fps, settings)
            found.append(Flip(joint, frame, float(turns[frame, joint]), seen * motion.fps, *away))
    return tuple(flip for flip in found if not any(_is_way_back(flip, other) for other in found))


def joints_turning(motion: Motion, frame: int, settings: FlipSettings = DEFAULT) -> list[int]:
    """The joints that turn far more after a frame than before and afterwards: those that flip, or make up for it."""
    around = slice(max(0, frame - settings.beside), frame + settings.beside + 2)
    turns = _turns(motion.local_rotations[around])
    here = frame - around.start
    return np.flatnonzero(_is_alone(turns, settings)[here] & (turns[here] > settings.aside)).tolist()


def describe_flips(motion: Motion, flips: tuple[Flip, ...], most: int = 3) -> str:
    """The flips as words: joint, frame, angle and speed of the first few."""
    named = [
        f"{motion.skeleton.names[flip.joint]} turns over by {np.degrees(flip.radians):.0f} degrees "
        f"({flip.speed:.0f} m/s) after frame {flip.frame}"
        for flip in flips[:most]
    ]
    more = f", and {len(flips) - most} more" if len(flips) > most else ""
    return "; ".join(named) + more


def _is_alone(turns: np.ndarray, settings: FlipSettings) -> np.ndarray:
    """(F, J) bool: a joint turns far more than in the frames beside."""
    return np.asarray(turns > settings.times * _beside(turns, settings.beside))


def _is_way_back(flip: Flip, other: Flip) -> bool:
    """Whether a flip ends, or belongs to, an earlier short one of its joint."""
    return other.is_short and other.joint == flip.joint and other.frame < flip.frame <= other.stop


def _least_turn(motion: Motion, settings: FlipSettings) -> np.ndarray:
    """(J,) radians: a smaller rotation of a joint moves nothing far enough."""
    skeleton = motion.skeleton
    reaches = np.zeros(skeleton.n_joints)  # metres from a joint to the farthest end below it, along the bones
    for parent, offset in zip(skeleton.end_parents, skeleton.end_offsets):
        reaches[parent] = max(reaches[parent], float(np.linalg.norm(offset)))
    for joint in range(skeleton.n_joints - 1, 0, -1):
        parent, length = skeleton.parents[joint], float(np.linalg.norm(skeleton.offsets[joint]))
        reaches[parent] = max(reaches[parent], length + reaches[joint])
    far = settings.reach * max(1.0, 60.0 / motion.fps)
    half = far / (2 * np.maximum(reaches, 1e-9))
    return np.where(half < 1, 2 * np.arcsin(np.minimum(half, 1)), np.inf)


def _turns(local_rotations: np.ndarray) -> np.ndarray:
    """Rotation of each joint from frame to frame, (F - 1, J) radians."""
    cosines = np.abs(np.einsum("fjc,fjc->fj", local_rotations[:-1], local_rotations[1:]))
    return 2.0 * np.arccos(np.minimum(cosines, 1.0))


def _beside(turns: np.ndarray, n: int) -> np.ndarray:
    """(F, J) the second largest rotation among n frames before and n after: the largest may be the way back."""
    padded = np.pad(turns, ((n, n), (0, 0)))
    largest, second = np.zeros_like(turns), np.zeros_like(turns)
    for shift in range(2 * n + 1):
        if shift != n:
            other = padded[shift : shift + len(turns)]
            second = np.maximum(second, np.minimum(largest, other))
            largest = np.maximum(largest, other)
    return second


def _moved(motion: Motion, frame: int, joint: int) -> tuple[float, float]:
    """Metres by which what hangs on a joint moves after a frame: by its rotation alone, and with all others.

    Joints above and below may turn the other way at once and make up for it.
    """
    skeleton = motion.skeleton
    here = slice(frame, frame + 2)
    positions, turns = kinematics.forward(skeleton, motion.root_positions[here], motion.local_rotations[here])
    below = [k for k in range(skeleton.n_joints) if joint in skeleton.chain(k)]
    ends = np.isin(skeleton.end_parents, below)
    parents = skeleton.end_parents[ends]
    tips = positions[:, parents] + rotations.rotate(turns[:, parents], skeleton.end_offsets[ends])
    points = np.concatenate([positions[:, below], tips], axis=1) - positions[:, :1]  # (2, N, 3) from the root
    hanging = points[1] - (positions[1, joint] - positions[1, 0])
    local = rotations.rotate(rotations.inverse(turns[1, joint]), hanging)
    before, after = (rotations.rotate(motion.local_rotations[k, joint], local) for k in (frame, frame + 1))
    own = np.linalg.norm(after - before, axis=-1).max()
    return float(own), float(np.linalg.norm(points[1] - points[0], axis=-1).max())


def _extent(
    local: np.ndarray, turns: np.ndarray, frame: int, fps: float, settings: FlipSettings
) -> tuple[int, int, bool]:
    """Frames [start, stop) in which a joint is elsewhere, and whether it is back within the longest time.

    Args:
        local: (F, 4) rotations of the joint.
        turns: (F - 1,) radians from frame to frame.
        frame: the last one before the flip.
        fps: frames per second.
        settings: thresholds.
    """
    most, limit = max(1, round(settings.longest * fps)), settings.smear * turns[frame]
    near = range(frame + 2, min(frame + 1 + most, len(local) - 1) + 1)
    back = (k for k in near if _angle(local[frame], local[k]) < settings.back * turns[frame])
    last = next(back, None)  # the first frame in which it is back
    if last is None:
        return frame + 1, len(local), False
    first = frame
    while last < len(turns) and turns[last] > limit and last - first < most:
        last += 1
    while first > 0 and turns[first - 1] > limit and last - first < most:
        first -= 1
    return first + 1, last, True


def _angle(first: np.ndarray, second: np.ndarray) -> float:
    return float(rotations.angle_between(first[None], second[None])[0])
