"""The floor height of a motion, estimated from resting feet."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.velocities import speeds
from motionloom.motion import Motion, kinematics


@dataclass(frozen=True)
class FloorSettings:
    """Weights of resting feet, and the percentile of their heights that is the floor."""

    slow: float = 0.2  # metres per second: standard deviation of the Gaussian weight of a foot's speed
    slow_share: float = 0.3  # of the root's speed, if that is larger: feet slide in fast motion
    lowest_percent: float = 2.0  # heights below this percentile are outliers that penetrate the floor
    reach: float = 0.08  # metres above that percentile within which feet may rest
    floor_percent: float = 30.0  # weighted percentile of the resting heights


DEFAULT = FloorSettings()


def estimate_floor(motion: Motion, settings: FloorSettings = DEFAULT) -> float:
    """Estimate the floor height of a motion in metres, from where the balls of the feet rest.

    Works for standing, walking, running, jumping and short stays on stairs; without feet, from the lowest joints.
    """
    skeleton = motion.skeleton
    positions = kinematics.world_positions(motion)
    feet = [skeleton.index(role) for role in ("left_ball", "right_ball") if skeleton.has(role)]
    if not feet:
        return float(np.percentile(positions[..., 1].min(axis=1), 10))
    height = positions[:, feet, 1]
    limit = np.maximum(settings.slow, settings.slow_share * speeds(positions[:, 0], motion.fps))[:, None]
    resting = np.exp(-0.5 * (speeds(positions[:, feet], motion.fps) / limit) ** 2)
    resting = resting * (height <= np.percentile(height, settings.lowest_percent) + settings.reach)
    return _weighted_percentile(height.ravel(), resting.ravel() + 1e-12, settings.floor_percent)


def check_floor(floor_height: float) -> None:
    """Raise unless a floor height is finite."""
    if not np.isfinite(floor_height):
        raise BadInput(f"floor height must be finite, got {floor_height}; give it in metres")


def _weighted_percentile(values: np.ndarray, weights: np.ndarray, percent: float) -> float:
    order = values.argsort()
    passed = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(passed, percent / 100 * passed[-1])]])
