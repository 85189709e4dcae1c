"""Following the ground: a motion that was moved over uneven ground is raised and lowered to where it came to be."""

from dataclasses import replace

import numpy as np

from motionloom.features.feet import SIDES, foot_points
from motionloom.motion import Footing, Motion, find_runs, kinematics, two_bone_ik

SMOOTH = 0.6  # seconds: window over which the height of the body follows that of its feet
EDGE = 0.1  # metres between what is under heel and ball of a foot from which on it stands on the higher of them
ON_SUPPORT = 1e-6  # metres


def follow_ground(
    before: Motion, after: Motion, contacts: np.ndarray | None, floor_height: float, footing: Footing
) -> Motion:
    """Raise each foot by what the ground is higher where it rests now, and the body with them.

    Between its contacts a foot is raised by more and more, or less, from one to the next. The body follows the mean of
    both feet smoothly. Feet that stand on supports, which go with their frames, stay as high as they are.

    Args:
        before: F frames, on their ground.
        after: the same frames elsewhere on it, with the heights that they had before.
        contacts: (F, 4) bool: when heels and balls rest; None to raise the body alone, by what is under it.
        floor_height: metres, world.
        footing: with the ground, which stays.
    """
    if contacts is None or not np.any(contacts):
        rise = footing.ground.heights(_places(after)) - footing.ground.heights(_places(before))
        return _raised(after, _smoothed(rise, after.fps))
    return raise_feet(after, _foot_rises(before, after, np.asarray(contacts, bool), floor_height, footing))


def raise_feet(motion: Motion, rises: np.ndarray) -> Motion:
    """Raise each foot, and the body smoothly by the mean of both.

    Args:
        motion: F frames.
        rises: (F, 2) metres, of the left and the right foot.
    """
    body = _smoothed(rises.mean(axis=1), motion.fps)
    raised = _raised(motion, body)
    positions, local_rotations = kinematics.world_positions(raised), raised.local_rotations
    for number, side in enumerate(SIDES):
        if not motion.skeleton.has(*(f"{side}_{role}" for role in ("hip", "knee", "foot"))):
            continue
        ankles = positions[:, motion.skeleton.index(f"{side}_foot")].copy()
        ankles[:, 1] += rises[:, number] - body
        local_rotations, _ = two_bone_ik.reach(
            raised.skeleton, raised.root_positions, local_rotations, f"{side}_leg", ankles
        )
    return replace(raised, local_rotations=local_rotations)


def _foot_rises(
    before: Motion, after: Motion, contacts: np.ndarray, floor_height: float, footing: Footing
) -> np.ndarray:
    """(F, 2) metres by which each foot is raised; that of the other one for a foot that never rests."""
    ground = footing.ground
    points = foot_points(before, floor_height, ground=ground)
    moved = foot_points(after, floor_height, like=before, ground=ground)
    own, new = (ground.supports_at(np.nan_to_num(place)) for place in (points, moved))
    carried = footing.under(np.nan_to_num(points), contacts) > own + ON_SUPPORT  # by a support
    return spread_rises(new - own, contacts, carried)


def spread_rises(rises: np.ndarray, contacts: np.ndarray, carried: np.ndarray) -> np.ndarray:
    """(F, 2) metres by which each foot is raised: that of its contacts, and between them from one to the next.

    Args:
        rises: (F, 4) metres, of what is under heels and balls.
        contacts: (F, 4) bool: when they rest; at least one does.
        carried: (F, 4) bool: points that are not raised.
    """
    feet = np.full((len(rises), len(SIDES)), np.nan)
    for number in range(len(SIDES)):
        columns = slice(2 * number, 2 * number + 2)
        feet[:, number] = _rises_of(rises[:, columns], contacts[:, columns], carried[:, columns])
    return np.where(np.isnan(feet), feet[:, ::-1], feet)


def _rises_of(rises: np.ndarray, contacts: np.ndarray, carried: np.ndarray) -> np.ndarray:
    """(F,) metres for one foot, from those of (F, 2) heel and ball; NaN throughout if it never rests."""
    found = np.full(len(rises), np.nan)
    for start, stop in find_runs(np.asarray(contacts.any(axis=1))):
        rests = contacts[start:stop]
        each = [
            0.0 if carried[start:stop, k][rests[:, k]].mean() > 0.5 else np.median(rises[start:stop, k][rests[:, k]])
            for k in range(2)
            if rests[:, k].any()
        ]
        found[start:stop] = max(each) if np.ptp(each) > EDGE else np.mean(each)
    known = np.flatnonzero(~np.isnan(found))
    if not len(known):
        return found
    for last, first in zip(known[:-1], known[1:]):
        if first - last > 1:
            u = np.arange(1, first - last) / (first - last)
            found[last + 1 : first] = found[last] + (found[first] - found[last]) * u * u * (3 - 2 * u)
    found[: known[0]], found[known[-1] :] = found[known[0]], found[known[-1]]
    return found


def _smoothed(rise: np.ndarray, fps: float) -> np.ndarray:
    """(F,) values, averaged with a window; beyond its ends the motion stays as high as there."""
    half = max(round(SMOOTH * fps / 2), 1)
    window = np.hanning(2 * half + 3)[1:-1]
    return np.convolve(np.pad(rise, half, mode="edge"), window / window.sum(), mode="valid")


def _raised(motion: Motion, rise: np.ndarray) -> Motion:
    root = np.array(motion.root_positions, float)
    root[:, 1] += rise
    return replace(motion, root_positions=root)


def _places(motion: Motion) -> np.ndarray:
    return motion.root_positions[:, [0, 2]]
