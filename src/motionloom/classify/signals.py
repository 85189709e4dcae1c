"""Features of a window: joint positions, travel, turning, pose and speeds of the body, over several time spans."""

import numpy as np

from motionloom.features import velocities
from motionloom.features.velocities import seen_from
from motionloom.motion import Skeleton
from motionloom.motion.roles import SIDES

ROLES = ("head", "chest", *(f"{side}_{limb}" for side in SIDES for limb in ("hand", "elbow", "foot", "knee")))
TRAVEL_SPANS = (0.15, 0.5, 0.75, 1.25)  # seconds over which travel is averaged
POSE_SPANS = (0.15, 0.5)  # seconds over which joint positions are averaged
SPEED_SPANS = (0.15, 0.5, 1.0)  # seconds over which joint speeds are averaged
EXTREME_SPAN = 0.5  # seconds of the running maximum and minimum
GRAVITY = 10.0  # metres per second squared, rounded


def window_positions(
    positions: np.ndarray, headings: np.ndarray, ground: np.ndarray, middles: np.ndarray, offsets: np.ndarray
) -> np.ndarray:
    """Joint positions around frames, relative to the facing in each: (W, T J 3) metres.

    Args:
        positions: (F, J, 3) metres, world.
        headings: (F,) radians.
        ground: (F, 2) metres along x and z.
        middles: (W,) int, middle frames of the windows.
        offsets: (T,) int, frames before and after them; clamped at the ends of the motion.
    """
    frames = np.clip(middles[:, None] + offsets, 0, len(positions) - 1)  # (W, T)
    origin = np.stack([ground[middles, 0], np.zeros(len(middles)), ground[middles, 1]], axis=-1)
    moved = (positions[frames] - origin[:, None, None]).reshape(len(middles), -1, 3)
    return seen_from(headings[middles], moved).reshape(len(middles), -1)


def body_signals(
    skeleton: Skeleton, positions: np.ndarray, headings: np.ndarray, ground: np.ndarray, fps: float
) -> dict[str, np.ndarray]:
    """Features by group, (F, S) each, in leg lengths and seconds: travel, pose, and movement of joints.

    Args:
        skeleton: of J joints.
        positions: (F, J, 3) metres, world, floor at y = 0.
        headings: (F,) radians, unwrapped.
        ground: (F, 2) metres along x and z, under the hips.
        fps: frames per second.
    """
    leg, n_frames = skeleton.leg_length, len(positions)
    hips = positions[:, skeleton.index("hips")]
    joints = [skeleton.index(role) for role in ROLES if skeleton.has(role)]
    origin = np.stack([ground[:, 0], np.zeros(n_frames), ground[:, 1]], axis=-1)
    places = seen_from(headings, positions[:, joints] - origin[:, None]) / leg  # (F, K, 3)
    travel = seen_from(headings, velocities.velocities(hips[:, None], fps))[:, 0] / leg  # (F, 3)
    speed = np.hypot(travel[:, :1], travel[:, 2:])
    yaw_rate = velocities.velocities(headings[:, None], fps)
    height = hips[:, 1:2] / leg
    lean = _lean(skeleton, positions, headings)
    low = _lowest_foot(skeleton, positions) / leg
    lift = velocities.accelerations(hips[:, 1:2], fps) / GRAVITY
    root = np.concatenate([travel, speed, yaw_rate, np.abs(yaw_rate), height], axis=1)
    pose = np.concatenate([places.reshape(n_frames, -1), lean, low, lift], axis=1)
    speeds = np.linalg.norm(velocities.velocities(positions[:, joints], fps), axis=-1) / leg
    moves = velocities.velocities(places, fps).reshape(n_frames, -1)
    heights = np.concatenate([places[..., 1], height, low, lean[:, 1:2], travel[:, 1:2], speed], axis=1)
    return {
        "travel": np.concatenate([average(root, span * fps) for span in TRAVEL_SPANS], axis=1),
        "pose": np.concatenate([average(pose, span * fps) for span in POSE_SPANS], axis=1),
        "speeds": np.concatenate([average(speeds, span * fps) for span in SPEED_SPANS], axis=1),
        "moves": average(moves, POSE_SPANS[0] * fps),
        "extremes": np.concatenate(_extremes(heights, EXTREME_SPAN * fps), axis=1),
    }


def average(values: np.ndarray, span: float) -> np.ndarray:
    """(F, ...) running means over about span frames; ends are padded with the end values."""
    half = round(max(span - 1, 0) / 2)
    padded = np.concatenate([np.repeat(values[:1], half, axis=0), values, np.repeat(values[-1:], half, axis=0)])
    sums = np.cumsum(np.concatenate([np.zeros_like(padded[:1]), padded]), axis=0)
    width = 2 * half + 1
    return (sums[width:] - sums[:-width]) / width


def _extremes(values: np.ndarray, span: float) -> tuple[np.ndarray, np.ndarray]:
    from scipy.ndimage import maximum_filter1d, minimum_filter1d

    width = 2 * round(max(span - 1, 0) / 2) + 1
    return (
        minimum_filter1d(values, width, axis=0, mode="nearest"),
        maximum_filter1d(values, width, axis=0, mode="nearest"),
    )


def _lean(skeleton: Skeleton, positions: np.ndarray, headings: np.ndarray) -> np.ndarray:
    """(F, 3) direction of the spine relative to the facing; straight up if the skeleton has no spine roles."""
    top = next((role for role in ("chest", "neck", "head") if skeleton.has(role)), None)
    if top is None:
        return np.tile([0.0, 1.0, 0.0], (len(positions), 1))
    spine = positions[:, skeleton.index(top)] - positions[:, skeleton.index("hips")]
    length = np.maximum(np.linalg.norm(spine, axis=-1, keepdims=True), 1e-9)
    return seen_from(headings, (spine / length)[:, None])[:, 0]


def _lowest_foot(skeleton: Skeleton, positions: np.ndarray) -> np.ndarray:
    """(F, 1) height of the lower foot above the floor, metres."""
    feet = [skeleton.index(role) for role in ("left_foot", "right_foot") if skeleton.has(role)]
    return positions[:, feet, 1].min(axis=1, keepdims=True) if feet else np.zeros((len(positions), 1))
