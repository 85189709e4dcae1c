"""Displacement maps: smooth offsets that make a motion meet given poses and velocities in given frames."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.blending.average import average_poses
from motionloom.blending.easing_curves import hermite_fade, rotation_fade
from motionloom.blending.moving_pose import VELOCITY_SECONDS, MovingPose, poses_at, read_pose
from motionloom.blending.splice import (
    NAMES,
    Joined,
    check_frame,
    frames_in,
    meet,
    plain_shares,
    reaches,
    splice,
)
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Motion, Placement, check_motion, provenance, rotations


@dataclass(frozen=True)
class DisplacementSettings:
    """The extent of a displacement map."""

    reach: float = 0.3  # seconds to each side of a match, unless a match or the end of the motion is nearer
    shortest: float = 0.15  # minimum length of a side in seconds, against fast changes; w_min of the paper
    velocity_seconds: float = VELOCITY_SECONDS  # seconds around a frame from which its velocity is estimated


DEFAULT = DisplacementSettings()
DISPLACEMENT_SECONDS = DEFAULT.reach


@dataclass(frozen=True, eq=False)
class Match:
    """The pose and velocity that a motion must have in one of its frames."""

    frame: int
    pose: MovingPose


def displace(
    motion: Motion, matches: Sequence[Match], *, settings: DisplacementSettings = DEFAULT, name: str = "motion"
) -> Joined:
    """Displace a motion so that each match frame has its pose and velocity (Gleicher et al. 2003, section 4.2.1).

    On each side of a match frame the offset is one cubic Hermite segment (root) or one quaternion curve with cumulative
    basis (joints) that reaches zero, with zero slope, at the next match frame, at the motion's end, or `reach` away,
    whichever is first. The paper has no such limit, but the overshoot due to a difference in velocity grows with the
    time it is given, by 4/27 of speed x time: over 150 cuts between complete takes joints are moved by 2.0 cm in the
    worst frame of a median cut with a reach of 0.3 s, by 5.4 cm with 2 s and by 25 cm (at most 2.0 m) without limit,
    and the joins are no smoother for it.

    Args:
        motion: F frames.
        matches: in any order.
        settings: reach, and the minimum distance between matches.
        name: of the motion in the provenance.
    """
    motion = check_motion(motion)
    ordered = _check_matches(motion, matches, frames_in(settings.shortest, motion.fps))
    frames = [match.frame for match in ordered]
    starts, stops = [0, *frames[:-1]], [*frames[1:], motion.n_frames - 1]
    reach = frames_in(settings.reach, motion.fps)
    root_positions, local_rotations = motion.root_positions.copy(), motion.local_rotations.copy()
    for match, start, stop in zip(ordered, starts, stops):
        before, after = min(reach, match.frame - start), min(reach, stop - match.frame)
        gap = _gap(read_pose(motion, match.frame, seconds=settings.velocity_seconds), match.pose)
        touched, slides, turns = _map(gap, match.frame, before, after, motion.fps)
        root_positions[touched] += slides
        local_rotations[touched] = rotations.multiply(turns, local_rotations[touched])
    displaced = replace(motion, root_positions=root_positions, local_rotations=local_rotations)
    return Joined(displaced, provenance.recorded(name, np.arange(motion.n_frames)))


def displace_join(
    first: Motion,
    second: Motion,
    *,
    seconds: float = DISPLACEMENT_SECONDS,
    leave: int | None = None,
    enter: int | None = None,
    placement: Placement | None = None,
    velocity_seconds: float = VELOCITY_SECONDS,
    names: tuple[str, str] = NAMES,
    bends_second: bool = True,
) -> Joined:
    """Displace both motions to the average of their poses and velocities in the instant in which they meet.

    A motion too short for its side is displaced less, in proportion to its frames. If the second must not change, only
    the first is displaced.

    Args:
        first: played before.
        second: played after, on the same skeleton and at the same rate.
        seconds: length of each side; 0 for a plain cut.
        leave: frame of the first that coincides with `enter`; None for its last.
        enter: frame of the second; None for its first.
        placement: of the second before the join; None leaves it where it is.
        velocity_seconds: around a frame, from which its velocity is estimated.
        names: of the two in the provenance.
        bends_second: whether the second motion is displaced too.
    """
    meeting = meet(first, second, leave=leave, enter=enter, placement=placement)
    before, after = reaches(meeting, frames_in(seconds, first.fps))
    after = after if bends_second else 0
    if before + after == 0:
        return splice(meeting, meeting.first, meeting.second, plain_shares(meeting), names)
    poses = poses_at(meeting, velocity_seconds)
    there = before / (before + after)
    common = average_poses(poses, [1 - there, there])
    return splice(
        meeting,
        _displaced(meeting.first, _map(_gap(poses[0], common), meeting.leave, before, 0, first.fps)),
        _displaced(meeting.second, _map(_gap(poses[1], common), meeting.enter, 0, after, first.fps)),
        plain_shares(meeting, there),
        names,
    )


@dataclass(frozen=True, eq=False)
class _Gap:
    """The offset and its velocity in a match frame, where a displacement map begins."""

    slide: np.ndarray  # (3,) metres
    sliding: np.ndarray  # (3,) metres per second
    turn: np.ndarray  # (J, 4) on the parent's side, q' = turn q: so the noisy twist of straight limbs has no effect
    turning: np.ndarray  # (J, 3) radians per second, in the local frame of the turn: turn exp(turning dt)


def _gap(own: MovingPose, wanted: MovingPose) -> _Gap:
    turn = rotations.multiply(wanted.local_rotations, rotations.inverse(own.local_rotations))
    seen = [
        rotations.rotate(pose.local_rotations, pose.angular_velocities) for pose in (own, wanted)
    ]  # from the parent
    return _Gap(
        wanted.root_position - own.root_position,
        wanted.root_velocity - own.root_velocity,
        turn,
        rotations.rotate(rotations.inverse(turn), seen[1]) - seen[0],
    )


def _map(gap: _Gap, frame: int, before: int, after: int, fps: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The frames that change, with (N, 3) root offsets in metres and (N, J, 4) rotations; both sides are mirrored."""
    past, future = np.arange(before, 0, -1), np.arange(after + 1)
    sides = [_side(gap, past, before, -1.0 / fps), _side(gap, future, after, 1.0 / fps)]
    slides, turns = (np.concatenate(parts) for parts in zip(*sides))
    return np.concatenate([frame - past, frame + future]), slides, turns


