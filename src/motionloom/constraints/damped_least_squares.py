"""Damped least squares (Levenberg-Marquardt) inverse kinematics, many frames at once.

Each frame is a separate problem: find the translation of the root and the rotations of the joints that minimize

    sum over targets of weight (miss / tolerance)^2  +  sum over unknowns of stiffness (change)^2

The second term makes the solution unique: the pose that moves the body least. The tolerance is decreased in stages,
because with a small one the steps along the curved set of poses that meet the targets are tiny. Limits are bounds of
the unknowns, and hold exactly: an unknown at its bound that would be pushed further is left out of a step (projected
steps), so there is no penalty to weight and nothing to clamp afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.motion import Skeleton, kinematics, rotations

NARROWING = (100.0, 10.0, 1.0)  # multiples of the tolerance in each stage
MOST_STEPS = 60  # iterations per stage; targets out of reach need many, others about five
SETTLED = 1e-9  # relative decrease of a frame's costs at which it has converged
STALLED = 1e9  # damping above which a frame has converged


@dataclass(frozen=True, eq=False)
class Aim:
    """A joint with a target in some of N frames."""

    is_position: bool
    joint: int
    offset: np.ndarray  # (3,) metres in the joint's frame
    values: np.ndarray  # (N, 3) metres, world, or (N, 4) joint to world; arbitrary without a target
    scales: np.ndarray  # (N,) sqrt(weight) / tolerance, 1 / metres or 1 / radians; 0 without a target


@dataclass(frozen=True, eq=False)
class PoseProblem:
    """N poses and their targets. Unknowns: the root's translation, then the rotation vectors of M joints."""

    skeleton: Skeleton
    root_positions: np.ndarray  # (N, 3) metres, world
    local_rotations: np.ndarray  # (N, J, 4)
    aims: Sequence[Aim]
    joints: np.ndarray  # (M,) int: those that may rotate
    bases: np.ndarray  # (N, M, 4) rotations that the rotation vectors are relative to
    stiffness: np.ndarray  # (3 + 3 M,) metres^2 per metre^2 or radian^2; inf for fixed unknowns
    low: np.ndarray  # (N, 3 + 3 M) metres and radians
    high: np.ndarray  # (N, 3 + 3 M)
    settled: float = SETTLED  # relative decrease of a frame's costs at which it has converged
    most_steps: int = MOST_STEPS  # iterations per stage
    narrowing: tuple[float, ...] = NARROWING  # multiples of the tolerance in each stage

    @property
    def source(self) -> np.ndarray:
        """(N, 3 + 3 M) the unknowns of the source poses."""
        turns = rotations.log(rotations.multiply(rotations.inverse(self.bases), self.local_rotations[:, self.joints]))
        return np.concatenate([np.zeros((len(turns), 3)), turns.reshape(len(turns), -1)], axis=1)


def fit_poses(problem: PoseProblem) -> np.ndarray:
    """Find the unknowns (N, 3 + 3 M) that meet the targets with the smallest change."""
    source = problem.source
    unknowns = np.clip(source, problem.low, problem.high)
    for narrowing in problem.narrowing:
        unknowns = _descend(problem, source, unknowns, narrowing)
    return unknowns


