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
    least_share: float = 0.1  # of the time that feet rest; where they rest for less they penetrate the floor


DEFAULT = FloorSettings()
MIN_REST = 1.0  # seconds that feet rest in all; less says nothing about where they usually do


def estimate_floor(motion: Motion, settings: FloorSettings = DEFAULT) -> float:
    """Estimate the floor height of a motion in metres, from where the balls of the feet rest.

    Works for standing, walking, running, jumping and short stays on stairs; without feet, from the lowest joints.
    """
    skeleton = motion.skeleton
    positions = kinematics.world_positions(motion)
    feet = [skeleton.index(role) for role in ("left_ball", "right_ball") if skeleton.has(role)]
    if not feet:
        return float(np.percentile(positions[..., 1].min(axis=1), 10))
    height, resting = _resting(positions, feet, motion.fps, settings)
    rested = float(resting.sum()) / motion.fps  # seconds
    least = settings.least_share * rested * motion.fps if rested > MIN_REST else 0.0
    above = np.ones(height.shape, bool)
    while True:
        top = np.percentile(height[above], settings.lowest_percent) + settings.reach
        near = above & (height <= top)
        if (resting * near).sum() >= least or not (height > top).any():
            return _weighted_percentile(height.ravel(), (resting * near).ravel() + 1e-12, settings.floor_percent)
        above = height > top  # nobody stands below


def rests_on(motion: Motion, floor_height: float, settings: FloorSettings = DEFAULT) -> bool:
    """Whether feet rest on a floor at a height, for at least the least share of the time that they rest at all.

    Args:
        motion: any; one without balls of the feet rests nowhere.
        floor_height: metres, world.
        settings: weights of resting feet.
    """
    skeleton = motion.skeleton
    feet = [skeleton.index(role) for role in ("left_ball", "right_ball") if skeleton.has(role)]
    if not feet:
        return False
    height, resting = _resting(kinematics.world_positions(motion), feet, motion.fps, settings)
    near = np.abs(height - floor_height) <= settings.reach / 2
    rested = max(float(resting.sum()), MIN_REST * motion.fps)
    return bool((resting * near).sum() >= settings.least_share * rested)


def floats_above(motion: Motion, floor_height: float, settings: FloorSettings = DEFAULT) -> bool:
    """Whether feet hardly rest anywhere, as in swimming or in flight, and no joint is clearly below a floor.

    Such a motion says nothing about its floor except that it is not higher.

    Args:
        motion: any.
        floor_height: metres, world.
        settings: weights of resting feet.
    """
    skeleton, positions = motion.skeleton, kinematics.world_positions(motion)
    feet = [skeleton.index(role) for role in ("left_ball", "right_ball") if skeleton.has(role)]
    _, resting = _resting(positions, feet, motion.fps, settings)
    lowest = np.percentile(positions[..., 1].min(axis=1), settings.lowest_percent)
    return bool(resting.sum() < MIN_REST * motion.fps and lowest > floor_height - settings.reach / 2)


def _resting(
    positions: np.ndarray, feet: list[int], fps: float, settings: FloorSettings
) -> tuple[np.ndarray, np.ndarray]:
    """(F, K) heights of the balls of the feet in metres, and (F, K) weights: how much each rests."""
    limit = np.maximum(settings.slow, settings.slow_share * speeds(positions[:, 0], fps))[:, None]
    return positions[:, feet, 1], np.exp(-0.5 * (speeds(positions[:, feet], fps) / limit) ** 2)


def check_floor(floor_height: float) -> None:
    """Raise unless a floor height is finite."""
    if not np.isfinite(floor_height):
        raise BadInput(f"floor height must be finite, got {floor_height}; give it in metres")


def _weighted_percentile(values: np.ndarray, weights: np.ndarray, percent: float) -> float:
    order = values.argsort()
    passed = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(passed, percent / 100 * passed[-1])]])
