"""Crossfade: two motions are interpolated over the frames in which they overlap."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionloom.blending.easing_curves import ease_c2
from motionloom.blending.splice import NAMES, Joined, Meeting, frames_in, meet, splice
from motionloom.motion import Motion, Placement, rotations

CROSSFADE_SECONDS = 0.3  # in which both motions are blended


def crossfade(
    first: Motion,
    second: Motion,
    *,
    seconds: float = CROSSFADE_SECONDS,
    leave: int | None = None,
    enter: int | None = None,
    placement: Placement | None = None,
    ease: Callable[[np.ndarray], np.ndarray] = ease_c2,
    names: tuple[str, str] = NAMES,
) -> Joined:
    """Crossfade from the first motion to the second around the instant in which they meet.

    The first must continue after that instant and the second begin before it; the fade is as long as their overlap,
    at most `seconds`. Without overlap it is a plain cut.

    Args:
        first: played before.
        second: played after, on the same skeleton and at the same rate.
        seconds: length of the fade, half of it before the meeting.
        leave: frame of the first that coincides with `enter`; None for half a fade before its end.
        enter: frame of the second; None for half a fade after its beginning.
        placement: of the second before the join; None leaves it where it is.
        ease: easing from 0 to 1; `ease_c2` keeps accelerations continuous too, `ease_c1` velocities.
        names: of the two in the provenance.
    """
    half = frames_in(seconds, first.fps) / 2
    shorter = (min(first.n_frames, second.n_frames) - 1) // 2
    reserve = min(int(half), shorter)
    meeting = meet(
        first,
        second,
        leave=first.n_frames - 1 - reserve if leave is None else leave,
        enter=reserve if enter is None else enter,
        placement=placement,
    )
    shares = _shares(meeting, half, ease)
    return splice(meeting, *_mixed(meeting, shares), shares, names)


def _shares(meeting: Meeting, half: float, ease: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """(F,) share of the second motion in each frame of the result."""
    before = min(half, meeting.leave, meeting.enter)
    after = min(
        half, meeting.first.n_frames - 1 - meeting.leave, meeting.second.n_frames - 1 - meeting.enter
    )  # frames of overlap
    times = np.arange(meeting.n_frames) - meeting.leave
    if before + after == 0:
        return (times >= 0).astype(float)
    return ease((times + before) / (before + after))


def _mixed(meeting: Meeting, shares: np.ndarray) -> tuple[Motion, Motion]:
    """Both motions with their overlapping frames replaced by the blended ones."""
    fading = np.flatnonzero((shares > 0) & (shares < 1))
    if len(fading) == 0:
        return meeting.first, meeting.second
    one, two = fading, fading - meeting.leave + meeting.enter
    share = shares[fading]
    root = (
        meeting.first.root_positions[one] * (1 - share[:, None]) + meeting.second.root_positions[two] * share[:, None]
    )
    ways = _ways(meeting.first.local_rotations[one], meeting.second.local_rotations[two])
    local = _part_way(meeting.first.local_rotations[one], ways, share)
    # The last frame of the fade is followed by the second motion itself, so its quaternions get the same signs.
    arrived = rotations.multiply(meeting.first.local_rotations[one[-1]], ways[-1])
    signs = np.sign((arrived * meeting.second.local_rotations[two[-1]]).sum(-1, keepdims=True))  # (J, 1)
    second = replace(meeting.second, local_rotations=meeting.second.local_rotations * signs)
    return _with_frames(meeting.first, one, root, local), _with_frames(second, two, root, local)


def _ways(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(N, J, 4) rotations from a to b over the frames of a fade, continuous in time.

    In each frame there are two arcs. The shorter one is chosen in the middle of the fade and then followed, even where
    it becomes the longer one: switching would be a discontinuity.
    """
    ways = rotations.align_signs(rotations.multiply(rotations.inverse(a), b))
    return np.where(ways[len(ways) // 2, :, :1] < 0, -ways, ways)


def _part_way(a: np.ndarray, ways: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Interpolate by the (N,) share along each arc, which may be longer than half a turn."""
    sine = np.linalg.norm(ways[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, ways[..., :1])  # 0 to a whole turn
    tiny = sine < 1e-9
    turns = ways[..., 1:] * np.where(tiny, 2.0, angle / np.where(tiny, 1.0, sine))
    return rotations.multiply(a, rotations.exp(turns * share[:, None, None]))


def _with_frames(motion: Motion, frames: np.ndarray, root: np.ndarray, local: np.ndarray) -> Motion:
    """A motion with some of its frames replaced."""
    root_positions, local_rotations = motion.root_positions.copy(), motion.local_rotations.copy()
    root_positions[frames], local_rotations[frames] = root, local
    return replace(motion, root_positions=root_positions, local_rotations=local_rotations)
