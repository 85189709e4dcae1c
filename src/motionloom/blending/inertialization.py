"""Inertialization: the second motion starts with the pose and velocity of the first, and the offset decays."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.blending.easing_curves import fade_slope, fade_value
from motionloom.blending.moving_pose import VELOCITY_SECONDS, MovingPose, poses_at
from motionloom.blending.splice import NAMES, Joined, Meeting, frames_in, meet, plain_shares, reaches, splice
from motionloom.errors import BadInput
from motionloom.motion import Motion, Placement, rotations

PEAK_OF_SLOPE = 16 / 81  # largest value of `fade_slope`, at a third of its time


@dataclass(frozen=True)
class InertiaSettings:
    """Limits of the overshoot of an offset."""

    velocity_seconds: float = VELOCITY_SECONDS  # seconds around a frame from which its velocity is estimated
    max_swing: float = 0.2  # radians, or metres for the root: overshoot beyond the gap in pose
    shortest: float = 0.15  # seconds; minimum decay time of a velocity, whatever its overshoot


DEFAULT = InertiaSettings()
INERTIA_SECONDS = 0.3  # in which the offset decays


def inertialize(
    first: Motion,
    second: Motion,
    *,
    seconds: float = INERTIA_SECONDS,
    leave: int | None = None,
    enter: int | None = None,
    placement: Placement | None = None,
    settings: InertiaSettings = DEFAULT,
    names: tuple[str, str] = NAMES,
) -> Joined:
    """Cut to the second motion, and let the offsets in pose and velocity decay while it plays.

    The first motion is not changed, so this can be done in real time. Offsets of the root are vectors in metres, those
    of joints rotation vectors in the joint's local frame; both follow a quintic that starts with the gap in pose and
    velocity and ends with neither. If the second motion is shorter than `seconds`, they decay in its length.

    Args:
        first: played before.
        second: played after, on the same skeleton and at the same rate.
        seconds: until the offset is 0; 0 for a plain cut.
        leave: frame of the first that coincides with `enter`; None for its last.
        enter: frame of the second; None for its first.
        placement: of the second before the join; None leaves it where it is.
        settings: limits of the overshoot.
        names: of the two in the provenance.
    """
    _check_settings(settings)
    meeting = meet(first, second, leave=leave, enter=enter, placement=placement)
    _, after = reaches(meeting, frames_in(seconds, first.fps))
    if after == 0:
        return splice(meeting, meeting.first, meeting.second, plain_shares(meeting), names)
    poses = poses_at(meeting, settings.velocity_seconds)
    return splice(meeting, meeting.first, _with_inertia(meeting, *poses, after, settings), plain_shares(meeting), names)


def _check_settings(settings: InertiaSettings) -> None:
    for name in ("max_swing", "shortest"):
        if not getattr(settings, name) >= 0:
            raise BadInput(f"{name} of an inertialization must be 0 or more, got {getattr(settings, name)}")


def _with_inertia(
    meeting: Meeting, before: MovingPose, after: MovingPose, n_frames: int, settings: InertiaSettings
) -> Motion:
    """The second motion, starting with the pose and velocity of the first."""
    touched = np.arange(meeting.enter, meeting.enter + n_frames)
    times = np.arange(n_frames) / meeting.second.fps
    length = n_frames / meeting.second.fps
    turn, turning = _rotation_offsets(before, after)
    slide = before.root_position - after.root_position
    sliding = before.root_velocity - after.root_velocity
    second = meeting.second
    root_positions, local_rotations = second.root_positions.copy(), second.local_rotations.copy()
    root_positions[touched] += _fade(slide, sliding, times, length, settings)
    local_rotations[touched] = rotations.multiply(
        local_rotations[touched], rotations.exp(_fade(turn, turning, times, length, settings))
    )
    return replace(second, root_positions=root_positions, local_rotations=local_rotations)


def _rotation_offsets(before: MovingPose, after: MovingPose) -> tuple[np.ndarray, np.ndarray]:
    """Rotation vectors of the offset, (J, 3) radians, and their rates, (J, 3) radians per second.

    With q = q2 exp(d) the angular velocity of q in its local frame is that of q2 rotated back by exp(d), plus that of
    exp(d); the rate of d follows from the latter by the inverse of the exponential map's derivative.
    """
    offset = rotations.multiply(rotations.inverse(after.local_rotations), before.local_rotations)
    rates = before.angular_velocities - rotations.rotate(rotations.inverse(offset), after.angular_velocities)
    turn = rotations.log(offset)
    return turn, change_of_log(turn, rates)


def change_of_log(turn: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Rates of (..., 3) rotation vectors whose rotations have (..., 3) angular velocities in their local frames."""
    angle = np.linalg.norm(turn, axis=-1, keepdims=True)
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    curl = np.where(small, 1 / 12 + angle**2 / 720, 1 / safe**2 - 0.5 / (safe * np.tan(safe / 2)))
    swept = np.cross(turn, rates)
    return rates + 0.5 * swept + curl * np.cross(turn, swept)


def _fade(
    gap: np.ndarray, change: np.ndarray, times: np.ndarray, length: float, settings: InertiaSettings
) -> np.ndarray:
    """(N, ..., 3) offsets that start at a gap (..., 3) with a rate of change, and are 0 after a length in seconds.

    The overshoot due to the rate grows with its decay time, so a high rate gets a shorter one.
    """
    times = times.reshape(-1, *[1] * gap.ndim)
    speed = np.linalg.norm(change, axis=-1, keepdims=True)
    allowed = np.maximum(settings.max_swing, np.linalg.norm(gap, axis=-1, keepdims=True))
    steady = allowed / np.maximum(PEAK_OF_SLOPE * speed, 1e-12)
    swing = np.minimum(length, np.maximum(steady, settings.shortest))  # (..., 1) seconds
    return gap * fade_value(times / length) + change * swing * fade_slope(times / swing)