def count_misses(problem: PoseProblem, unknowns: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(n,) number of targets that the (n, D) unknowns of some rows miss by more than twice the tolerance."""
    errors = _find_errors(problem, *_world(problem, unknowns, rows), rows, 1.0)
    return (np.linalg.norm(errors.reshape(len(rows), -1, 3), axis=-1) > 2.0).sum(axis=1)


def pose_at(
    problem: PoseProblem, unknowns: np.ndarray, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Root positions (n, 3) and local rotations (n, J, 4) of some rows of the problem, all when None."""
    rows = np.arange(len(unknowns)) if rows is None else rows
    local = problem.local_rotations[rows].copy()
    turns = unknowns[:, 3:].reshape(len(rows), -1, 3)
    local[:, problem.joints] = rotations.multiply(problem.bases[rows], rotations.exp(turns))
    return problem.root_positions[rows] + unknowns[:, :3], local


def _descend(problem: PoseProblem, source: np.ndarray, start: np.ndarray, narrowing: float) -> np.ndarray:
    """Levenberg-Marquardt iterations, each frame with its own damping, until all have converged."""
    unknowns = start.copy()
    rows = np.arange(len(start))
    damping = np.ones(len(start))
    for _ in range(problem.most_steps):
        errors, jacobian = linearize(problem, unknowns[rows], rows, narrowing)
        change = unknowns[rows] - source[rows]
        step = _find_step(problem, unknowns[rows], change, errors, jacobian, damping[rows], rows)
        trial = np.clip(unknowns[rows] + step, problem.low[rows], problem.high[rows])
        cost = (errors**2).sum(1) + _change_cost(problem, change)
        trial_cost = find_costs(problem, trial, source[rows], rows, narrowing)
        better = trial_cost <= cost
        unknowns[rows[better]] = trial[better]
        damping[rows] = np.where(better, damping[rows] / 8, damping[rows] * 10)
        settled = np.abs(cost - trial_cost) <= problem.settled * (1 + cost)
        settled |= better & (np.abs(step).max(1) < 1e-7)
        rows = rows[~(settled | (damping[rows] > STALLED))]
        if not len(rows):
            break
    return unknowns


def find_costs(
    problem: PoseProblem, unknowns: np.ndarray, source: np.ndarray, rows: np.ndarray, narrowing: float
) -> np.ndarray:
    """(n,) the objective, for the (n, D) unknowns of some rows."""
    errors = _find_errors(problem, *_world(problem, unknowns, rows), rows, narrowing)
    return (errors**2).sum(1) + _change_cost(problem, unknowns - source)


def find_free(problem: PoseProblem, unknowns: np.ndarray, gradient: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(n, D) bool: unknowns that may change, those at a bound that descent would push further excluded."""
    at_low = (unknowns <= problem.low[rows]) & (gradient > 0)
    at_high = (unknowns >= problem.high[rows]) & (gradient < 0)
    return np.isfinite(problem.stiffness) & ~at_low & ~at_high


def _change_cost(problem: PoseProblem, change: np.ndarray) -> np.ndarray:
    return (np.where(np.isfinite(problem.stiffness), problem.stiffness, 0.0) * change**2).sum(axis=1)


def _find_step(
    problem: PoseProblem,
    unknowns: np.ndarray,
    change: np.ndarray,
    errors: np.ndarray,
    jacobian: np.ndarray,
    damping: np.ndarray,
    rows: np.ndarray,
) -> np.ndarray:
    """The (n, D) step of each frame, from a system of the size of its targets (dual form).

    Minimizes |J s - e|^2 + |c + s|^2_W + d |s|^2_W for errors e, change c so far, stiffness W and damping d. With
    z = s + c / (1 + d) that is |J z - e - J c / (1 + d)|^2 + (1 + d) |z|^2_W, whose minimum is
    z = W^-1 J^T (J W^-1 J^T + (1 + d) I)^-1 (e + J c / (1 + d)).
    """
    stiffness = np.where(np.isfinite(problem.stiffness), problem.stiffness, 0.0)
    gradient = -np.einsum("nrd,nr->nd", jacobian, errors) + stiffness * change
    free = find_free(problem, unknowns, gradient, rows)  # (n, D)
    loose = np.where(free, 1.0 / problem.stiffness, 0.0)
    held_back = change * free / (1 + damping)[:, None]
    weighted = loose[:, :, None] * jacobian.transpose(0, 2, 1)  # (n, D, R)
    system = jacobian @ weighted + (1 + damping)[:, None, None] * np.eye(errors.shape[1])
    wanted = errors + np.einsum("nrd,nd->nr", jacobian, held_back)
    return (weighted @ np.linalg.solve(system, wanted[..., None]))[..., 0] - held_back


def _world(problem: PoseProblem, unknowns: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return kinematics.forward(problem.skeleton, *pose_at(problem, unknowns, rows))


def _find_errors(
    problem: PoseProblem, positions: np.ndarray, turned: np.ndarray, rows: np.ndarray, narrowing: float
) -> np.ndarray:
    """(n, 3 aims) residuals of the targets, in units of the tolerance."""
    errors = []
    for aim in problem.aims:
        own, values = turned[:, aim.joint], aim.values[rows]
        if aim.is_position:
            left = values - positions[:, aim.joint] - rotations.rotate(own, np.broadcast_to(aim.offset, values.shape))
        else:
            left = rotations.log(rotations.multiply(rotations.inverse(own), values))
        scales = aim.scales[rows, None]
        errors.append(np.where(scales > 0, left * scales / narrowing, 0.0))
    return np.concatenate(errors, axis=1)


def linearize(
    problem: PoseProblem, unknowns: np.ndarray, rows: np.ndarray, narrowing: float
) -> tuple[np.ndarray, np.ndarray]:
    """Residuals (n, R), and the Jacobian (n, R, D) of the values that they are residuals of."""
    from motionloom.constraints._kernels import fill_jacobian

    positions, turned = _world(problem, unknowns, rows)
    columns = np.full(problem.skeleton.n_joints, -1)
    columns[problem.joints] = np.arange(len(problem.joints))
    jacobian = np.zeros((len(rows), 3 * len(problem.aims), unknowns.shape[1]))
    fill_jacobian(
        positions,
        rotations.to_matrix(turned),
        np.ascontiguousarray(unknowns[:, 3:]).reshape(len(rows), -1, 3),
        problem.skeleton.parents,
        columns,
        np.array([aim.joint for aim in problem.aims]),
        np.array([aim.is_position for aim in problem.aims]),
        np.array([aim.offset for aim in problem.aims]),
        np.stack([aim.scales[rows] / narrowing for aim in problem.aims], axis=1),
        jacobian,
    )
    return _find_errors(problem, positions, turned, rows, narrowing), jacobian
