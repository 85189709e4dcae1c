"""Gauss-Newton: descends an objective by banded steps, damped as far as needed (Levenberg and Marquardt).

Every step that is taken lowers the objective. It can be stopped after any of them. Where steps lower it but little any
more, they are also tried with the curvature that the last gradients tell of (L-BFGS).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from motionloom.methods.dynamics.trajectory.lbfgs import Curvature
from motionloom.methods.dynamics.trajectory.problem import Problem

LEAST_DAMPING, FIRST_DAMPING, MOST_DAMPING = 1e-9, 1e-4, 1e8
SETTLED = 1e-6  # relative decrease of the objective at which it ends
SETTLED_STEPS = 2  # one after another
CREEPS = 1e-2  # relative decrease of the objective from which on curvature is told from gradients too
LEAST_SHARE, MOST_SHARE = 0.1, 8.0  # of a step that is shortened or lengthened
NEAR_WHOLE = (0.85, 1.3)  # shares of a step that are left at the whole


@dataclass(frozen=True, eq=False)
class Descent:
    """Where a descent has come to."""

    knots: np.ndarray  # (K, u)
    objective: float
    iterations: int
    is_settled: bool = False
    damping: float = FIRST_DAMPING  # of the next step
    warm_damping: float = (
        FIRST_DAMPING  # of a step that begins anew near here: it is lowered only where that has worked
    )


def descend(
    problem: Problem,
    knots: np.ndarray,
    *,
    most: int = 50,
    settled: float = SETTLED,
    damping: float = FIRST_DAMPING,
    kept: int = 0,
    shortens: bool = False,
) -> Iterator[Descent]:
    """The start, then every better point; the last one is settled unless the iterations ran out.

    Args:
        problem: with the objective.
        knots: (K, u) to start from.
        most: iterations.
        settled: relative decrease of the objective at which it ends.
        damping: of the first step.
        kept: cheap steps after each iteration, with the matrix of its own; where they help they are yielded too.
        shortens: whether a step that leads too far is shortened before it is found again, damped more: a good part of
            the way for little.
    """
    from scipy.linalg import LinAlgError, cholesky_banded

    objective = problem.objective(knots)
    yield Descent(knots, objective, 0, damping=damping, warm_damping=damping)
    small, bands = 0, problem.empty_bands()
    curvature, creeps = Curvature(), False
    for iteration in range(1, most + 1):
        found, first = None, damping
        while damping < MOST_DAMPING:
            _, gradient = problem.linearize(knots, bands)  # again where it was damped too little: the factor lies there
            bands[:, 0] += damping * np.maximum(bands[:, 0], 1e-9) + 1e-12
            try:
                factor = cholesky_banded(bands.T, lower=True, overwrite_ab=True, check_finite=False)
            except LinAlgError:
                damping = max(10 * damping, LEAST_DAMPING)
                continue
            step = solve_with(factor, -gradient)
            slope = float(gradient @ step)
            trial, trial_objective = _along(problem, knots, step.reshape(knots.shape), objective, slope, shortens)
            curvature = curvature.seen(knots.ravel(), gradient)
            if creeps:
                step = curvature.step(gradient, partial(solve_with, factor))
                slope = float(gradient @ step)
                other, lower = _along(problem, knots, step.reshape(knots.shape), objective, slope)
                if lower < trial_objective:
                    trial, trial_objective = other, lower
            if trial_objective <= objective:
                found = trial, trial_objective
                is_raised, damping = damping > first, max(damping / 10, LEAST_DAMPING)
                warm = 10 * damping if is_raised else damping
                break
            damping = max(10 * damping, 1e-6)
        if found is None:
            yield Descent(knots, objective, iteration, True, damping, damping)
            return
        decrease = objective - found[1]
        knots, objective = found
        creeps = decrease <= CREEPS * (1 + abs(objective))
        small = small + 1 if decrease <= settled * (1 + abs(objective)) else 0
        is_settled = small >= SETTLED_STEPS or decrease <= 1e-3 * settled * (1 + abs(objective))
        yield Descent(knots, objective, iteration, is_settled, damping, warm)
        if is_settled:
            return
        for _ in range(kept):
            step = solve_with(factor, -problem.gradient(knots)).reshape(knots.shape)
            trial, trial_objective = _better_of(problem, knots, step)
            if trial_objective >= objective:
                break
            knots, objective = trial, trial_objective
            yield Descent(knots, objective, iteration, False, damping, warm)


def _along(
    problem: Problem, knots: np.ndarray, step: np.ndarray, objective: float, slope: float, shortens: bool = False
) -> tuple[np.ndarray, float]:
    """The knots after a step, or after as much of it as takes it to where a parabola is lowest.

    Where residuals are large their curvature counts, which steps know nothing of: whole ones would go to and fro, or
    creep.
    """
    found, reached = _better_of(problem, knots, step)
    bend = reached - objective - slope
    share = float(np.clip(-slope / (2 * bend), LEAST_SHARE, MOST_SHARE)) if bend > 0 else MOST_SHARE
    if (shortens or reached <= objective) and not NEAR_WHOLE[0] < share < NEAR_WHOLE[1]:
        other, lower = _better_of(problem, knots, share * step)
        if lower < reached:
            return other, lower
    return found, reached


def _better_of(problem: Problem, knots: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, float]:
    """The knots after a step with their objective; where places are free, along the path that poses walk."""
    trials = [knots + step] if problem.is_placed else [knots + step, problem.walked(knots, step)]
    objectives = [problem.objective(trial) for trial in trials]
    best = int(np.argmin(objectives))
    return trials[best], objectives[best]


def solve_with(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve with a banded Cholesky factor."""
    from scipy.linalg import cho_solve_banded

    return cho_solve_banded((factor, True), right, check_finite=False)
