"""Joint angles: how far the joints of two poses are turned from each other, wherever the body is and faces.

Lee and Lee, Interactive Build-Up, equation 1: the sum over joints of weight times the squared length of log(q_i^-1
q_j), without the difference in position of the measure that it comes from. Three readings of it are fixed here. The
logarithm of a unit quaternion is half the rotation vector; we count the whole angle. Weights sum to 1 and the
distance is the root of the sum, so it is in radians: the root of the weighted mean square angle between joints. And
as place does not count, neither does facing: the root's turn about up is taken out before it is compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from motionloom.errors import BadInput
from motionloom.motion import rotations
from motionloom.similarity.measure import Measure, check_finite, check_starts
from motionloom.similarity.tiles import Scratch

ROUNDING = 2e-6  # square radians, half of it for each frame; 3 times the worst seen on recordings
SERIES_LENGTH = 9  # terms of the polynomial; its own error is below 1e-7 square radians


@dataclass(frozen=True, eq=False)
class JointAngles(Measure):
    """A measure in radians; made by `measure_angles`."""

    starts: np.ndarray  # (M + 1,) int
    comparable: np.ndarray  # (F,) bool: all of them
    slack: np.ndarray  # (F,) float32, square radians
    joint_weights: np.ndarray  # (J,), sum 1
    quaternions: np.ndarray = field(repr=False)  # (F, J, 4) joint to parent; the root without its turn about up
    bulk: np.ndarray = field(repr=False)  # (J', 4, F) float32: the same of the joints that count
    unit: str = "rad"

    def squared_block(self, rows: slice, columns: slice, scratch: Scratch) -> np.ndarray:
        from motionloom.similarity._kernels import joint_angle_block

        out = scratch.take("block", rows.stop - rows.start, columns.stop - columns.start)
        weights = self.joint_weights[self.joint_weights > 0].astype(np.float32)
        joint_angle_block(self.bulk, weights, angle_series(), rows.start, columns.start, out)
        return out

    def fill_pairs(self, first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
        from motionloom.similarity._kernels import joint_angle_pairs

        joint_angle_pairs(self.quaternions, self.joint_weights, first, second, out)


def measure_angles(
    local_rotations: np.ndarray, starts: npt.ArrayLike, joint_weights: Sequence[float] | None = None
) -> JointAngles:
    """Prepare to compare frames by the angles of their joints.

    Args:
        local_rotations: (F, J, 4) joint to parent, the root's to the world, of motions one after the other.
        starts: (M + 1,) where they start; the last is F.
        joint_weights: (J,); None: all the same, as in the paper's experiments.
    """
    starts = check_starts(starts, len(local_rotations))
    check_finite(local_rotations, starts, "the rotations")
    n_joints = local_rotations.shape[1]
    weights = np.ones(n_joints) if joint_weights is None else np.asarray(joint_weights, float)
    if weights.shape != (n_joints,) or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise BadInput(f"{weights.size} weights for {n_joints} joints; give one each, none negative and not all zero")
    quaternions = rotations.normalize(np.array(local_rotations, dtype=np.float64))
    quaternions[:, 0] = without_turn(quaternions[:, 0])
    counting = quaternions[:, weights > 0]
    return JointAngles(
        starts=starts,
        comparable=np.ones(len(quaternions), bool),
        slack=np.full(len(quaternions), ROUNDING / 2, np.float32),
        joint_weights=weights / weights.sum(),
        quaternions=quaternions,
        bulk=np.ascontiguousarray(np.moveaxis(counting, 0, -1), dtype=np.float32),
    )


def without_turn(world_rotations: np.ndarray) -> np.ndarray:
    """Take the turn about up out of (..., 4) rotations to the world: what is left is the tilt."""
    turn = rotations.split_swing_twist(world_rotations, np.array([0.0, 1.0, 0.0]))[1]
    return rotations.multiply(rotations.inverse(turn), world_rotations)


@cache
def angle_series() -> np.ndarray:
    """(9,) float32: coefficients of u, u^2, ... in (2 arccos(1 - u))^2 for u from 0 to 1, least error everywhere."""
    u = (1 - np.cos(np.pi * (np.arange(400) + 0.5) / 400)) / 2  # Chebyshev's points
    per_u = (2 * np.arctan2(np.sqrt(u * (2 - u)), 1 - u)) ** 2 / u
    series = np.polynomial.chebyshev.Chebyshev.fit(u, per_u, SERIES_LENGTH - 1, domain=[0, 1])
    return series.convert(kind=np.polynomial.Polynomial).coef.astype(np.float32)
