"""Strides: stride length and cadence, which are coupled in human gait (Alexander's relation)."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Skeleton, find_runs

GRAVITY = 9.81  # m/s²
HIP_HEIGHT = 1.08  # of leg length (hip to ankle): the ankle is above the floor
SWING = 0.45  # of leg length: minimum amplitude of the distance between the feet in a step
REACH = 0.2  # of leg length: minimum distance of the front foot ahead
MIN_STRIDE = 0.8  # of leg length; shorter ones are shuffling
MAX_UNEVEN = 1.5  # maximum ratio of the durations of the two steps of a stride
STANCE_SPEED = 0.4  # of the walking speed: a slower foot is in stance
WALK_FLIGHT = 0.05  # maximum flight share of a stride in a walk
WALK_DUTY = 0.5  # minimum duty factor in a walk
ENOUGH = 24  # maximum number of strides that are measured
RUN_FLIGHT = 0.15  # minimum flight share of a stride in a run


@dataclass(frozen=True)
class Stride:
    """Two steps straight ahead."""

    n_frames: int
    length: float  # metres
    duty: float  # duty factor: share of stance, mean of both feet
    flight: float  # share without any foot in stance
    flights: tuple[tuple[int, int], ...]  # frames [start, stop) of complete flights inside the stride

    @property
    def is_walk(self) -> bool:
        """Whether a foot is always on the floor; independent of the frame rate."""
        return self.flight <= WALK_FLIGHT and self.duty >= WALK_DUTY

    @property
    def is_run(self) -> bool:
        """Whether there is a flight between steps; independent of the frame rate."""
        return self.flight >= RUN_FLIGHT


def natural_speed(stride_length: float, leg_length: float) -> float:
    """The natural speed of strides of a length, metres per second."""
    hip_height = HIP_HEIGHT * leg_length
    return float(np.sqrt(natural_froude(stride_length / hip_height) * GRAVITY * hip_height))


def natural_froude(relative_stride: float) -> float:
    """The natural Froude number, speed² / (gravity * hip height), of strides of a length in hip heights.

    Alexander's relation for legged animals: stride / hip height = 2.3 * (Froude number) ^ 0.3.
    """
    return float((relative_stride / 2.3) ** (1 / 0.3))


def can_stride(skeleton: Skeleton) -> bool:
    """Whether the skeleton has the joints for detecting strides."""
    return (
        skeleton.has("left_hip", "right_hip", "left_knee", "right_knee", "left_foot", "right_foot")
        and skeleton.leg_length > 0
    )


def find_strides(skeleton: Skeleton, positions: np.ndarray) -> list[Stride]:
    """Detect the first strides straight ahead, overlapping by a step.

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
    """(F, 3) midpoint of the hip joints in metres, and (F, 3) the horizontal direction that the pelvis faces."""
    left, right = positions[:, skeleton.index("left_hip")], positions[:, skeleton.index("right_hip")]
    aside = left - right
    forward = np.stack([-aside[:, 2], np.zeros(len(aside)), aside[:, 0]], axis=1)  # aside x up
    return (left + right) / 2, forward / np.maximum(np.hypot(aside[:, 0], aside[:, 2]), 1e-9)[:, None]


def _foot_speeds(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """(F, 2) metres per frame of the slower of ankle and ball, left and right: the supporting point."""
    speeds = []
    for side in ("left", "right"):
        joints = [skeleton.index(f"{side}_{j}") for j in ("foot", "ball") if skeleton.has(f"{side}_{j}")]
        velocities = np.gradient(positions[:, joints], axis=0)
        speeds.append(np.linalg.norm(velocities, axis=2).min(axis=1))
    return np.stack(speeds, axis=1)


def _find_turns(values: np.ndarray, swing: float) -> list[int]:
    """Frames of the extrema of a signal (F,) with at least the given swing between them."""
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
