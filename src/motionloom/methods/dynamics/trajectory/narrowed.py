"""Narrowed: a problem of an edit in which some joints of the free layer stay as they are.

Its matrices are smaller: a hand that is dragged does not ask the other limbs again. What is left out is likely or not
whatever the others do, so every step that lowers the narrowed objective lowers the whole one by as much.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.free_layer import without_free
from motionloom.methods.dynamics.trajectory.problem import Problem


@dataclass(frozen=True, eq=False)
class Narrowed:
    """A problem of fewer unknowns, and the knots that it is a part of."""

    problem: Problem
    kept: np.ndarray  # unknowns of a knot
    knots: np.ndarray  # (K, u) of the whole
    whole: Problem

    @property
    def start(self) -> np.ndarray:
        """(K, v) knots."""
        return np.ascontiguousarray(self.knots[:, self.kept])

    @cached_property
    def apart(self) -> float:
        """How much more the whole objective is."""
        values = self.whole.at_samples(self.knots)
        return self.whole.prior_cost(values) - self.problem.prior_cost(values[:, self.kept])

    def widened(self, knots: np.ndarray) -> np.ndarray:
        """(K, u) of (K, v) knots."""
        whole = self.knots.copy()
        whole[:, self.kept] = knots
        return whole


def narrow(problem: Problem, knots: np.ndarray, left_out: Sequence[int]) -> Narrowed:
    """The problem at some knots, in which free joints stay as they are.

    Args:
        problem: of an edit.
        knots: (K, u).
        left_out: coordinates of the free layer.
    """
    fixed = np.asarray(left_out, int)
    if not len(fixed):
        return Narrowed(problem, np.arange(problem.n_unknowns), knots, problem)
    kept = np.setdiff1d(np.arange(problem.n_unknowns), fixed)
    values = problem.at_samples(knots)
    directions = problem.prior.subspace.directions[:, fixed]
    reference = replace(problem.reference, vectors=problem.reference.vectors + values[:, fixed] @ directions.T)
    prior, matrices = _shared(problem, fixed)
    part = replace(problem, prior=prior, reference=reference, kept=matrices)
    return Narrowed(part, kept, knots, problem)


def _shared(problem: Problem, fixed: np.ndarray) -> tuple[DynamicPrior, dict]:
    """The prior of the narrowed problem and its matrices, for as long as the same joints stay."""
    key = tuple(fixed.tolist())
    known = problem.kept.get("narrowed")
    if known is None or known[0] != key:
        known = problem.kept["narrowed"] = (key, without_free(problem.prior, key), {})
    return known[1], known[2]
