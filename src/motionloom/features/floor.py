"""Where the floor is under a take."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.velocities import speeds
from motionloom.motion import Motion, kinematics


@dataclass(frozen=True)
class FloorSettings:
    """What counts as resting on the floor, and which of the resting heights is the floor."""

    slow: float = 0.2  # metres per second: a ball of the foot at this speed half counts as resting
    slow_share: float = 0.3  # of the root's speed, where that is more: feet slide in fast motion
    lowest_percent: float = 2.0  # heights below this percentile are feet that sink, not the floor
    reach: float = 0.08  # metres above it within which resting feet may be
    floor_percent: float = 30.0  # of the resting heights lie below the floor


USUAL = FloorSettings()


def estimate_floor(motion: Motion, settings: FloorSettings = USUAL) -> float:
    """Estimate the height of the floor under a motion, in metres: where the balls of the feet rest.

    Works for standing, walking, running, jumping and short spells on steps; without feet the lowest points count.
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
    """Refuse a floor that is nowhere."""
    if not np.isfinite(floor_height):
        raise BadInput(f"floor_height is {floor_height}; give the height of the floor in metres")


def _weighted_percentile(values: np.ndarray, weights: np.ndarray, percent: float) -> float:
    order = values.argsort()
    passed = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(passed, percent / 100 * passed[-1])]])
