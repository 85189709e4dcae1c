"""Temporal continuity of poses that were solved frame by frame: no joint jumps from one solution to another.

An arm can reach a point with its elbow to either side, and consecutive frames solved separately may choose different
ones. Such a range of frames is solved again as one problem, with a cost for differences between the changes of
consecutive poses.
"""

import numpy as np

from motionloom.constraints.damped_least_squares import (
    STALLED,
    PoseProblem,
    count_misses,
    find_costs,
    find_free,
    linearize,
)

JUMP = 0.15  # radians or metres of difference between the changes of consecutive frames that may be a jump
SETTLED = 1e-7  # relative decrease of the costs at which a range has converged, or that of its frames if it is larger
HOLD = 6.0  # frames over which changes are coupled


def follow_poses(problem: PoseProblem, frames: np.ndarray, unknowns: np.ndarray, reach: float) -> np.ndarray:
    """Solve ranges of frames in which a joint jumps again, as one problem: (N, D) unknowns.

    Args:
        problem: N poses.
        frames: (N,) int, increasing: the frame of each pose.
        unknowns: (N, D) from `fit_poses`.
        reach: maximum distance in frames of two poses that are coupled.
    """
    source, result = problem.source, unknowns.copy()
    gaps = np.diff(frames)
    for run in np.split(np.arange(len(frames)), np.flatnonzero(gaps > max(reach, 1)) + 1):
        steps = np.abs(np.diff((unknowns - source)[run], axis=0)).max(axis=1, initial=0.0)
        if (steps > JUMP * gaps[run[:-1]]).any():
            again = _fit_together(problem, run, (HOLD / gaps[run[:-1]]) ** 2, source)
            if count_misses(problem, again[run], run).sum() <= count_misses(problem, unknowns[run], run).sum():
                result[run] = again[run]
    return result


def _fit_together(problem: PoseProblem, rows: np.ndarray, holds: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Unknowns (N, D), these rows solved as one problem; holds (n - 1,) weight differences of their changes."""
    unknowns = np.clip(source, problem.low, problem.high)
    movable = np.isfinite(problem.stiffness)
    stiffness = np.where(movable, problem.stiffness, 0.0)
    for narrowing in problem.narrowing:
        damping = 1.0
        for _ in range(problem.most_steps):
            errors, jacobian = linearize(problem, unknowns[rows], rows, narrowing)
            change = (unknowns - source)[rows]
            pull = _pull(change, holds, stiffness)
            gradient = -np.einsum("nrd,nr->nd", jacobian, errors) + stiffness * change + pull
            free = find_free(problem, unknowns[rows], gradient, rows)
            trial = unknowns.copy()
            trial[rows] += _step(jacobian, gradient, stiffness, holds, free, damping)
            trial = np.clip(trial, problem.low, problem.high)
            cost = _total(problem, unknowns, source, rows, holds, stiffness, narrowing)
            trial_cost = _total(problem, trial, source, rows, holds, stiffness, narrowing)
            settled = trial_cost <= cost and cost - trial_cost <= max(SETTLED, problem.settled) * (1 + cost)
            damping = damping / 8 if trial_cost <= cost else damping * 10
            unknowns = trial if trial_cost <= cost else unknowns
            if settled or damping > STALLED:
                break
    return unknowns


def _pull(change: np.ndarray, holds: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """(n, D) half the gradient of sum holds stiffness (change - change before)^2."""
    pull = np.zeros_like(change)
    differences = holds[:, None] * stiffness * np.diff(change, axis=0)
    pull[1:] += differences
    pull[:-1] -= differences
    return pull


def _total(
    problem: PoseProblem,
    unknowns: np.ndarray,
    source: np.ndarray,
    rows: np.ndarray,
    holds: np.ndarray,
    stiffness: np.ndarray,
    narrowing: float,
) -> float:
    change = (unknowns - source)[rows]
    apart = holds[:, None] * stiffness * np.diff(change, axis=0) ** 2
    return float(find_costs(problem, unknowns[rows], source[rows], rows, narrowing).sum() + apart.sum())


def _step(
    jacobian: np.ndarray,
    gradient: np.ndarray,
    stiffness: np.ndarray,
    holds: np.ndarray,
    free: np.ndarray,
    damping: float,
) -> np.ndarray:
    """The (n, D) damped Gauss-Newton step of all poses: a block-tridiagonal system."""
    from scipy.linalg import solveh_banded

    n, width = gradient.shape
    blocks = np.swapaxes(jacobian, 1, 2) @ jacobian * (free[:, :, None] & free[:, None, :])
    held = np.zeros(n)
    held[1:] += holds
    held[:-1] += holds
    diagonal = stiffness * (1 + damping + held)[:, None]
    blocks[:, np.arange(width), np.arange(width)] += np.where(free, diagonal, 1.0)
    bands = np.zeros((width + 1, n, width))  # bands[i - j, j] = matrix[i, j], j = (pose, unknown)
    for offset in range(width):
        bands[offset, :, : width - offset] = np.diagonal(blocks, -offset, axis1=1, axis2=2)
    bands[width, :-1] = -holds[:, None] * stiffness * (free[1:] & free[:-1])
    right = np.where(free, -gradient, 0.0)
    flat = bands.reshape(width + 1, n * width)
    return solveh_banded(flat, right.ravel(), lower=True, check_finite=False).reshape(n, width)
