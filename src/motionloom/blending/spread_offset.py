"""Offset spreading: the gap at a cut is distributed over frames on both sides."""

from dataclasses import replace

import numpy as np

from motionloom.blending.splice import NAMES, Joined, frames_in, meet, plain_shares, reaches, splice
from motionloom.motion import Motion, Placement, rotations

SPREAD_SECONDS = 8 / 60  # on each side of the cut


def spread_offset(
    first: Motion,
    second: Motion,
    *,
    seconds: float = SPREAD_SECONDS,
    leave: int | None = None,
    enter: int | None = None,
    placement: Placement | None = None,
    names: tuple[str, str] = NAMES,
) -> Joined:
    """Close the gap between two motions: each is offset by half of it, fading over frames before and after the cut.

    Poses are continuous, velocities are not (Arikan and Forsyth 2002). A motion too short for its side is offset less,
    in proportion to its frames, which keeps the slopes of both offsets equal where they meet.

    Args:
        first: played before.
        second: played after, on the same skeleton and at the same rate.
        seconds: length of each side; 0 for a plain cut.
        leave: frame of the first that coincides with `enter`; None for its last.
        enter: frame of the second; None for its first.
        placement: of the second before the join; None leaves it where it is.
        names: of the two in the provenance.
    """
    meeting = meet(first, second, leave=leave, enter=enter, placement=placement)
    before, after = reaches(meeting, frames_in(seconds, first.fps))
    if before + after == 0:
        return splice(meeting, meeting.first, meeting.second, plain_shares(meeting), names)
    leave, enter = meeting.leave, meeting.enter
    slide = meeting.second.root_positions[enter] - meeting.first.root_positions[leave]  # (3,)
    turn = rotations.log(
        rotations.multiply(
            rotations.inverse(meeting.first.local_rotations[leave]), meeting.second.local_rotations[enter]
        )
    )  # (J, 3); equal in the frames of both motions, because a rotation keeps its own axis
    there = before / (before + after)  # share of the gap that the first motion closes
    return splice(
        meeting,
        _offset(meeting.first, there * _ramp(meeting.first.n_frames, leave, before), slide, turn),
        _offset(meeting.second, (there - 1) * _ramp(meeting.second.n_frames, enter, after), slide, turn),
        plain_shares(meeting, there),
        names,
    )


def _ramp(n_frames: int, frame: int, window: int) -> np.ndarray:
    """(F,) 1 at a frame, 0 from a window away on: parabolas, the least acceleration that closes a gap."""
    distance = np.abs(np.arange(n_frames) - frame)
    return np.clip(1.0 - distance / max(window, 1), 0.0, 1.0) ** 2


def _offset(motion: Motion, shares: np.ndarray, slide: np.ndarray, turn: np.ndarray) -> Motion:
    """Offset each frame by its (F,) share of a translation and of the joints' rotations."""
    touched = np.flatnonzero(shares)
    root_positions, local_rotations = motion.root_positions.copy(), motion.local_rotations.copy()
    root_positions[touched] += shares[touched, None] * slide
    local_rotations[touched] = rotations.multiply(
        local_rotations[touched], rotations.exp(shares[touched, None, None] * turn)
    )
    return replace(motion, root_positions=root_positions, local_rotations=local_rotations)
