"""Bodies in the air: ranges of frames in which nothing carries a body, and it does not fall either."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Footing, Motion, Skeleton, find_runs, kinematics
from motionloom.quality.input_checks import check_points

HIGH = 0.1  # metres between the ground and the lowest point of a body from which on it is off the ground
SHORTEST = 0.3  # seconds; shorter ranges are hardly seen
TRUNK = 0.18  # of leg length: half the depth of a trunk, around its joints
LIMB = 0.06  # of leg length: half the thickness of arms and legs, around their joints and tips
END = 0.2  # of leg length: what hands and heads have beyond their joints, which few recordings include
GRAVITY = 9.81  # m/s²
FALLING = 0.5  # of gravity: mean downward acceleration from which on a body in the air is in free fall
_END_ROLES = ("head", "left_hand", "right_hand")
_TRUNK_ROLES = ("hips", "left_hip", "right_hip", "left_shoulder", "right_shoulder", "neck")


@dataclass(frozen=True)
class Hover:
    """A body in the air over the frames [start, stop), with nothing under it."""

    start: int
    stop: int
    height: float  # metres between the ground and its lowest point, the median


@dataclass(frozen=True)
class InTheAir:
    """Where a body is in the air without falling."""

    hovers: tuple[Hover, ...]
    longest_seconds: float  # 0 if there is none

    def describe(self) -> str:
        """One sentence for users."""
        if not self.hovers:
            return "the body is never in the air without falling"
        worst = max(self.hovers, key=lambda hover: hover.stop - hover.start)
        others = f", and in {len(self.hovers) - 1} more ranges" if len(self.hovers) > 1 else ""
        return (
            f"the body is in the air without falling in frames {worst.start} to {worst.stop - 1}, "
            f"{worst.height:.2f} m above what is under it{others}"
        )


def measure_air(
    motion: Motion, floor_height: float = 0.0, *, footing: Footing | None = None, points: np.ndarray | None = None
) -> InTheAir:
    """Find where a body is in the air: its lowest point is off the ground for a while, and it is not in free fall.

    Jumps and runs are in the air too, but fall with about the acceleration of gravity. Bodies that lie, sit, kneel or
    stand on their hands have a joint near the ground.

    Args:
        motion: any body with feet.
        floor_height: metres, world.
        footing: what is stood on besides the floor; None for nothing.
        points: (F, 4, 3) metres, world: heels and balls if they are computed already.
    """
    feet = check_points(motion, points, floor_height, footing)
    surface, positions = _surface(motion)
    lowest = find_clearance(np.concatenate([surface, feet], axis=1), floor_height, footing)
    shortest = SHORTEST * motion.fps
    hovers = []
    for start, stop in find_runs(lowest > HIGH):
        if stop - start > shortest and not _falls(positions[start:stop, :, 1].mean(axis=1), motion.fps):
            hovers.append(Hover(start, stop, float(np.median(lowest[start:stop]))))
    longest = max((hover.stop - hover.start for hover in hovers), default=0)
    return InTheAir(tuple(hovers), longest / motion.fps)


def find_clearance(points: np.ndarray, floor_height: float, footing: Footing | None) -> np.ndarray:
    """(F,) metres between the lowest of (F, K, 3) points and what is under it; NaN points do not count."""
    heights = np.where(np.isnan(points[..., 1]), np.inf, points[..., 1])
    if footing is None or footing.is_flat:
        return np.asarray(heights.min(axis=1) - floor_height)
    return np.asarray((heights - footing.under(np.nan_to_num(points))).min(axis=1))


def _surface(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(F, J + E, 3) metres: the lowest points of the body around its joints and tips, and (F, J, 3) the joints."""
    skeleton = motion.skeleton
    positions, turned = kinematics.world(motion)
    tips = kinematics.attached_positions(positions, turned, skeleton.end_parents, skeleton.end_offsets)
    surface = np.concatenate([positions, tips], axis=1)
    surface[..., 1] -= _thickness(skeleton) * (skeleton.leg_length or 0.8)
    return surface, positions


def _thickness(skeleton: Skeleton) -> np.ndarray:
    """(J + E,) of leg length: from the joints and tips of a body to its surface."""
    trunk = {joint for role in _TRUNK_ROLES if skeleton.has(role) for joint in skeleton.chain(skeleton.index(role))}
    ends = {skeleton.index(role) for role in _END_ROLES if skeleton.has(role)}
    feet = {skeleton.index(role) for role in ("left_foot", "right_foot") if skeleton.has(role)}
    joints = np.full(skeleton.n_joints, LIMB)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if joint in ends or (parent >= 0 and joints[parent] == END):
            joints[joint] = END
        elif joint in feet or (parent >= 0 and joints[parent] == 0):
            joints[joint] = 0.0  # heels and balls are measured themselves
        elif joint in trunk:
            joints[joint] = TRUNK
    return np.append(joints, joints[skeleton.end_parents])


def _falls(height: np.ndarray, fps: float) -> bool:
    """Whether (F,) mean heights of the joints follow a parabola that opens downwards with about gravity."""
    time = np.arange(len(height)) / fps
    acceleration = 2 * np.polynomial.Polynomial.fit(time, height, 2).convert().coef
    return bool(len(acceleration) > 2 and acceleration[2] < -FALLING * GRAVITY)
