"""The plumb line of a recording: which way is up, from free fall and from balance over resting feet.

Both are physics and do not depend on what the body does, nor on the axes of the file. In free fall nothing but gravity
accelerates the centre of mass. A body that only its feet carry has its centre of mass above them, or it would fall.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom.formats.detection.centre_of_mass import centre_of_mass, fit_parabola, has_mass
from motionloom.formats.detection.gait import GRAVITY
from motionloom.motion import Motion, Skeleton, find_runs, kinematics

CLEAR = 0.9  # minimum component of the mean direction along an axis; 25 degrees off

SAMPLES = 30.0  # frames per second at which speeds are compared
AT_REST = 0.25  # of the slower of hips and head: slower joints are at rest, whatever the unit and the rate
MIN_BALANCE = 0.5  # seconds of balance that are clear
SAME_HEIGHT = 0.4  # of the height of the centre of mass: range of the heights at which feet rest on one floor
STEPS_BALANCE = 2.0  # seconds of balance that are clear on several heights, such as stairs, ...
STEPS_SHARE = 0.95  # ... of which this share is within 37 degrees of the axis

FALL = (0.65, 1.4)  # of gravity: accelerations of free fall
FALL_SECONDS = 0.2  # length of the parabolas that are fitted
FALL_RESIDUAL = 0.004  # metres: maximum residual of the centre of mass from a parabola
FEET_MOVE, HANDS_MOVE = 0.5, 0.25  # metres per second: nothing that carries the body moves faster
TRUNK_SHARE = 0.4  # of the acceleration: minimum of the trunk alone, else a limb has an artefact
MIN_FALLS = 3  # that are clear

_CARRYING = tuple(f"{side}_{joint}" for side in ("left", "right") for joint in ("knee", "hand", "elbow"))


@dataclass(frozen=True)
class Plumb:
    """The mean up direction that a witness gives."""

    axis: str  # the axis next to it: y, -z, ...
    share: float  # its component along that axis
    is_clear: bool


def main_axis(direction: np.ndarray) -> tuple[str, float]:
    """The axis, such as "-z", along which a direction (3,) is largest, and its component there."""
    main = int(np.abs(direction).argmax())
    return ("-" if direction[main] < 0 else "") + "xyz"[main], float(abs(direction[main]))


def find_balance(motion: Motion) -> Plumb | None:
    """Up, from the centre of mass above resting feet while nothing else carries the body; None if that never happens.

    Speeds are only compared with each other, so that neither unit nor frame rate matter.

    Args:
        motion: in any unit and axes.
    """
    skeleton = motion.skeleton
    if not has_mass(skeleton) or not any(_foot_joints(skeleton)):
        return None
    step = max(1, round(motion.fps / SAMPLES))
    positions, _ = kinematics.forward(skeleton, motion.root_positions[::step], motion.local_rotations[::step])
    if len(positions) < 3:
        return None
    speeds = partial(_speeds, positions)
    positions = positions[1:-1]
    quiet = AT_REST * speeds([skeleton.index("hips"), skeleton.index("head")]).min(axis=1)  # (F,)
    carried = (speeds([skeleton.index(role) for role in _CARRYING if skeleton.has(role)]) < quiet[:, None]).any(axis=1)
    feet, rests = _resting_feet(skeleton, positions, speeds, quiet)
    balanced = rests & ~carried
    if not balanced.any():
        return None
    above = centre_of_mass(skeleton, positions[balanced])[0] - feet[balanced]  # (N, 3)
    axis, share = main_axis(_unit(above).mean(axis=0))
    seconds = balanced.sum() * step / motion.fps
    one_floor = seconds >= MIN_BALANCE and _on_one_floor(feet[balanced], above, axis)
    steps = seconds >= STEPS_BALANCE and _is_steady(above, axis)
    return Plumb(axis, share, bool(share >= CLEAR and (one_floor or steps)))


def find_free_fall(motion: Motion) -> Plumb | None:
    """Up, against the acceleration of the centre of mass in free fall; None if the body never falls freely.

    Args:
        motion: in metres, any axes.
    """
    skeleton = motion.skeleton
    if not has_mass(skeleton) or not any(_foot_joints(skeleton)):
        return None
    positions = kinematics.world_positions(motion)
    n = max(6, round(FALL_SECONDS * motion.fps))
    if len(positions) < n:
        return None
    centre, trunk = centre_of_mass(skeleton, positions)
    ups = []
    for start, stop in find_runs(_loose(skeleton, positions, motion.fps)):
        ups += _falls(centre[start:stop] * motion.fps**2, trunk[start:stop] * motion.fps**2, n, motion.fps)
    if not ups:
        return None
    axis, share = main_axis(np.mean(ups, axis=0))
    return Plumb(axis, share, share >= CLEAR and len(ups) >= MIN_FALLS)


def _falls(centre: np.ndarray, trunk: np.ndarray, n: int, fps: float) -> list[np.ndarray]:
    """The up directions (3,) of the parabolas of n frames that do not overlap; positions in metres times fps²."""
    ups, start = list[np.ndarray](), 0
    while start + n <= len(centre):
        pull, residual = fit_parabola(centre[start : start + n])
        size = float(np.linalg.norm(pull))
        trunk_pull, _ = fit_parabola(trunk[start : start + n])
        smooth = residual < FALL_RESIDUAL * fps**2 and FALL[0] * GRAVITY < size < FALL[1] * GRAVITY
        if smooth and trunk_pull @ pull > TRUNK_SHARE * size**2:
            ups.append(-pull / size)
            start += n
        else:
            start += max(1, n // 8)
    return ups


def _loose(skeleton: Skeleton, positions: np.ndarray, fps: float) -> np.ndarray:
    """(F,) bool: both feet and both hands move, so that none of them rests on anything."""
    speeds = np.linalg.norm(np.gradient(positions, 1.0 / fps, axis=0), axis=-1)
    loose = np.ones(len(positions), bool)
    for joints in _foot_joints(skeleton):
        loose &= speeds[:, joints].min(axis=1, initial=np.inf) > FEET_MOVE
    for role in ("left_hand", "right_hand"):
        if skeleton.has(role):
            loose &= speeds[:, skeleton.index(role)] > HANDS_MOVE
    return loose


def _on_one_floor(feet: np.ndarray, above: np.ndarray, axis: str) -> bool:
    """Whether (N, 3) resting feet have a common height along an axis, beside the (N, 3) way to the centre of mass."""
    heights = feet[:, "xyz".index(axis[-1])]
    low, high = np.percentile(heights, [5, 95])
    return bool(high - low <= SAME_HEIGHT * np.median(np.linalg.norm(above, axis=1)))


def _is_steady(above: np.ndarray, axis: str) -> bool:
    """Whether the (N, 3) way from the feet to the centre of mass hardly ever leans away from an axis."""
    along = _unit(above)[:, "xyz".index(axis[-1])] * (-1 if axis.startswith("-") else 1)
    return bool((along > 0.8).mean() >= STEPS_SHARE)


def _speeds(positions: np.ndarray, joints: list[int]) -> np.ndarray:
    """(F - 2, K) ways of joints from the frame before to the frame after, of (F, J, 3) positions."""
    return np.linalg.norm(positions[2:, joints] - positions[:-2, joints], axis=-1)


def _resting_feet(
    skeleton: Skeleton, positions: np.ndarray, speeds: Callable[[list[int]], np.ndarray], quiet: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) mean position of the resting feet, and (F,) bool: a foot rests."""
    total, weight = np.zeros((len(positions), 3)), np.zeros(len(positions))
    for joints in _foot_joints(skeleton):
        if joints:
            ways = speeds(joints)
            slowest = np.array(joints)[ways.argmin(axis=1)]  # the point on which the foot stands
            frames = np.arange(len(positions))
            rests = ways.min(axis=1) < quiet
            total += positions[frames, slowest] * rests[:, None]
            weight += rests
    return total / np.maximum(weight, 1)[:, None], weight > 0


def _foot_joints(skeleton: Skeleton) -> list[list[int]]:
    """Ankle and ball of the left and of the right foot, as far as they are known."""
    return [
        [skeleton.index(f"{side}_{joint}") for joint in ("foot", "ball") if skeleton.has(f"{side}_{joint}")]
        for side in ("left", "right")
    ]


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
