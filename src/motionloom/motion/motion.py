"""Motion: a skeleton moving over frames; cutting, concatenating, resampling and mirroring it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.motion import rotations
from motionloom.motion.arrays import check_rate, read_only
from motionloom.motion.cubic_interpolation import cubic_at, times_at_rate
from motionloom.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Motion:
    """A skeleton moving over frames. Right-handed, y up, metres; facing +z the left hand is at +x.

    Its arrays are read-only views of those given, not copies.
    """

    skeleton: Skeleton
    root_positions: np.ndarray  # (F, 3) metres, world
    local_rotations: np.ndarray  # (F, J, 4) unit quaternions wxyz, joint to parent; the root's to the world
    fps: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "root_positions", read_only(self.root_positions))
        object.__setattr__(self, "local_rotations", read_only(self.local_rotations))
        expected = (*self.root_positions.shape[:1], self.skeleton.n_joints, 4)
        if (
            self.root_positions.ndim != 2
            or self.root_positions.shape[1:] != (3,)
            or self.local_rotations.shape != expected
        ):
            raise BadInput(
                f"root_positions have shape {self.root_positions.shape} and local_rotations "
                f"{self.local_rotations.shape}, expected (F, 3) and (F, {self.skeleton.n_joints}, 4) for a skeleton of "
                f"{self.skeleton.n_joints} joints"
            )
        check_rate(self.fps)

    @property
    def n_frames(self) -> int:
        return len(self.root_positions)

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the end of the last one."""
        return self.n_frames / self.fps


def check_motion(motion: Motion, whose: str = "the motion") -> Motion:
    """The motion in float64; raises if it has no frames or values that are not finite."""
    if motion.n_frames == 0:
        raise BadInput(f"{whose} has no frames; give at least one")
    root, local = motion.root_positions, motion.local_rotations
    fine = np.isfinite(root).all(axis=1) & np.isfinite(local).all(axis=(1, 2))  # (F,)
    if not fine.all():
        raise BadInput(f"frame {int(fine.argmin())} of {whose} has values that are not finite; repair or cut it first")
    if root.dtype == local.dtype == np.float64:
        return motion
    return replace(motion, root_positions=root.astype(np.float64), local_rotations=local.astype(np.float64))


def cut(motion: Motion, start: int, stop: int) -> Motion:
    """Keep the frames [start, stop)."""
    if not 0 <= start < stop <= motion.n_frames:
        why = "are out of range" if start < stop else "are an empty range"
        raise BadInput(f"frames [{start}, {stop}) {why}: the motion has {motion.n_frames} frames")
    return replace(
        motion, root_positions=motion.root_positions[start:stop], local_rotations=motion.local_rotations[start:stop]
    )


def concatenate(motions: Sequence[Motion]) -> Motion:
    """Concatenate motions, without blending."""
    if not motions:
        raise BadInput("no motions to concatenate; give at least one")
    first = motions[0]
    for other in motions[1:]:
        if other.skeleton != first.skeleton:
            raise SkeletonMismatch(
                f"skeletons '{first.skeleton.name}' and '{other.skeleton.name}' differ; conform the motions first"
            )
        if abs(other.fps - first.fps) > 1e-6 * first.fps:
            raise BadInput(f"frame rates {first.fps:g} and {other.fps:g} fps differ; resample one of the motions first")
    return replace(
        first,
        root_positions=np.concatenate([m.root_positions for m in motions]),
        local_rotations=np.concatenate([m.local_rotations for m in motions]),
    )


def resample(motion: Motion, fps: float) -> Motion:
    """Change the frame rate, not the speed; frames that coincide with a source frame equal it.

    Catmull-Rom interpolation between frames keeps velocities continuous.
    """
    return replace(sample(motion, times_at_rate(motion.n_frames, motion.fps, fps)), fps=float(fps))


def sample(motion: Motion, times: np.ndarray) -> Motion:
    """Sample a motion at (N,) fractional frames; times beyond its ends are clamped."""
    times = np.asarray(times, dtype=float)
    if np.isnan(times).any():
        raise BadInput(f"time {int(np.isnan(times).argmax())} of {times.size} is nan; give times in frames")
    times = np.clip(times, 0, motion.n_frames - 1)
    return replace(
        motion,
        root_positions=cubic_at(motion.root_positions, times),
        local_rotations=rotations.normalize(cubic_at(rotations.align_signs(motion.local_rotations), times)),
    )


def mirror(motion: Motion, *, keep_skeleton: bool = False) -> Motion:
    """Mirror a motion at the plane x = 0: left and right are swapped.

    Args:
        motion: to mirror; joints are paired by their names.
        keep_skeleton: keep the motion's own skeleton, so that it can be blended with the original; if left and right
            bones differ in length, positions then deviate slightly from the mirror image. Otherwise the bones are
            mirrored too, and it is exact.
    """
    pairs = motion.skeleton.mirror_indices
    flip_positions, flip_rotations = np.array([-1.0, 1.0, 1.0]), np.array([1.0, 1.0, -1.0, -1.0])
    return replace(
        motion,
        skeleton=motion.skeleton if keep_skeleton else _mirror_skeleton(motion.skeleton),
        root_positions=motion.root_positions * flip_positions,
        local_rotations=motion.local_rotations[:, pairs] * flip_rotations,
    )


def _mirror_skeleton(skeleton: Skeleton) -> Skeleton:
    pairs, flip = skeleton.mirror_indices, np.array([-1.0, 1.0, 1.0])
    end_parents = pairs[skeleton.end_parents]
    order = np.argsort(end_parents, kind="stable")  # mirroring twice must restore the order
    return replace(
        skeleton,
        offsets=skeleton.offsets[pairs] * flip,
        end_parents=end_parents[order],
        end_offsets=(skeleton.end_offsets * flip)[order],
    )
