"""Joint angles: the angles between the joint rotations of two poses, invariant to placement.

Lee and Lee, Interactive Build-Up, equation 1: the sum over joints of weight times the squared length of log(q_i^-1
q_j), without the difference in position of the measure that it comes from. Three ambiguities are resolved here. The
logarithm of a unit quaternion is half the rotation vector; we use the whole angle. Weights sum to 1 and the distance is
the square root of the sum, so it is in radians: the weighted root mean square angle between joints. And as position
does not count, neither does heading: the roots are compared under the best rotation about y, which leaves the angle
between their up directions. (Removing the heading from each pose alone is discontinuous where a body is upside down:
consecutive frames of breakdance were up to 2 radians apart.)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.motion import rotations
from motionloom.similarity.measure import Measure, check_finite, check_starts, find_repeats, share_weights
from motionloom.similarity.tiles import Scratch

ROUNDING = 4e-6  # square radians, half of it for each frame; twice the worst seen on random poses
ROUNDING_PER_JOINT = 6e-8  # square radians; longer sums have larger rounding errors
SERIES_LENGTH = 9  # terms of the polynomial; its own error is below 1e-7 square radians


@dataclass(frozen=True, eq=False)
class JointAngles(Measure):
    """A measure in radians; see `measure_angles`."""

    starts: np.ndarray  # (M + 1,) int
    comparable: np.ndarray  # (F,) bool: all of them
    slack: np.ndarray  # (F,) float32, square radians
    repeats: np.ndarray  # (F,) bool
    joint_weights: np.ndarray  # (J,), sum 1
    quaternions: np.ndarray = field(repr=False)  # (F, J, 4) joint to parent; the root, which is the first, to the world
    bulk: np.ndarray = field(repr=False)  # (J', 4, F) float32: the same, of the root and joints with a weight above 0
    bulk_weights: np.ndarray = field(repr=False)  # (J',) float32
    unit: str = "rad"

    def squared_block(self, rows: slice, columns: slice, scratch: Scratch) -> np.ndarray:
        from motionloom.similarity._kernels import joint_angle_block

        out = scratch.take("block", rows.stop - rows.start, columns.stop - columns.start)
        joint_angle_block(self.bulk, self.bulk_weights, angle_series(), rows.start, columns.start, out)
        return out

    def fill_pairs(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        from motionloom.similarity._kernels import joint_angle_pairs

        joint_angle_pairs(self.quaternions, self.joint_weights, first, second, out)

    def chosen(self, frames: npt.ArrayLike) -> "JointAngles":
        """The measure of some frames in any order, as if they were one motion: blocks of it are blocks of these."""
        frames = self.check_frames(frames)
        return replace(
            self,
            starts=np.array([0, len(frames)]),
            comparable=self.comparable[frames],
            slack=self.slack[frames],
            repeats=np.zeros(len(frames), bool),
            quaternions=self.quaternions[frames],
            bulk=np.ascontiguousarray(self.bulk[:, :, frames]),
        )


def measure_angles(
    local_rotations: np.ndarray, starts: npt.ArrayLike, joint_weights: Sequence[float] | None = None
) -> JointAngles:
    """The measure of frames by the angles of their joints.

    Args:
        local_rotations: (F, J, 4) joint to parent, the root's to the world, of motions one after the other.
        starts: (M + 1,) where they start; the last is F.
        joint_weights: (J,); None: equal, as in the paper's experiments.
    """
    local_rotations = np.array(local_rotations, dtype=np.float64)
    if local_rotations.ndim != 3 or local_rotations.shape[1] < 1 or local_rotations.shape[2] != 4:
        raise BadInput(f"rotations have shape {local_rotations.shape}, expected (F, J, 4)")
    starts = check_starts(starts, len(local_rotations))
    check_finite(local_rotations, starts, "the rotations")
    n_frames, n_joints = local_rotations.shape[:2]
    weights = share_weights(joint_weights, n_joints, "joints")
    quaternions = rotations.normalize(local_rotations)
    counting = weights > 0
    counting[0] = True  # the kernel expects the root first
    rounding = ROUNDING + ROUNDING_PER_JOINT * n_joints
    return JointAngles(
        starts=starts,
        comparable=np.ones(n_frames, bool),
        slack=np.full(n_frames, rounding / 2, np.float32),
        repeats=find_repeats(starts, 0, quaternions),
        joint_weights=weights,
        quaternions=quaternions,
        bulk=np.ascontiguousarray(np.moveaxis(quaternions[:, counting], 0, -1), dtype=np.float32),
        bulk_weights=weights[counting].astype(np.float32),
    )


@cache
def angle_series() -> np.ndarray:
    """(9,) float32: coefficients of u, u^2, ... in (2 arccos(1 - u))^2 for u from 0 to 1, Chebyshev fit."""
    u = (1 - np.cos(np.pi * (np.arange(400) + 0.5) / 400)) / 2  # Chebyshev nodes
    per_u = (2 * np.arctan2(np.sqrt(u * (2 - u)), 1 - u)) ** 2 / u
    series = np.polynomial.chebyshev.Chebyshev.fit(u, per_u, SERIES_LENGTH - 1, domain=[0, 1])
    return series.convert(kind=np.polynomial.Polynomial).coef.astype(np.float32)
