"""Splicing, which all joins share: two motions that meet in one instant, their checks, and the result."""

from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, check_motion, place, provenance
from motionloom.motion.provenance import Provenance

NAMES = ("first", "second")


@dataclass(frozen=True, eq=False)
class Joined:
    """A motion made of others, and the provenance of its frames."""

    motion: Motion
    provenance: Provenance


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two motions of one skeleton and frame rate; frame `leave` of the first coincides with `enter` of the second.

    The first is played before that instant and the second from it on. Frames of the first after it, and of the second
    before it, are not played, but velocities and crossfades use them.
    """

    first: Motion  # float64
    second: Motion  # float64, placed
    leave: int  # frame of the first
    enter: int  # frame of the second

    @property
    def n_frames(self) -> int:
        """Frames of the result."""
        return self.leave + self.second.n_frames - self.enter


def meet(
    first: Motion, second: Motion, *, leave: int | None, enter: int | None, placement: Placement | None
) -> Meeting:
    """Check two motions, place the second, and determine in which frames they meet.

    Args:
        first: played before.
        second: played after.
        leave: frame of the first; None for its last.
        enter: frame of the second; None for its first.
        placement: of the second before the join; None leaves it where it is.
    """
    if second.skeleton != first.skeleton:
        raise SkeletonMismatch(
            f"skeletons '{first.skeleton.name}' and '{second.skeleton.name}' differ; conform the motions first"
        )
    if abs(second.fps - first.fps) > 1e-6 * first.fps:
        raise BadInput(f"frame rates {first.fps:g} and {second.fps:g} fps differ; resample one of the motions first")
    first, second = check_motion(first, "the first motion"), check_motion(second, "the second motion")
    return Meeting(
        first,
        second if placement is None else place(second, placement),
        check_frame(first.n_frames - 1 if leave is None else leave, first.n_frames, "leave", "the first motion"),
        check_frame(0 if enter is None else enter, second.n_frames, "enter", "the second motion"),
    )


def splice(meeting: Meeting, first: Motion, second: Motion, shares: np.ndarray, names: tuple[str, str]) -> Joined:
    """Play the first until the instant of meeting, then the second.

    Args:
        meeting: where they meet.
        first: the first motion with its frames changed for the join.
        second: the second motion with its frames changed for the join.
        shares: (F,) between 0 and 1: share of the second motion in each frame of the result.
        names: of the two in the provenance.
    """
    leave, enter = meeting.leave, meeting.enter
    root = np.concatenate([first.root_positions[:leave], second.root_positions[enter:]])
    after = second.local_rotations[enter:]
    if leave > 0:  # a rotation has two quaternions; the nearer one lets callers interpolate between these frames
        flipped = (first.local_rotations[leave - 1] * after[0]).sum(-1) < 0  # (J,)
        after = np.where(flipped[:, None], -after, after)
    local = np.concatenate([first.local_rotations[:leave], after])
    return Joined(replace(first, root_positions=root, local_rotations=local), _trace(meeting, shares, names))


def plain_shares(meeting: Meeting, at_meeting: float = 1.0) -> np.ndarray:
    """(F,) shares of the second motion for a plain cut, with any share in the instant of meeting."""
    shares = np.ones(meeting.n_frames)
    shares[: meeting.leave] = 0.0
    shares[meeting.leave] = at_meeting
    return shares


def reaches(meeting: Meeting, window: int) -> tuple[int, int]:
    """Number of frames that a join may change before and after the meeting: a window, clipped to the frames played."""
    return min(window, meeting.leave), min(window, meeting.second.n_frames - 1 - meeting.enter)


def frames_in(seconds: float, fps: float) -> int:
    """A duration in frames, rounded."""
    if not 0 <= seconds < np.inf:
        raise BadInput(f"the length of a join must be 0 (a plain cut) or more seconds, got {seconds}")
    return round(seconds * fps)


def check_frame(frame: int, n_frames: int, what: str, whose: str) -> int:
    """The frame as int; raises if it is out of range."""
    if not isinstance(frame, Real) or not float(frame).is_integer():
        raise BadInput(f"{what} must be a frame number, got {frame}")
    if not 0 <= frame < n_frames:
        raise BadInput(f"{what} {frame} is out of range: {whose} has {n_frames} frames")
    return int(frame)


def _trace(meeting: Meeting, shares: np.ndarray, names: tuple[str, str]) -> Provenance:
    frames = np.arange(meeting.n_frames)
    of_first = np.minimum(frames, meeting.first.n_frames - 1)
    of_second = np.maximum(frames - meeting.leave + meeting.enter, 0)
    return provenance.mix(
        provenance.recorded(names[0], of_first), provenance.recorded(names[1], of_second), np.clip(shares, 0.0, 1.0)
    )
