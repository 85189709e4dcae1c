"""What every join shares: two motions that meet in one instant, the checks on them, and the motion that comes out."""

from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, check_motion, place, provenance
from motionloom.motion.provenance import Provenance

NAMES = ("first", "second")


@dataclass(frozen=True, eq=False)
class Joined:
    """A motion made of others, and where each of its frames comes from."""

    motion: Motion
    provenance: Provenance


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two motions of one skeleton and rate; the frame `leave` of the first and `enter` of the second are one instant.

    The first is played before that instant and the second from it on. What the first still has after it, and the second
    before it, is not played, but tells how the motions go on: velocities there are as good as anywhere else.
    """

    first: Motion  # float64
    second: Motion  # float64, placed
    leave: int  # frame of the first
    enter: int  # frame of the second

    @property
    def n_frames(self) -> int:
        """Frames that come out."""
        return self.leave + self.second.n_frames - self.enter


def meet(
    first: Motion, second: Motion, *, leave: int | None, enter: int | None, placement: Placement | None
) -> Meeting:
    """Check two motions, place the second, and settle in which frames they meet.

    Args:
        first: played before.
        second: played after.
        leave: frame of the first; None for its last.
        enter: frame of the second; None for its first.
        placement: how the second is moved over the ground beforehand; None leaves it where it is.
    """
    if second.skeleton != first.skeleton:
        raise SkeletonMismatch(
            f"skeletons '{first.skeleton.name}' and '{second.skeleton.name}' differ; conform the motions first"
        )
    if abs(second.fps - first.fps) > 1e-6 * first.fps:
        raise BadInput(f"motions at {first.fps:g} and {second.fps:g} frames per second; resample one of them first")
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
        shares: (F,) between 0 and 1: how much of each frame that comes out is the second motion.
        names: what the provenance calls the two.
    """
    leave, enter = meeting.leave, meeting.enter
    root = np.concatenate([first.root_positions[:leave], second.root_positions[enter:]])
    after = second.local_rotations[enter:]
    if leave > 0:  # the same rotation has two signs; whoever interpolates between these frames wants the near one
        flipped = (first.local_rotations[leave - 1] * after[0]).sum(-1) < 0  # (J,)
        after = np.where(flipped[:, None], -after, after)
    local = np.concatenate([first.local_rotations[:leave], after])
    return Joined(replace(first, root_positions=root, local_rotations=local), _trace(meeting, shares, names))


def plain_shares(meeting: Meeting, at_meeting: float = 1.0) -> np.ndarray:
    """(F,) shares of the second motion where nothing is mixed, except perhaps in the instant of meeting."""
    shares = np.ones(meeting.n_frames)
    shares[: meeting.leave] = 0.0
    shares[meeting.leave] = at_meeting
    return shares


def reaches(meeting: Meeting, window: int) -> tuple[int, int]:
    """Frames that a join may change before and after the meeting: a window, or as many as are played there."""
    return min(window, meeting.leave), min(window, meeting.second.n_frames - 1 - meeting.enter)


def frames_in(seconds: float, fps: float) -> int:
    """A length of time in whole frames."""
    if not 0 <= seconds < np.inf:
        raise BadInput(f"a join over {seconds} seconds; give 0 for a plain cut, or more")
    return round(seconds * fps)


def check_frame(frame: int, n_frames: int, what: str, whose: str) -> int:
    """Refuse a frame that a motion does not have."""
    if not isinstance(frame, Real) or not float(frame).is_integer() or not 0 <= frame < n_frames:
        raise BadInput(f"{what} = {frame} of {whose}, which has frames [0, {n_frames})")
    return int(frame)


def _trace(meeting: Meeting, shares: np.ndarray, names: tuple[str, str]) -> Provenance:
    frames = np.arange(meeting.n_frames)
    of_first = np.minimum(frames, meeting.first.n_frames - 1)
    of_second = np.maximum(frames - meeting.leave + meeting.enter, 0)
    return provenance.mix(
        provenance.recorded(names[0], of_first), provenance.recorded(names[1], of_second), np.clip(shares, 0.0, 1.0)
    )