def _side(gap: _Gap, distances: np.ndarray, length: int, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Root offsets (N, 3) and rotations (N, J, 4) at distances in frames from the match; step in seconds, < 0 back."""
    u = distances / max(length, 1)
    duration = length * step
    value, slope = hermite_fade(u)
    slides = value[:, None] * gap.slide + slope[:, None] * gap.sliding * duration
    return slides, rotation_fade(gap.turn, gap.turning * duration, u)


def _displaced(motion: Motion, offsets: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Motion:
    touched, slides, turns = offsets
    root_positions, local_rotations = motion.root_positions.copy(), motion.local_rotations.copy()
    root_positions[touched] += slides
    local_rotations[touched] = rotations.multiply(turns, local_rotations[touched])
    return replace(motion, root_positions=root_positions, local_rotations=local_rotations)


def _check_matches(motion: Motion, matches: Sequence[Match], shortest: int) -> list[Match]:
    """The matches sorted by frame; raises if they are too close to each other or to the motion's ends, or invalid."""
    n_joints, last = motion.skeleton.n_joints, motion.n_frames - 1
    matches = [
        replace(match, frame=check_frame(match.frame, motion.n_frames, "match frame", "the motion"))
        for match in matches
    ]
    for match in matches:
        if match.pose.local_rotations.shape != (n_joints, 4):
            raise SkeletonMismatch(
                f"the pose for frame {match.frame} has {match.pose.n_joints} joints, expected {n_joints} as the motion"
            )
        if not match.pose.is_finite:
            raise BadInput(f"the pose for frame {match.frame} has values that are not finite")
    ordered = sorted(matches, key=lambda match: match.frame)
    borders = sorted({0, last, *(match.frame for match in ordered)})
    if len({match.frame for match in ordered}) < len(ordered):
        raise BadInput("two matches for the same frame; give one pose per frame")
    for match in ordered:
        near = [abs(border - match.frame) for border in borders if border != match.frame]
        if near and min(near) < shortest:
            raise BadInput(
                f"match frame {match.frame} is {min(near)} frames from the next match or the motion's end; expected at "
                f"least {shortest}, against changes that are too fast"
            )
    return ordered
