"""MovingPose: a pose with its velocity, estimated from a motion."""

from dataclasses import dataclass, replace

import numpy as np

from motionloom.blending.splice import Meeting, check_frame
from motionloom.errors import BadInput
from motionloom.motion import Motion, Placement, check_motion, place_points, rotations

VELOCITY_SECONDS = 5 / 60  # around a frame, from which its velocity is estimated


@dataclass(frozen=True, eq=False)
class MovingPose:
    """A skeleton's configuration in one frame, and its velocity."""

    root_position: np.ndarray  # (3,) metres, world
    local_rotations: np.ndarray  # (J, 4) joint to parent; the root's to the world
    root_velocity: np.ndarray  # (3,) metres per second, world
    angular_velocities: np.ndarray  # (J, 3) radians per second in the joint's local frame: q' = q exp(w dt)

    @property
    def n_joints(self) -> int:
        return len(self.local_rotations)

    @property
    def is_finite(self) -> bool:
        """Whether all values are finite."""
        values = self.root_position, self.local_rotations, self.root_velocity, self.angular_velocities
        return all(bool(np.isfinite(value).all()) for value in values)


def read_pose(motion: Motion, frame: int, *, seconds: float = VELOCITY_SECONDS) -> MovingPose:
    """The pose of a frame with its velocity, from filtered finite differences over a few frames around it.

    Single differences carry the noise of single frames; what must be continuous at a join is the movement over a few
    of them (Gleicher et al. 2003, section 4.2.1). A motion of one frame has velocity 0.

    Args:
        motion: F frames.
        frame: of the motion.
        seconds: width of the window, clipped at the ends of the motion.
    """
    motion = check_motion(motion)
    frame = check_frame(frame, motion.n_frames, "frame", "the motion")
    return _read(motion, frame, seconds)


def place_pose(pose: MovingPose, placement: Placement) -> MovingPose:
    """Move a pose over the ground, with its velocity."""
    local_rotations = pose.local_rotations.copy()
    local_rotations[0] = rotations.multiply(rotations.about_y(placement.heading), pose.local_rotations[0])
    turn = Placement(placement.heading, np.zeros(2))
    return replace(
        pose,
        root_position=place_points(pose.root_position, placement),
        local_rotations=local_rotations,
        root_velocity=place_points(pose.root_velocity, turn),
    )


def poses_at(meeting: Meeting, seconds: float = VELOCITY_SECONDS) -> tuple[MovingPose, MovingPose]:
    """The poses of both motions in the instant of meeting; a motion of one frame gets the velocity of the other."""
    first = _read(meeting.first, meeting.leave, seconds)
    second = _read(meeting.second, meeting.enter, seconds)
    if meeting.first.n_frames == 1:
        first = _moving_like(first, second)
    if meeting.second.n_frames == 1:
        second = _moving_like(second, first)
    return first, second


def _moving_like(pose: MovingPose, other: MovingPose) -> MovingPose:
    """A pose with the velocity of another; angular velocities are equal in the parents' frames."""
    from_parent = rotations.rotate(other.local_rotations, other.angular_velocities)
    own = rotations.rotate(rotations.inverse(pose.local_rotations), from_parent)
    return replace(pose, root_velocity=other.root_velocity, angular_velocities=own)


def _read(motion: Motion, frame: int, seconds: float) -> MovingPose:
    if not 0 <= seconds < np.inf:
        raise BadInput(f"the window of a velocity must be 0 (adjacent frames) or more seconds, got {seconds}")
    half = max(1, round(seconds * motion.fps / 2))
    start, stop = max(0, frame - half), min(motion.n_frames - 1, frame + half)
    root, local = motion.root_positions, motion.local_rotations
    pose = MovingPose(root[frame], local[frame], np.zeros(3), np.zeros((local.shape[1], 3)))
    if start == stop:
        return pose
    weights = _filter(np.arange(start, stop) + 0.5 - frame, half)
    steps = rotations.log(
        rotations.multiply(local[start + 1 : stop + 1], rotations.inverse(local[start:stop]))
    )  # (N, J, 3) in the parent's frame, where they may be averaged
    turning = np.einsum("n,njc->jc", weights, steps) * motion.fps
    return replace(
        pose,
        root_velocity=weights @ np.diff(root[start : stop + 1], axis=0) * motion.fps,
        angular_velocities=rotations.rotate(rotations.inverse(local[frame]), turning),
    )


def _filter(times: np.ndarray, half: int) -> np.ndarray:
    """(N,) weights of differences at these times, in frames, that give the velocity at time 0.

    A mean with a Hann window if the window is complete. If it is clipped at an end of the motion, the value at time 0
    of the line fitted with the same weights: a mean alone would lag by half a window.
    """
    bell = np.cos(np.pi * times / (2 * half + 1)) ** 2
    bell = bell / bell.sum()
    middle = bell @ times
    spread = bell @ (times - middle) ** 2
    if spread < 1e-12:
        return bell
    return bell * (1.0 - middle * (times - middle) / spread)
