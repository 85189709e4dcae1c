"""Windowed: a problem of an edit of which only the knots of some frames may change; all others stay as they are.

Its matrices are shorter: what is dragged in one frame of a long motion does not ask the rest of it again. As many
frames as anything reaches over come along at either end, so the prior and the ties see the motion that goes on there,
and the change fades into it as smoothly as anywhere else.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.problem import Problem, Reference

CURVE = 2  # frames of the model on either side of a knot up to which curves between frames follow it


@dataclass(frozen=True, eq=False)
class Windowed:
    """A problem of some frames, and the knots that it is a part of."""

    problem: Problem
    start: int  # the first of its frames
    knots: np.ndarray  # (K, u) of the whole
    whole: Problem

    @property
    def part(self) -> np.ndarray:
        """(L, u) knots."""
        return self.knots[self.start : self.start + self.problem.basis.n_knots].copy()

    @cached_property
    def apart(self) -> float:
        """How much more the whole objective is."""
        return self.whole.objective(self.knots) - self.problem.objective(self.part)

    def widened(self, part: np.ndarray) -> np.ndarray:
        """(K, u) of (L, u) knots."""
        whole = self.knots.copy()
        whole[self.start : self.start + len(part)] = part
        return whole


def window(problem: Problem, knots: np.ndarray, first: int, last: int) -> Windowed:
    """The problem of which only knots of some frames may change.

    Args:
        problem: of an edit.
        knots: (K, u).
        first: frame of the model whose knot may change.
        last: the last one of them.
    """
    reach = max(problem.prior.order, CURVE + 1)
    start, stop = max(first - reach, 0), min(last + reach + 1, problem.n_frames)
    if problem.basis.spacing or not problem.is_placed or stop - start >= min(problem.n_frames, problem.basis.n_knots):
        return Windowed(problem, 0, knots, problem)
    chosen = _samples(problem, start, stop)
    rows = np.full(len(problem.times), -1)
    rows[chosen] = np.arange(len(chosen))
    whole = problem.reference
    still = None if whole.still is None else whole.still[chosen]
    at_ends = (0 if start == 0 else reach, 0 if stop == problem.n_frames else reach)
    part = replace(
        problem,
        basis=Basis(stop - start),
        times=problem.times[chosen] - start,
        reference=Reference(whole.vectors[chosen], whole.places[chosen], still, whole.is_source),
        terms=tuple(part for term in problem.terms if (part := term.within(rows)) is not None),
        fixed=at_ends,
        **_shared(problem, start, stop),
    )
    return Windowed(part, start, knots, problem)


def _samples(problem: Problem, start: int, stop: int) -> np.ndarray:
    """Those of the frames, and between them where curves are those of the whole."""
    times = problem.times
    low = start + 1 if start else 0
    high = stop - CURVE if stop < problem.n_frames else stop - 1
    between = np.flatnonzero((times[problem.n_frames :] >= low) & (times[problem.n_frames :] <= high))
    return np.concatenate([np.arange(start, stop), problem.n_frames + between])


def _shared(problem: Problem, start: int, stop: int) -> dict:
    """The prior, which says nothing of a start that is none, and its matrices, for as long as the frames are these."""
    known = problem.kept.get("windowed")
    if known is None or known[0] != (start, stop):
        prior = problem.prior
        if start:
            prior = replace(prior, start_precision=np.zeros_like(prior.start_precision))
        known = problem.kept["windowed"] = ((start, stop), prior, {})
    return {"prior": known[1], "kept": known[2]}
