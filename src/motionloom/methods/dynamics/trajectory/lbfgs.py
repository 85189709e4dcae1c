"""L-BFGS with Gauss-Newton matrices: curvature that they leave out is told from the gradients of the last iterations.

Where residuals stay large and bend, as of a leg that is nearly straight above a foot that rests, Gauss-Newton creeps. A
few such places in a long motion keep the whole of it waiting.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

MEMORY = 5  # iterations that are remembered


@dataclass(frozen=True, eq=False)
class Curvature:
    """How gradients changed over the last moves, the oldest first."""

    moves: tuple[np.ndarray, ...] = ()  # (U,) each
    changes: tuple[np.ndarray, ...] = ()  # (U,) of the gradient over each
    last: tuple[np.ndarray, np.ndarray] | None = None  # unknowns and gradient

    def seen(self, unknowns: np.ndarray, gradient: np.ndarray) -> "Curvature":
        """With the (U,) gradient at some (U,) unknowns; moves over which the objective bends down are left out."""
        here = unknowns.copy(), gradient.copy()
        if self.last is None:
            return Curvature((), (), here)
        move, change = here[0] - self.last[0], here[1] - self.last[1]
        if move @ change <= 0:
            return Curvature(self.moves, self.changes, here)
        return Curvature((*self.moves, move)[-MEMORY:], (*self.changes, change)[-MEMORY:], here)

    def step(self, gradient: np.ndarray, solve: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """(U,) the step from where the gradient is, by two loops over what is remembered.

        Args:
            gradient: (U,).
            solve: applies the inverse of the Gauss-Newton matrix to a (U,) vector.
        """
        pull, shares = -gradient, list[float]()
        pairs = list(zip(self.moves, self.changes))
        for move, change in reversed(pairs):
            shares.append(float(move @ pull) / float(move @ change))
            pull = pull - shares[-1] * change
        found = solve(pull)
        for (move, change), share in zip(pairs, reversed(shares)):
            found = found + (share - float(change @ found) / float(move @ change)) * move
        return found
