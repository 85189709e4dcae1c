"""Spikes: outliers of a frame or two in a joint's rotation or the root's position, such as marker dropouts."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Motion, check_motion, find_runs, rotations

ROOT = -1  # in place of a joint: the position of the root
ECHO = 0.75  # frames beside a spike below this share of its size are artefacts of the fitted curve
ECHO_FRAMES = 3  # on both sides
SHORTEST_BONE = 0.02  # metres: rotations of shorter bones are not visible


@dataclass(frozen=True)
class SpikeSettings:
    """Thresholds of the distance of a bone's end from the curve through its neighbours in time."""

    least: float = 0.10  # metres, at 60 Hz; knees that snap straight in runs, jumps and kicks reach 0.09
    times: float = 8.0  # multiple of the local median distance of this joint
    longest: float = 1 / 30  # seconds; longer deviations are movements
    around: float = 0.25  # seconds on both sides for the local median


DEFAULT = SpikeSettings()


@dataclass(frozen=True)
class Spike:
    """An outlier of a joint in the frames [start, stop)."""

    joint: int  # index into the skeleton's joints; `ROOT` for the position of the root
    start: int
    stop: int
    metres: float  # largest distance of its bone's end from the curve


def find_spikes(motion: Motion, settings: SpikeSettings = DEFAULT) -> tuple[Spike, ...]:
    """Detect spikes of a frame or two.

    The end of each bone, in the local frame of its parent, is compared with a cubic through the two frames before and
    the two after. A fast but real movement lies on that curve, or at least does not return; a spike does neither.

    Args:
        motion: any; only bones longer than 2 cm count.
        settings: thresholds.
    """
    motion = check_motion(motion)
    joints, ends = _bone_ends(motion)
    widths = range(1, max(1, round(settings.longest * motion.fps)) + 1)
    if motion.n_frames < widths[-1] + 4:
        return ()
    usual = _median(_off_curve(ends, 1), max(1, round(settings.around * motion.fps)))
    limit = np.maximum(settings.least * max(1.0, 60.0 / motion.fps), settings.times * usual)  # (F, K) metres
    off = np.max([_returning(ends, width) for width in widths], axis=0)
    off = np.where(off > limit, off, 0.0)
    found: list[Spike] = []
    for joint in sorted(set(joints.tolist())):
        found += _peaks(joint, off[:, joints == joint].max(axis=1))
    return tuple(sorted(found, key=lambda spike: (spike.start, spike.joint)))


def cubic_between(values: np.ndarray, start: int, stop: int) -> np.ndarray:
    """(stop - start, ...) cubic interpolation of (F, ...) values in [start, stop), from two frames on either side."""
    gap = stop - start
    around = np.array([start - 2, start - 1, stop, stop + 1])
    times = np.arange(1, gap + 1, dtype=float)
    weights = _lagrange(times, gap)  # (gap, 4)
    return np.tensordot(weights, values[around], axes=1)


def _peaks(joint: int, size: np.ndarray) -> list[Spike]:
    """The spikes in (F,) distances, largest first: a spike also distorts the curves of the frames beside it."""
    left, found = size.copy(), []
    while left.max(initial=0.0) > 0:
        top = int(left.argmax())
        near = left >= ECHO * left[top]
        start, stop = next((a, b) for a, b in find_runs(near) if a <= top < b)
        found.append(Spike(joint, start, stop, float(size[top])))
        around = slice(max(0, start - ECHO_FRAMES), stop + ECHO_FRAMES)
        left[around] = np.where(near[around], left[around], 0.0)
        left[start:stop] = 0.0
    return found


def _bone_ends(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(K,) joints and (F, K, 3) metres: their bones' ends in their parents' frames; and the root's position."""
    skeleton = motion.skeleton
    joints = np.concatenate([skeleton.parents[1:], skeleton.end_parents]).astype(int)
    offsets = np.concatenate([skeleton.offsets[1:], skeleton.end_offsets.reshape(-1, 3)])
    is_seen = np.linalg.norm(offsets, axis=1) > SHORTEST_BONE
    joints, offsets = joints[is_seen], offsets[is_seen]
    ends = rotations.rotate(motion.local_rotations[:, joints], offsets)
    return np.append(joints, ROOT), np.concatenate([ends, motion.root_positions[:, None]], axis=1)


def _off_curve(ends: np.ndarray, width: int) -> np.ndarray:
    """(F, K) largest distance in metres from the cubics over gaps of `width` frames; 0 near the motion's ends."""
    return _measured(ends, width)[0]


def _returning(ends: np.ndarray, width: int) -> np.ndarray:
    """(F, K) as `_off_curve`, where that exceeds the distance across the gap; else 0."""
    off, across = _measured(ends, width)
    return np.where(off > across, off, 0.0)


def _measured(ends: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    n_gaps = len(ends) - width - 3
    before, first, second, after = (ends[k : k + n_gaps] for k in (0, 1, width + 2, width + 3))
    across = np.linalg.norm(second - first, axis=-1)
    off, sides = np.zeros(ends.shape[:2]), np.zeros(ends.shape[:2])
    for k, weights in zip(range(1, width + 1), _lagrange(np.arange(1, width + 1, dtype=float), width)):
        curve = weights[0] * before + weights[1] * first + weights[2] * second + weights[3] * after
        here = slice(1 + k, 1 + k + n_gaps)
        distance = np.linalg.norm(ends[here] - curve, axis=-1)
        is_farther = distance - across > off[here] - sides[here]
        off[here] = np.where(is_farther, distance, off[here])
        sides[here] = np.where(is_farther, across, sides[here])
    return off, sides


def _lagrange(times: np.ndarray, gap: int) -> np.ndarray:
    """(T, 4) weights of the frames -1, 0, gap + 1 and gap + 2 in the cubic through them."""
    known = np.array([-1.0, 0.0, gap + 1.0, gap + 2.0])
    weights = np.ones((len(times), 4))
    for i in range(4):
        for j in range(4):
            if i != j:
                weights[:, i] *= (times - known[j]) / (known[i] - known[j])
    return weights


def _median(values: np.ndarray, half: int) -> np.ndarray:
    """(F, K) moving median over `half` frames on both sides."""
    from scipy.ndimage import median_filter

    return median_filter(values, (2 * half + 1, 1), mode="nearest")
