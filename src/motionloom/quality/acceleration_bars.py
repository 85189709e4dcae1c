"""Bars: how hard each joint accelerates and jerks in the rarest moments of a corpus, what a join is held against."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.velocities import acceleration_border, accelerations, jerk_border, jerks
from motionloom.motion import Motion, Skeleton, check_motion, kinematics
from motionloom.motion.arrays import read_only

BIN_WIDTH = 0.002  # of its value: a bar is this near to the percentile of the frames themselves
LOWEST, HIGHEST = 1e-4, 1e8  # m/s2 and m/s3 that the bins reach from and to
N_BINS = int(np.ceil(np.log(HIGHEST / LOWEST) / BIN_WIDTH))


@dataclass(frozen=True)
class BarSettings:
    """Which moments are the rarest, and below which size a change is numerical noise, not a jolt."""

    percentile: float = 99.9  # % of a joint's frames that stay below its bar
    least_acceleration: float = 0.1  # m/s2; no bar is lower, so that a joint that never moved can be held against it
    least_jerk: float = 1.0  # m/s3; likewise


USUAL = BarSettings()


@dataclass(frozen=True, eq=False)
class MotionBars:
    """The percentile of every joint's acceleration and jerk over a corpus, in the world."""

    names: tuple[str, ...]  # J joints
    accelerations: np.ndarray  # (J,) m/s2
    jerks: np.ndarray  # (J,) m/s3
    percentile: float  # %
    n_frames: int  # that they were learnt from

    def __post_init__(self) -> None:
        object.__setattr__(self, "accelerations", read_only(self.accelerations))
        object.__setattr__(self, "jerks", read_only(self.jerks))


def learn_bars(motions: Iterable[Motion], settings: BarSettings = USUAL) -> MotionBars:
    """Learn what counts as a jolt from recordings: one percentile per joint.

    Motions are read one after another and only counted into bins, so memory does not grow with the corpus (about 0.2 MB
    per joint). A bar is within `BIN_WIDTH` (0.2 %) of the percentile of the frames themselves.

    Args:
        motions: of one hierarchy of joints; bone lengths and rates may differ.
        settings: which percentile, and the least bars.
    """
    if not 0 < settings.percentile < 100:
        raise BadInput(f"percentile is {settings.percentile}; it must be between 0 and 100")
    first: Skeleton | None = None
    counts = np.zeros((2, 0, N_BINS), np.int64)
    for motion in motions:
        if first is None:
            first = motion.skeleton
            counts = np.zeros((2, first.n_joints, N_BINS), np.int64)
        check_same_joints(first.names, motion.skeleton)
        for count, sizes in zip(counts, _own_sizes(check_motion(motion))):
            _tally(count, sizes)
    if first is None or not counts[1, 0].any():
        raise BadInput(
            "no motion is long enough to have a jerk (7 frames at 60 Hz); give longer ones to learn bars from"
        )
    bars = [_percentile(count, settings.percentile) for count in counts]
    return MotionBars(
        names=first.names,
        accelerations=np.maximum(bars[0], settings.least_acceleration),
        jerks=np.maximum(bars[1], settings.least_jerk),
        percentile=settings.percentile,
        n_frames=int(counts[0, 0].sum()),
    )


def motion_sizes(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """How large acceleration (F, J) m/s2 and jerk (F, J) m/s3 of every joint are, in the world."""
    positions = kinematics.world_positions(motion)
    return (
        np.linalg.norm(accelerations(positions, motion.fps), axis=-1),
        np.linalg.norm(jerks(positions, motion.fps), axis=-1),
    )


def check_same_joints(names: tuple[str, ...], skeleton: Skeleton) -> None:
    """Refuse a skeleton whose joints are not these."""
    if skeleton.names != names:
        strange = sorted(set(skeleton.names) ^ set(names))[:5]
        differ = ", ".join(strange) if strange else "their order"
        raise SkeletonMismatch(
            f"skeleton '{skeleton.name}' has {skeleton.n_joints} joints and {len(names)} others are expected "
            f"(they differ in {differ}); conform the motions to one skeleton first"
        )


def _own_sizes(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Sizes of acceleration and jerk where they are not repeated from a neighbour."""
    borders = acceleration_border(motion.fps), jerk_border(motion.fps)
    first, second = (
        sizes[b:-b] if len(sizes) > 2 * b else sizes[:0] for sizes, b in zip(motion_sizes(motion), borders)
    )
    return first, second


def _tally(counts: np.ndarray, sizes: np.ndarray) -> None:
    """Add (F, J) sizes to (J, N_BINS) counts of bins that are equally wide in the logarithm."""
    bins = np.log(np.clip(sizes, LOWEST, HIGHEST) / LOWEST) / BIN_WIDTH
    bins = np.minimum(bins.astype(np.int64), N_BINS - 1)
    for joint in range(len(counts)):
        counts[joint] += np.bincount(bins[:, joint], minlength=N_BINS)


def _percentile(counts: np.ndarray, percentile: float) -> np.ndarray:
    """(J,) sizes below which this share of the counts lies, within a bin by how far into it the rank falls."""
    reached = counts.cumsum(axis=1)
    rank = np.maximum(np.ceil(percentile / 100 * reached[:, -1]), 1)  # (J,) the frame that is the percentile
    bins = (reached < rank[:, None]).sum(axis=1)
    inside = np.take_along_axis(counts, bins[:, None], axis=1)[:, 0]
    before = np.take_along_axis(reached, bins[:, None], axis=1)[:, 0] - inside
    return LOWEST * np.exp(BIN_WIDTH * (bins + (rank - before) / (inside + 1)))
