"""How far each joint turns in recordings, and how far a pose goes beyond that."""

from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import Skeleton, rotations


@dataclass(frozen=True)
class LimitSettings:
    """How a range is drawn around what was seen."""

    percent: float = 0.1  # of the frames may lie beyond either side of a range: spikes and slips of markers
    margin: float = np.radians(5.0)  # radians that are allowed beyond what was seen
    margin_share: float = 0.1  # but not more than this share of the seen range: a stiff joint stays stiff
    play: float = np.radians(0.5)  # radians that even a joint that never moved may turn


USUAL = LimitSettings()


@dataclass(frozen=True, eq=False)
class JointLimits:
    """A box of turns about the mean rotation of each joint; the root is free.

    The turns are rotation vectors from the mean, so no axis of a joint has to be known and no angle has a seam within
    half a turn of the mean.
    """

    names: tuple[str, ...]  # J joint names
    means: np.ndarray  # (J, 4) joint to parent
    low: np.ndarray  # (J, 3) radians about the axes of the joint in its mean; -inf where free
    high: np.ndarray  # (J, 3) radians; inf where free

    def excess(self, local_rotations: np.ndarray) -> np.ndarray:
        """How far joints are turned beyond their limits: (..., J) radians, 0 inside."""
        turns = self.turns(local_rotations)
        beyond = turns - np.clip(turns, self.low, self.high)
        inside = (beyond == 0).all(axis=-1)
        return np.where(inside, 0.0, rotations.angle_between(self._at(turns - beyond), local_rotations))

    def clamp(self, local_rotations: np.ndarray, *, beside: np.ndarray | None = None) -> np.ndarray:
        """Turn joints back to their limits: (..., J, 4); joints inside stay exactly as they are.

        Args:
            local_rotations: (..., J, 4) joint to parent.
            beside: (..., J, 4) poses that may go beyond the limits; as far as they do is allowed as well.
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
        """(..., J, 3) radians: how joints are turned from their mean rotations."""
        if local_rotations.shape[-2:] != self.means.shape:
            raise SkeletonMismatch(
                f"rotations {local_rotations.shape} beside limits of {len(self.names)} joints; learn the limits on the "
                "skeleton of the motion"
            )
        return rotations.log(rotations.multiply(rotations.inverse(self.means), local_rotations))

    def _at(self, turns: np.ndarray) -> np.ndarray:
        return rotations.multiply(self.means, rotations.exp(turns))


def learn_limits(skeleton: Skeleton, local_rotations: np.ndarray, settings: LimitSettings = USUAL) -> JointLimits:
    """Learn how far each joint turns.

    Args:
        skeleton: J joints; its root is left free.
        local_rotations: (F, J, 4) joint to parent, of all recordings one after the other.
        settings: what counts as seen, and how much more is allowed.
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
            f"local_rotations {frames.shape}; limits of a skeleton of {skeleton.n_joints} joints are learned from "
            f"(F, {skeleton.n_joints}, 4) with at least one frame"
        )
    broken = ~np.isfinite(frames).all(axis=(1, 2))
    if broken.any():
        raise BadInput(f"frame {int(broken.argmax())} has a rotation that is not a number; leave such frames out")
    return frames


def _check_settings(settings: LimitSettings) -> None:
    if not 0 <= settings.percent < 50:
        raise BadInput(f"{settings.percent} percent of the frames beyond either side; give 0 or more, and less than 50")
    for name in ("margin", "margin_share", "play"):
        if not 0 <= getattr(settings, name) < np.inf:
            raise BadInput(f"{name} {getattr(settings, name)} of joint limits; it must be 0 or more")
