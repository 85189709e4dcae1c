"""Strides: how long steps are for how fast they follow each other, which people cannot choose freely."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Skeleton, find_runs

GRAVITY = 9.81  # m/s²
HIP_HEIGHT = 1.08  # of hip-knee-ankle length: the ankle is above the floor
SWING = 0.45  # of leg length: the feet pass each other by at least this much in a step
REACH = 0.2  # of leg length: how far the front foot is ahead at least
MIN_STRIDE = 0.8  # of leg length; shorter ones are shuffling
MAX_UNEVEN = 1.5  # the longer step of a stride takes at most this many times the shorter one
STANCE_SPEED = 0.4  # of the walking speed: a slower foot stands
WALK_FLIGHT = 0.05  # part of a stride without any foot on the floor, at most, in a walk
WALK_DUTY = 0.5  # part of a stride that each foot stands, at least, in a walk
ENOUGH = 24  # strides; more would say nothing new
RUN_FLIGHT = 0.15  # part of a stride without any foot on the floor, at least, in a run


@dataclass(frozen=True)
class Stride:
    """Two steps straight ahead."""

    n_frames: int
    length: float  # metres
    duty: float  # part of the time that a foot stands, mean of both
    flight: float  # part of the time that none stands
    flights: tuple[tuple[int, int], ...]  # frames [start, stop) of whole flights inside the stride

    @property
    def is_walk(self) -> bool:
        """Walks always have a foot on the floor, whatever the frame rate."""
        return self.flight <= WALK_FLIGHT and self.duty >= WALK_DUTY

    @property
    def is_run(self) -> bool:
        """Runs fly between steps, whatever the frame rate."""
        return self.flight >= RUN_FLIGHT


def natural_speed(stride_length: float, leg_length: float) -> float:
    """Metres per second at which people take strides of a length.

    Alexander's relation for all animals on legs: stride / hip height = 2.3 * (Froude number) ^ 0.3.
    """
    hip_height = HIP_HEIGHT * leg_length
    froude = (stride_length / hip_height / 2.3) ** (1 / 0.3)
    return float(np.sqrt(froude * GRAVITY * hip_height))


def can_stride(skeleton: Skeleton) -> bool:
    """Whether the skeleton has the joints that strides are told from."""
    return (
        skeleton.has("left_hip", "right_hip", "left_knee", "right_knee", "left_foot", "right_foot")
        and skeleton.leg_length > 0
    )


def find_strides(skeleton: Skeleton, positions: np.ndarray) -> list[Stride]:
    """Find the first strides straight ahead, overlapping by a step.

    Args:
        skeleton: one for which `can_stride`.
        positions: (F, J, 3) metres, y up.
    """
    leg = skeleton.leg_length
    hips, forward = _find_forward(skeleton, positions)
    between_feet = positions[:, skeleton.index("left_foot")] - positions[:, skeleton.index("right_foot")]
    ahead = (between_feet * forward).sum(axis=1)  # (F,) metres, positive where the left foot leads
    turns = _find_turns(ahead, SWING * leg)[1:]
    foot_speeds = _foot_speeds(skeleton, positions)
    strides = []
    for first, middle, last in zip(turns, turns[1:], turns[2:]):
        stride = _measure(ahead[[first, middle, last]], (first, middle, last), hips, forward, foot_speeds, leg)
        if stride is not None:
            strides.append(stride)
        if len(strides) >= ENOUGH:
            break
    return strides


def _measure(
    reaches: np.ndarray,
    frames: tuple[int, int, int],
    hips: np.ndarray,
    forward: np.ndarray,
    foot_speeds: np.ndarray,
    leg: float,
) -> Stride | None:
    first, middle, last = frames
    steps = middle - first, last - middle
    alternate = reaches[0] * reaches[1] < 0 and reaches[1] * reaches[2] < 0 and (np.abs(reaches) > REACH * leg).all()
    if not alternate or min(steps) < 2 or max(steps) > MAX_UNEVEN * min(steps):
        return None
    way = (hips[last] - hips[first]) * np.array([1.0, 0.0, 1.0])
    length = float(way @ forward[first:last].mean(axis=0))
    if length < MIN_STRIDE * leg or np.linalg.norm(way) > 1.15 * length:
        return None
    stands = foot_speeds[first:last] < STANCE_SPEED * length / (last - first)  # (N, 2)
    flying = np.asarray((~stands).all(axis=1))
    flights = tuple((first + a, first + b) for a, b in find_runs(flying) if a > 0 and b < len(flying))
    return Stride(last - first, length, float(stands.mean()), float(flying.mean()), flights)


def _find_forward(skeleton: Skeleton, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) metres between the hip joints, and (F, 3) the level direction that the pelvis faces."""
    left, right = positions[:, skeleton.index("left_hip")], positions[:, skeleton.index("right_hip")]
    forward = np.cross(left - right, np.array([0.0, 1.0, 0.0]))
    return (left + right) / 2, forward / np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-9)


def _foot_speeds(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """(F, 2) metres per frame of the slower of ankle and ball, left and right: the one the foot stands on."""
    speeds = []
    for side in ("left", "right"):
        joints = [skeleton.index(f"{side}_{j}") for j in ("foot", "ball") if skeleton.has(f"{side}_{j}")]
        velocities = np.gradient(positions[:, joints], axis=0)
        speeds.append(np.linalg.norm(velocities, axis=2).min(axis=1))
    return np.stack(speeds, axis=1)


def _find_turns(values: np.ndarray, swing: float) -> list[int]:
    """Frames where a signal (F,) turns back, counting only swings of a given size."""
    turns: list[int] = []
    direction, high, low, high_at, low_at = 0, values[0], values[0], 0, 0
    for frame, value in enumerate(values.tolist()):
        if direction >= 0:
            if value > high:
                high, high_at = value, frame
            elif value < high - swing:
                turns.append(high_at)
                direction, low, low_at = -1, value, frame
        if direction <= 0:
            if value < low:
                low, low_at = value, frame
            elif value > low + swing:
                turns.append(low_at)
                direction, high, high_at = 1, value, frame
    return turns
