"""The floor height of a motion, estimated from resting feet."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.features.feet import SIDES, end_of_foot
from motionloom.features.velocities import speeds
from motionloom.motion import Motion, Skeleton, kinematics


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
ANKLE_HEIGHT = 0.065  # of the leg's length: height of an ankle above the ball of its foot when that is flat
SHORTEST_FOOT = 0.05  # of the leg's length: nearer ends of feet are at the ankle


def estimate_floor(motion: Motion, settings: FloorSettings = DEFAULT) -> float:
    """Estimate the floor height of a motion in metres, from where the balls of the feet rest.

    Works for standing, walking, running, jumping and short stays on stairs. Feet without a ball rest on their end, or
    below the ankle, the farther the longer the legs; without feet, the lowest joints are on the floor.
    """
    soles = _find_soles(motion)
    if not soles.shape[1]:
        return float(np.percentile(kinematics.world_positions(motion)[..., 1].min(axis=1), 10))
    height, resting = _resting(soles, motion, settings)
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
        motion: any; one without feet rests nowhere.
        floor_height: metres, world.
        settings: weights of resting feet.
    """
    soles = _find_soles(motion)
    if not soles.shape[1]:
        return False
    height, resting = _resting(soles, motion, settings)
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
    _, resting = _resting(_find_soles(motion), motion, settings)
    lowest = np.percentile(kinematics.world_positions(motion)[..., 1].min(axis=1), settings.lowest_percent)
    return bool(resting.sum() < MIN_REST * motion.fps and lowest > floor_height - settings.reach / 2)


def _find_soles(motion: Motion) -> np.ndarray:
    """(F, K, 3) metres, world: the points of the feet that rest on the floor."""
    skeleton = motion.skeleton
    positions, turned = kinematics.world(motion)
    balls = [skeleton.index(role) for role in ("left_ball", "right_ball") if skeleton.has(role)]
    if balls:
        return np.asarray(positions[:, balls])
    ankles = [skeleton.index(f"{side}_foot") for side in SIDES if skeleton.has(f"{side}_foot")]
    soles = np.empty((motion.n_frames, len(ankles), 3))
    for number, ankle in enumerate(ankles):
        end, leg = end_of_foot(skeleton, ankle), _leg_length(skeleton, ankle)
        if np.linalg.norm(end) > SHORTEST_FOOT * leg:  # false for NaN
            soles[:, number] = kinematics.attached_positions(positions, turned, np.array([ankle]), end[None])[:, 0]
        else:
            soles[:, number] = positions[:, ankle] - np.array([0.0, ANKLE_HEIGHT * leg, 0.0])
    return soles


def _leg_length(skeleton: Skeleton, ankle: int) -> float:
    """Metres; without a knee, the distance from the hips to the ankle in the rest pose."""
    return skeleton.leg_length or float(np.linalg.norm(skeleton.rest_positions[ankle] - skeleton.rest_positions[0]))


def _resting(soles: np.ndarray, motion: Motion, settings: FloorSettings) -> tuple[np.ndarray, np.ndarray]:
    """(F, K) heights of (F, K, 3) points of the feet in metres, and (F, K) weights: how much each rests."""
    root_speeds = speeds(np.asarray(motion.root_positions, float), motion.fps)
    limit = np.maximum(settings.slow, settings.slow_share * root_speeds)[:, None]
    return soles[..., 1], np.exp(-0.5 * (speeds(soles, motion.fps) / limit) ** 2)


def check_floor(floor_height: float) -> None:
    """Raise unless a floor height is finite."""
    if not np.isfinite(floor_height):
        raise BadInput(f"floor height must be finite, got {floor_height}; give it in metres")


def _weighted_percentile(values: np.ndarray, weights: np.ndarray, percent: float) -> float:
    order = values.argsort()
    passed = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(passed, percent / 100 * passed[-1])]])
