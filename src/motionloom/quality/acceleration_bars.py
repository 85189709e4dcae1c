"""Bars: a high percentile of each joint's acceleration and jerk over a corpus, the reference for joins."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.velocities import acceleration_border, accelerations, jerk_border, jerks
from motionloom.motion import Motion, Skeleton, check_motion, kinematics
from motionloom.motion.arrays import read_only

BIN_WIDTH = 0.002  # relative width of a histogram bin: the error of a bar against the exact percentile
LOWEST, HIGHEST = 1e-4, 1e8  # m/s2 and m/s3: range of the histogram
N_BINS = int(np.ceil(np.log(HIGHEST / LOWEST) / BIN_WIDTH))


@dataclass(frozen=True)
class BarSettings:
    """Which percentile is the bar, and lower bounds above numerical noise."""

    percentile: float = 99.9  # % of a joint's frames that stay below its bar
    least_acceleration: float = 0.1  # m/s2; lower bound of a bar, for joints that never move
    least_jerk: float = 1.0  # m/s3; likewise


DEFAULT = BarSettings()


@dataclass(frozen=True, eq=False)
class MotionBars:
    """The percentile of every joint's acceleration and jerk over a corpus, world space."""

    names: tuple[str, ...]  # J joints
    accelerations: np.ndarray  # (J,) m/s2
    jerks: np.ndarray  # (J,) m/s3
    percentile: float  # %
    n_frames: int  # that they were learnt from

    def __post_init__(self) -> None:
        object.__setattr__(self, "accelerations", read_only(self.accelerations))
        object.__setattr__(self, "jerks", read_only(self.jerks))


def learn_bars(motions: Iterable[Motion], settings: BarSettings = DEFAULT) -> MotionBars:
    """Compute the bars of recordings: one percentile per joint, streamed through a logarithmic histogram.

    Memory does not grow with the corpus (about 0.2 MB per joint). A bar is within `BIN_WIDTH` (0.2 %) of the exact
    percentile.

    Args:
        motions: of one hierarchy of joints; bone lengths and frame rates may differ.
        settings: percentile and lower bounds.
    """
    if not 0 < settings.percentile < 100:
        raise BadInput(f"percentile must be between 0 and 100, got {settings.percentile}")
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
            "no motion is long enough to compute jerk (7 frames at 60 Hz); give longer motions to learn bars from"
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
    """Norms of acceleration (F, J) m/s2 and jerk (F, J) m/s3 of every joint, world space."""
    positions = kinematics.world_positions(motion)
    return (
        np.linalg.norm(accelerations(positions, motion.fps), axis=-1),
        np.linalg.norm(jerks(positions, motion.fps), axis=-1),
    )


def check_same_joints(names: tuple[str, ...], skeleton: Skeleton) -> None:
    """Raise unless a skeleton has these joints, in this order."""
    if skeleton.names != names:
        differing = sorted(set(skeleton.names) ^ set(names))[:5]
        raise SkeletonMismatch(
            f"joints of skeleton '{skeleton.name}' ({skeleton.n_joints}) differ from the expected {len(names)} in "
            f"{', '.join(differing) or 'their order'}; conform the motions to one skeleton first"
        )


def _own_sizes(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Norms of acceleration and jerk without the border frames, which repeat their neighbours."""
    borders = acceleration_border(motion.fps), jerk_border(motion.fps)
    first, second = (
        sizes[b:-b] if len(sizes) > 2 * b else sizes[:0] for sizes, b in zip(motion_sizes(motion), borders)
    )
    return first, second


def _tally(counts: np.ndarray, sizes: np.ndarray) -> None:
    """Add (F, J) sizes to (J, N_BINS) histograms with logarithmic bins."""
    bins = np.log(np.clip(sizes, LOWEST, HIGHEST) / LOWEST) / BIN_WIDTH
    bins = np.minimum(bins.astype(np.int64), N_BINS - 1)
    for joint in range(len(counts)):
        counts[joint] += np.bincount(bins[:, joint], minlength=N_BINS)


def _percentile(counts: np.ndarray, percentile: float) -> np.ndarray:
    """(J,) percentiles of histograms, interpolated within a bin."""
    reached = counts.cumsum(axis=1)
    rank = np.maximum(np.ceil(percentile / 100 * reached[:, -1]), 1)  # (J,) the frame that is the percentile
    bins = (reached < rank[:, None]).sum(axis=1)
    inside = np.take_along_axis(counts, bins[:, None], axis=1)[:, 0]
    before = np.take_along_axis(reached, bins[:, None], axis=1)[:, 0] - inside
    return LOWEST * np.exp(BIN_WIDTH * (bins + (rank - before) / (inside + 1)))
