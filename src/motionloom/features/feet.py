"""Foot points: positions of heels and balls of the feet."""

import numpy as np

from motionloom.errors import SkeletonMismatch
from motionloom.features.velocities import speeds
from motionloom.motion import Ground, Motion, Skeleton, kinematics

SIDES = ("left", "right")
POINTS = ("left_heel", "left_ball", "right_heel", "right_ball")
SLOW = 0.2  # metres per second; a point that rests on the floor is slower
SLOW_ANKLES = (SLOW, 2 * SLOW, 4 * SLOW, 8 * SLOW)  # tried in turn until an ankle has enough resting frames
LOW = 0.10  # metres above the floor; a resting point of the foot is lower
ENOUGH_FRAMES = 5  # resting frames needed for a rest height


def columns_of(side: str) -> list[int]:
    """The columns of `POINTS` that are of the left or the right foot."""
    return [column for column, point in enumerate(POINTS) if point.startswith(side)]


def foot_points(
    motion: Motion,
    floor_height: float,
    *,
    like: Motion | None = None,
    heels: np.ndarray | None = None,
    ground: Ground | None = None,
) -> np.ndarray:
    """Positions of `POINTS`: (F, 4, 3) metres, world; NaN for feet that the skeleton does not have.

    The heel is a virtual point below and behind the ankle, as far below as the ankle is high when the foot rests. The
    ball is the toe joint, not the toe end, which penetrates the floor in many recordings.

    Args:
        motion: whose feet.
        floor_height: metres, world.
        like: the motion of the same skeleton that gives the rest heights of the ankles, so that an edited motion has
            the heel offsets of its source; None for the motion itself.
        heels: (2, 3) from `heel_offsets`, if they are computed already.
        ground: that the motion is on, if it is known: ankles rest above its surface; None for the floor.
    """
    positions, turned = kinematics.world(motion)
    if like is not None and like.skeleton != motion.skeleton:
        raise SkeletonMismatch(
            f"skeletons '{motion.skeleton.name}' and '{like.skeleton.name}' differ; heel offsets need one skeleton"
        )
    if heels is None:
        source, places = (motion, positions) if like is None else (like, kinematics.world_positions(like))
        heels = _heels(source, places, floor_height, ground)
    points = np.full((motion.n_frames, len(POINTS), 3), np.nan)
    for number, side in enumerate(SIDES):
        if not motion.skeleton.has(f"{side}_foot"):
            continue
        ankle, heel = motion.skeleton.index(f"{side}_foot"), heels[number]
        points[:, 2 * number] = kinematics.attached_positions(positions, turned, np.array([ankle]), heel[None])[:, 0]
        joint, offset = _ball(motion.skeleton, side, ankle)
        points[:, 2 * number + 1] = kinematics.attached_positions(positions, turned, np.array([joint]), offset[None])[
            :, 0
        ]
    return points


def heel_offsets(motion: Motion, floor_height: float, ground: Ground | None = None) -> np.ndarray:
    """Heel offsets: (2, 3) metres in the local frames of the ankles, left and right; NaN without that foot."""
    return _heels(motion, kinematics.world_positions(motion), floor_height, ground)


def rest_height(point: np.ndarray, fps: float, floor_height: float | np.ndarray, slow: float = SLOW) -> float | None:
    """The rest height of a (F, 3) point above the floor: its median height while slow and low; None if never.

    The floor height is in metres, world; or (F,) heights of what is under the point.
    """
    height = point[:, 1] - floor_height
    resting = (speeds(point, fps) < slow) & (height < LOW)
    return float(np.median(height[resting])) if resting.sum() >= ENOUGH_FRAMES else None


def _heels(motion: Motion, positions: np.ndarray, floor_height: float, ground: Ground | None) -> np.ndarray:
    heels = np.full((len(SIDES), 3), np.nan)
    for number, side in enumerate(SIDES):
        if motion.skeleton.has(f"{side}_foot"):
            ankle = positions[:, motion.skeleton.index(f"{side}_foot")]
            under = floor_height if ground is None or ground.is_flat else ground.supports_at(ankle)
            heels[number] = motion.skeleton.heel_offset(side, _ankle_rest(ankle, motion.fps, under))
    return heels


def _ankle_rest(ankle: np.ndarray, fps: float, floor_height: float | np.ndarray) -> float | None:
    """The rest height of an ankle; in runs, where it never rests, its height when slowest."""
    rests = (rest_height(ankle, fps, floor_height, slow) for slow in SLOW_ANKLES)
    return next((rest for rest in rests if rest is not None), None)


def _ball(skeleton: Skeleton, side: str, ankle: int) -> tuple[int, np.ndarray]:
    """The joint of the ball of the foot, and the offset of the ball in its local frame."""
    if skeleton.has(f"{side}_ball"):
        return skeleton.index(f"{side}_ball"), np.zeros(3)
    return ankle, end_of_foot(skeleton, ankle)


def has_points(skeleton: Skeleton) -> np.ndarray:
    """(4,) bool: which of `POINTS` a skeleton has; a foot without toes or an end has a heel alone."""
    found = np.zeros(len(POINTS), bool)
    for side in SIDES:
        if skeleton.has(f"{side}_foot"):
            ball = _ball(skeleton, side, skeleton.index(f"{side}_foot"))[1]
            found[columns_of(side)] = True, bool(np.isfinite(ball).all())
    return found


def end_of_foot(skeleton: Skeleton, ankle: int) -> np.ndarray:
    """Offset of the end of a foot without a ball, (3,) metres in the ankle's frame; NaN without an end."""
    ends = np.flatnonzero(skeleton.end_parents == ankle)
    return skeleton.end_offsets[ends[0]] if len(ends) else np.full(3, np.nan)
