"""Joint limits: the range of rotation of each joint in recordings, and how far a pose exceeds it."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Skeleton, rotations


@dataclass(frozen=True)
class LimitSettings:
    """Percentiles and margins of the ranges."""

    percent: float = 0.1  # percentile of frames beyond either side of a range: outliers such as marker swaps
    margin: float = np.radians(5.0)  # radians allowed beyond the observed range
    margin_share: float = 0.1  # upper limit of the margin, as a share of the observed range: stiff joints stay stiff
    play: float = np.radians(0.5)  # radians allowed even for a joint that never moves


DEFAULT = LimitSettings()


@dataclass(frozen=True, eq=False)
class JointLimits:
    """A box of rotation vectors about the mean rotation of each joint; the root is free.

    Rotation vectors relative to the mean need no known joint axes and have no discontinuity within half a turn of it.
    """

    names: tuple[str, ...]  # J joint names
    means: np.ndarray  # (J, 4) joint to parent
    low: np.ndarray  # (J, 3) radians about the axes of the joint in its mean; -inf where free
    high: np.ndarray  # (J, 3) radians; inf where free

    def excess(self, local_rotations: np.ndarray) -> np.ndarray:
        """How far joints exceed their limits: (..., J) radians, 0 inside."""
        turns = self.turns(local_rotations)
        beyond = turns - np.clip(turns, self.low, self.high)
        inside = (beyond == 0).all(axis=-1)
        return np.where(inside, 0.0, rotations.angle_between(self._at(turns - beyond), local_rotations))

    def clamp(self, local_rotations: np.ndarray, *, beside: np.ndarray | None = None) -> np.ndarray:
        """Clamp joints to their limits: (..., J, 4); joints inside are unchanged.

        Args:
            local_rotations: (..., J, 4) joint to parent.
            beside: (..., J, 4) poses that may exceed the limits; the limits are extended to include them.
        """
        turns = self.turns(local_rotations)
        low, high = self.low, self.high
        if beside is not None:
            others = self.turns(beside)
            low, high = np.minimum(low, others), np.maximum(high, others)
        clipped = np.clip(turns, low, high)
        inside = (turns == clipped).all(axis=-1, keepdims=True)
        return np.where(inside, local_rotations, self._at(clipped))

    def turns(self, local_rotations: np.ndarray) -> np.ndarray:
        """(..., J, 3) rotation vectors from the mean rotations, radians."""
        if local_rotations.shape[-2:] != self.means.shape:
            raise SkeletonMismatch(
                f"rotations have shape {local_rotations.shape}, expected (..., {len(self.names)}, 4); learn the limits "
                "on the skeleton of the motion"
            )
        return rotations.log(rotations.multiply(rotations.inverse(self.means), local_rotations))

    def _at(self, turns: np.ndarray) -> np.ndarray:
        return rotations.multiply(self.means, rotations.exp(turns))


def learn_limits(skeleton: Skeleton, local_rotations: np.ndarray, settings: LimitSettings = DEFAULT) -> JointLimits:
    """Learn the range of rotation of each joint.

    Args:
        skeleton: J joints; its root is left free.
        local_rotations: (F, J, 4) joint to parent, of all recordings concatenated.
        settings: percentiles and margins.
    """
    frames = _check(skeleton, local_rotations)
    _check_settings(settings)
    means = rotations.mean(frames)
    turns = rotations.log(rotations.multiply(rotations.inverse(means), frames))  # (F, J, 3)
    low, high = np.percentile(turns, [settings.percent, 100 - settings.percent], axis=0)  # (J, 3)
    margin = np.minimum(settings.margin, settings.margin_share * (high - low)) + settings.play
    low, high = low - margin, high + margin
    low[0], high[0] = -np.inf, np.inf
    return JointLimits(skeleton.names, means, low, high)


def _check(skeleton: Skeleton, local_rotations: np.ndarray) -> np.ndarray:
    frames = np.asarray(local_rotations, float)
    if frames.ndim != 3 or frames.shape[1:] != (skeleton.n_joints, 4) or not len(frames):
        raise BadInput(
            f"local_rotations have shape {frames.shape}, expected (F, {skeleton.n_joints}, 4) with at least one frame"
        )
    broken = ~np.isfinite(frames).all(axis=(1, 2))
    if broken.any():
        raise BadInput(f"frame {int(broken.argmax())} has a rotation that is not finite; leave such frames out")
    return frames


def _check_settings(settings: LimitSettings) -> None:
    if not 0 <= settings.percent < 50:
        raise BadInput(f"percent of joint limits must be at least 0 and below 50, got {settings.percent}")
    for name in ("margin", "margin_share", "play"):
        if not 0 <= getattr(settings, name) < np.inf:
            raise BadInput(f"{name} of joint limits must be 0 or more, got {getattr(settings, name)}")
